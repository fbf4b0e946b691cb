import { startTestApp, type TestApp } from '../support/app.ts'
import { type StandInDiscord, startDiscord } from '../support/discord/discord.ts'
import { type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { type StandInSlack, startSlack } from '../support/slack/server.ts'
import type { Driver } from './channel.ts'
import { discordDriver } from './discord-driver.ts'
import { slackDriver } from './slack-driver.ts'
import { whenUp } from './waiting.ts'
import { webDriver } from './web-driver.ts'

/** One Hermes on all its platforms at once. */
export interface Town {
  readonly slack: Driver
  readonly discord: Driver
  readonly web: Driver
  readonly standIns: { readonly slack: StandInSlack; readonly discord: StandInDiscord }
  readonly scripts: Scripts
  readonly model: ModelStandIn
  rows: Rows
  app: TestApp
  /** Stops Hermes and starts it again on the same data; with other variables where they are given. */
  restart(config?: object, variables?: Readonly<Record<string, string>>): Promise<void>
  stop(): Promise<void>
}

/** @param config the settings, made when the ids of the platforms are known */
export async function openTown(config: (at: Town['standIns']) => object = () => ({})): Promise<Town> {
  const model = await startModel()
  const scripts = scriptModel(model)
  const standIns = { slack: await startSlack(), discord: await startDiscord() }
  const app = await startTestApp({
    variables: { ...model.variables(), ...standIns.slack.variables(), ...standIns.discord.variables() },
    config: { model: { retries: 0 }, ...config(standIns) },
  })
  await whenUp(app)
  const town: Town = {
    slack: slackDriver(standIns.slack, 'socket', app),
    discord: discordDriver(standIns.discord),
    web: webDriver(app),
    standIns,
    scripts,
    model,
    rows: await openRows(app.home),
    app,
    async restart(changed, variables) {
      await town.rows.close()
      town.app = await town.app.restart(changed, variables)
      await whenUp(town.app)
      for (const driver of [town.web, town.slack, town.discord]) await driver.moved(town.app)
      town.rows = await openRows(town.app.home)
    },
    async stop() {
      await town.rows.close()
      await town.app.end()
      for (const driver of [town.web, town.slack, town.discord]) await driver.stop()
      await model.stop()
    },
  }
  return town
}

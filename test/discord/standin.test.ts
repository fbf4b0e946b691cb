import { ComponentType, DiscordAPIError, MessageFlags, REST, Routes } from 'discord.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StandInDiscord, startDiscord } from '../support/discord/discord.ts'
import type { Person } from '../support/discord/people.ts'

let discord: StandInDiscord
let rest: REST
let ann: Person

beforeAll(async () => {
  discord = await startDiscord()
  rest = new REST({ api: discord.url, version: '10' }).setToken(discord.token)
  ann = discord.person('Ann')
})

afterAll(async () => {
  await discord.stop()
})

async function refusal(work: Promise<unknown>): Promise<{ code: number; text: string }> {
  const error = await work.then(
    () => new Error('It was not refused.'),
    (problem: unknown) => problem,
  )
  if (!(error instanceof DiscordAPIError)) throw error
  return { code: Number(error.code), text: error.message }
}

const messages = () => Routes.channelMessages(ann.dmChannel)
const send = (body: object) => rest.post(messages(), { body })
const button = (custom_id: string, label = 'Go') => ({ type: 2, style: 1, custom_id, label })
const row = (...components: object[]) => ({ type: 1, components })

describe('the stand-in refuses what Discord refuses', () => {
  test.each([
    ['a text of 2,001 characters', { content: 'x'.repeat(2001) }, 'content[BASE_TYPE_MAX_LENGTH]'],
    ['a nonce of 26', { content: 'x', nonce: 'n'.repeat(26) }, 'nonce[BASE_TYPE_MAX_LENGTH]'],
    [
      'a label of 81',
      { components: [row(button('a', 'l'.repeat(81)))] },
      'components[0].components[0].label',
    ],
    ['a custom_id of 101', { components: [row(button('c'.repeat(101)))] }, 'custom_id[BASE_TYPE_BAD_LENGTH]'],
    ['an empty custom_id', { components: [row(button(''))] }, 'custom_id[BASE_TYPE_BAD_LENGTH]'],
    ['a custom_id twice', { components: [row(button('a'), button('a'))] }, 'COMPONENT_CUSTOM_ID_DUPLICATED'],
    [
      'six rows',
      { components: Array.from({ length: 6 }, (_, n) => row(button(`b${n}`))) },
      'components[BASE_TYPE_BAD_LENGTH]',
    ],
    [
      'layout components without their flag',
      { components: [{ type: 10, content: 'x' }] },
      'UNION_TYPE_CHOICES',
    ],
    [
      'a text beside layout components',
      { flags: MessageFlags.IsComponentsV2, content: 'x', components: [{ type: 10, content: 'x' }] },
      'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
    [
      '4,001 characters of layout text',
      {
        flags: MessageFlags.IsComponentsV2,
        components: [
          { type: 10, content: 'x'.repeat(2001) },
          { type: 10, content: 'x'.repeat(2000) },
        ],
      },
      'COMPONENT_MAX_TOTAL_TEXT_DISPLAY_LENGTH_EXCEEDED',
    ],
    [
      '26 fields of an embed',
      { embeds: [{ fields: Array.from({ length: 26 }, () => ({ name: 'n', value: 'v' })) }] },
      'embeds[0].fields[BASE_TYPE_BAD_LENGTH]',
    ],
    [
      'a list beside parse',
      { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    ],
    [
      'a reply to nothing',
      { content: 'x', message_reference: { message_id: '1' } },
      'MESSAGE_REFERENCE_UNKNOWN_MESSAGE',
    ],
  ])('%s', async (_, body, path) => {
    const { code, text } = await refusal(send(body))
    expect(code).toBe(50035)
    expect(text).toContain(path)
  })

  test('an empty message, an unknown place, and a wrong token', async () => {
    expect((await refusal(send({ content: '  ' }))).code).toBe(50006)
    expect(
      (await refusal(rest.post(Routes.channelMessages('123456789012345678'), { body: { content: 'x' } })))
        .code,
    ).toBe(10003)
    const other = new REST({ api: discord.url, version: '10' }).setToken('other')
    expect((await refusal(other.get(Routes.user()))).code).toBe(0)
  })

  test('a second thread, a thread without a name, and one without permission', async () => {
    const said = ann.post('general', 'hello')
    const open = (name: string) => rest.post(Routes.threads(said.channelId, said.id), { body: { name } })
    expect((await refusal(open(''))).code).toBe(50035)
    await open('A thread')
    expect((await refusal(open('Another'))).code).toBe(160004)
    discord.deny('support', 'CreatePublicThreads')
    const denied = ann.post('support', 'hello')
    expect(
      (await refusal(rest.post(Routes.threads(denied.channelId, denied.id), { body: { name: 'x' } }))).code,
    ).toBe(50013)
  })

  test('the change of an old message too often, and of a message of others', async () => {
    const { id } = (await send({ content: 'x' })) as { id: string }
    const said = ann.dm('mine')
    const change = (message: string) =>
      rest.patch(Routes.channelMessage(ann.dmChannel, message), { body: { content: 'y' } })
    expect((await refusal(change(said.id))).code).toBe(50005)
    discord.oldEdits = { after: -1, allowed: 1 }
    await change(id)
    const answer = await fetch(`${discord.url}/v10${Routes.channelMessage(ann.dmChannel, id)}`, {
      method: 'PATCH',
      headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'z' }),
    })
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([429, 30046])
    discord.oldEdits = { after: 3_600_000, allowed: 3 }
  })

  test('a late answer to a click, a second one, a modal of six fields, and a modal after a modal', async () => {
    const { id } = (await send({ content: 'x', components: [row(button('a'))] })) as { id: string }
    const message = discord.world.messages.get(id)!
    const reply = ({ id: interaction, token }: { id: string; token: string }, body: object) =>
      rest.post(Routes.interactionCallback(interaction, token), { body, auth: false })
    discord.lateAfter = -1
    expect((await refusal(reply(ann.click(message, 'Go'), { type: 6 }))).code).toBe(10062)
    discord.lateAfter = 3_000
    const click = ann.click(message, 'Go')
    const input = (n: number) => ({
      type: ComponentType.Label,
      label: `Field ${n}`,
      component: { type: ComponentType.TextInput, style: 1, custom_id: `f${n}` },
    })
    const modal = (fields: number) => ({
      type: 9,
      data: { title: 'T', custom_id: 'm', components: Array.from({ length: fields }, (_, n) => input(n)) },
    })
    expect((await refusal(reply(click, modal(6)))).text).toContain('data.components[BASE_TYPE_BAD_LENGTH]')
    await reply(click, modal(5))
    expect((await refusal(reply(click, { type: 6 }))).code).toBe(40060)
    const values = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`Field ${n}`, 'v']))
    const sent = ann.submit(discord.screen.modals(ann.id)[0]!, values)
    expect((await refusal(reply(sent, modal(1)))).code).toBe(50035)
  })
})

describe('the stand-in does what Discord does', () => {
  test('it folds repeats of an enforced nonce, and takes it as new without', async () => {
    const one = (await send({ content: 'x', nonce: 'n1', enforce_nonce: true })) as { id: string }
    const two = (await send({ content: 'x', nonce: 'n1', enforce_nonce: true })) as { id: string }
    const three = (await send({ content: 'x', nonce: 'n1' })) as { id: string }
    expect(two.id).toBe(one.id)
    expect(three.id).not.toBe(one.id)
  })

  test('it notifies everybody whom a message names unless it is told otherwise', async () => {
    await send({ content: `@everyone <@${ann.id}>` })
    await send({ content: `@everyone <@${ann.id}>`, allowed_mentions: { parse: [] } })
    expect(discord.screen.pings().map(({ who }) => who)).toEqual([['@everyone', ann.id]])
  })

  test('it gives history newest first, and serves the files of messages', async () => {
    const said = ann.dm('a file', { files: [{ name: 'a.txt', contentType: 'text/plain', content: 'hello' }] })
    const after = ann.dm('the next')
    const [newest, older] = (await rest.get(messages(), { query: new URLSearchParams({ limit: '2' }) })) as {
      id: string
      attachments: { url: string }[]
    }[]
    expect([newest!.id, older!.id]).toEqual([after.id, said.id])
    expect(await (await fetch(older!.attachments[0]!.url)).text()).toBe('hello')
  })
})

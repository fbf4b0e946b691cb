import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type MailServer, startMailServer } from '../support/office/mail-server.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { webClient } from '../support/web-client.ts'
import { requests } from './zhang-model.ts'

describe('an expense check with a condition in the web chat, without any language model', () => {
  let mail: MailServer
  let app: TestApp
  let rows: Rows

  beforeAll(async () => {
    mail = await startMailServer()
    app = await startTestApp({
      config: { timeZone: 'Asia/Shanghai' },
      mcp: { mcpServers: { mail: { url: mail.url } } },
    })
    if (!(await app.mcp.settled(30_000))) throw new Error('The mail could not be mounted.')
    rows = await openRows(app.home)
  }, 60_000)
  afterAll(async () => {
    await rows?.close()
    await app?.end()
    await mail?.stop()
  })

  it.each([
    ['English', requests.en],
    ['Chinese', requests.zh],
  ] as const)(
    'in %s is taken apart by code all the same, and nothing is done or claimed',
    async (language, request) => {
      const ann = webClient(app.address, 'Ann', `zhang-${language}`)
      await ann.say(request.text)
      const { text } = await ann.answer()
      await rows.quiet()
      const [turn] = await rows.query<{
        intent: { requests: object[]; anchors: { words: string; ids: string[]; range?: object }[] }[]
        plan: object
      }>(
        `SELECT t.intent, s.plan FROM turn t JOIN session s ON s.id = t.session_id WHERE s.thread = $1`,
        `zhang-${language}`,
      )
      expect(turn?.intent[0]?.requests).toMatchObject([
        { text: request.steps[0], primary: 'query' },
        { text: request.steps[1], condition: { negated: true, dependsOn: 0 }, after: 0 },
        { text: request.steps[2], after: 1 },
      ])
      const anchors = new Map(turn?.intent[0]?.anchors.map((one) => [one.words, one]))
      expect(anchors.get(request === requests.zh ? '上周' : 'last week')?.range).toBeDefined()
      expect(anchors.get(request === requests.zh ? '他' : 'him')?.ids).toEqual([request.person])
      // The stand-in says what it is, and that it can't do this; the plan does not stay behind.
      expect(text).toMatch(/stand-in|替身/)
      expect(turn?.plan).toEqual({ current: null, parked: [] })
      expect((await ann.read()).messages.flatMap((message) => message.cards)).toEqual([])
      expect(mail.sent).toEqual([])
    },
  )
})

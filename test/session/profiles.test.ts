import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/file.ts'
import { createProfiles, type Profile, profileMistakes } from '../../src/session/profiles.ts'
import { docsPage } from '../docs/pages.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type ChatBody, type ModelStandIn, startModel } from '../support/model.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { type Scripts, scriptModel } from '../support/scripts.ts'
import { webClient } from '../support/web-client.ts'

/** Profiles as the file's text gives them. */
function declared(profiles: readonly object[]): readonly Profile[] {
  const read = readConfig(JSON.stringify({ profiles }), 'hermes.config.json')
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.config.profiles
}

const slack = (room: string, workspace = 'T1') => ({
  thread: { channel: 'slack', workspace, room, thread: '1.0' } as const,
  kind: 'shared' as const,
})

describe('profiles', () => {
  it('are chosen by the place: what says more about it wins, else the default one', () => {
    const profiles = createProfiles(
      declared([
        { name: 'shared', match: { kind: 'shared' } },
        { name: 'slack', match: { channel: 'slack', kind: ['shared', 'direct'] } },
        { name: 'team', match: { workspace: 'T2' } },
        { name: 'finance', match: { room: ['C1', 'C2'] } },
      ]),
      [],
    )
    expect(profiles.at(slack('C1')).name).toBe('finance')
    expect(profiles.at(slack('C9')).name).toBe('slack')
    expect(profiles.at(slack('C9', 'T2')).name).toBe('team')
    const web = { channel: 'web', workspace: 'local', room: 'web', thread: 'a' } as const
    expect(profiles.at({ thread: web, kind: 'shared' }).name).toBe('shared')
    expect(profiles.at({ thread: web, kind: 'direct' }).name).toBe('default')
    expect(profiles.named('finance')).toMatchObject({ gone: false, profile: { name: 'finance' } })
    expect(profiles.named('sales')).toMatchObject({ gone: true, profile: { name: 'default' } })
  })

  it('mount what they allow, and what is of high risk only by name', () => {
    const [plain, some] = declared([
      { name: 'plain', match: { kind: 'direct' } },
      {
        name: 'some',
        tools: { allow: ['*', 'mcp__pay__*'], deny: ['send_*'] },
        mcpServers: ['pay'],
      },
    ])
    const profiles = createProfiles([plain!, some!], ['mcp__pay__*', 'remember'])
    const mounted = (profile: Profile) =>
      [
        { name: 'remember' },
        { name: 'recall' },
        { name: 'send_message' },
        { name: 'mcp__pay__charge', server: 'pay' },
        { name: 'mcp__git__log', server: 'git' },
      ].flatMap((tool) => (profiles.mounts(profile, tool) ? [tool.name] : []))
    expect(mounted(plain!)).toEqual(['recall', 'send_message', 'mcp__git__log'])
    expect(mounted(some!)).toEqual(['recall', 'mcp__pay__charge'])
  })

  it('are refused with a line for each mistake', () => {
    const profiles = declared([
      { name: 'one', match: { channel: 'slack', room: ['C1', 'C2'] }, tools: { allow: ['send_mesage'] } },
      { name: 'two', match: { channel: ['slack', 'web'], room: 'C2' }, mcpServers: ['gti'] },
      { name: 'three', match: { channel: 'web', room: 'C2' }, tools: { deny: ['mcp__gti__*'] } },
      { name: 'three', match: { room: 'C9' }, tools: { allow: ['mcp__git__*', 'send_*'] } },
    ])
    const known = { tools: ['send_message', 'recall'], servers: ['git'] }
    expect(profileMistakes(profiles, ['mcp__git__push', 'nothing'], known)).toEqual([
      'profiles: "one" and "two" match equally; say more in one of their match, or make them one.',
      'profiles: "two" and "three" match equally; say more in one of their match, or make them one.',
      'profiles: two are called "three"; rename one.',
      'tools.highRisk: "nothing" fits no tool. Built-in tools: send_message, recall; those of MCP servers are called mcp__server__tool.',
      'profiles: "one", tools.allow: "send_mesage" fits no tool. Built-in tools: send_message, recall; those of MCP servers are called mcp__server__tool.',
      'profiles: "two", mcpServers: there is no MCP server "gti"; there are: git.',
      'profiles: "three", tools.deny: "mcp__gti__*" fits no MCP server; there are: git.',
    ])
  })

  it('of the page are read without a mistake', () => {
    const [, example = ''] =
      /<!-- example: profiles -->\n+```json\n([\s\S]*?)```/.exec(docsPage('sessions.md').text) ?? []
    const read = readConfig(example, 'hermes.config.json')
    if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
    const known = { tools: ['send_message'], servers: ['payments'] }
    expect(profileMistakes(read.config.profiles, read.config.tools.highRisk, known)).toEqual([])
  })
})

describe('a session with a profile', { timeout: 60_000 }, () => {
  let model: ModelStandIn
  let scripts: Scripts
  let app: TestApp
  let rows: Rows
  const variables = () => ({ OPENAI_BASE_URL: model.baseUrl, HERMES_MODEL: 'usual-model' })
  const kiosk = {
    name: 'kiosk',
    match: { kind: 'direct' },
    model: { name: 'small-model', window: 16_000 },
    instructions: 'You stand in the lobby.',
    tools: { allow: ['recall', 'find_tools', 'list_tickets'] },
    memory: { recall: ['team'], learn: [] },
    limits: { steps: 2 },
  }

  beforeAll(async () => {
    model = await startModel()
    scripts = scriptModel(model)
    app = await startTestApp({ variables: variables(), config: { model: { retries: 0 } } })
    rows = await openRows(app.home)
  }, 60_000)
  afterAll(async () => {
    await rows.close()
    await app.end()
    await model.stop()
  })

  it('keeps to it: model, words, tools, memories and limits; sessions that were there keep theirs', async () => {
    const word = scripts.word()
    const ann = webClient(app.address, 'Ann', 'before')
    const remember = {
      calls: [{ name: 'remember', arguments: { text: `Ann's ${word} locker is number 12` } }],
    }
    scripts.on(word, remember, { text: 'Kept.' })
    await ann.say(`Remember that my ${word} locker is number 12`)
    expect((await ann.answer()).text).toBe('Kept.')
    await rows.quiet()

    // The same home, started again with profiles.
    await rows.close()
    await app.stop()
    const { home } = app
    app = await startTestApp({
      home,
      variables: variables(),
      config: { model: { retries: 0 }, profiles: [kiosk] },
    })
    rows = await openRows(home)
    const second = scripts.word()
    const at = webClient(app.address, 'Ann', 'lobby')
    const create = { name: 'create_ticket', arguments: { title: 'A lamp is broken' } }
    scripts.on(
      second,
      { calls: [create, { name: 'find_tools', arguments: { query: 'make a ticket' } }] },
      { calls: [{ name: 'recall', arguments: { query: `${word} locker` } }] },
    )
    await at.say(`Where is my ${word} locker, ${second}? And make a ticket for the lamp.`)
    const answer = await at.answer()
    expect(answer.text).toContain('I stopped after 2 steps')
    await rows.quiet()
    const [first, last] = scripts.requests(second)
    expect(first!.model).toBe('small-model')
    expect(String(first!.messages[0]!.content)).toContain('You stand in the lobby.')
    expect(names(first!)).toEqual(['find_tools', 'list_tickets', 'recall'])
    const told = JSON.stringify(last!.messages.filter(({ role }) => role === 'tool'))
    expect(told).toContain('is not available in this conversation')
    expect(told).not.toContain('"create_ticket\\\\"')
    expect(JSON.stringify(scripts.requests(second))).not.toContain('number 12')
    const calls = await rows.query(
      `SELECT tool, status, result_text FROM tool_call c JOIN session s ON s.id = c.session_id
       WHERE s.thread = 'lobby' ORDER BY c.id`,
    )
    expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      'create_ticket refused',
      'find_tools succeeded',
      'recall succeeded',
    ])
    expect(calls[2]!.result_text).not.toContain('12')
    const [span] = await rows.query(
      `SELECT attributes->'began' AS began FROM span p JOIN session s ON s.id = p.session_id
       WHERE s.thread = 'lobby' AND p.name = 'turn'`,
    )
    expect(span).toMatchObject({ began: { profile: 'kiosk', model: 'small-model', window: 16_000 } })

    // The session that was there before knows everything still.
    const old = webClient(app.address, 'Ann', 'before')
    scripts.on(word, (body) => ({
      text: JSON.stringify(body).includes('number 12') ? 'It is 12.' : 'No idea.',
    }))
    await old.say(`Which locker is the ${word} one?`)
    await old.until('the answer', ({ messages }) => messages.at(-1)?.text === 'It is 12.')
    expect(scripts.requests(word).at(-1)!.model).toBe('usual-model')
    await rows.quiet()
  })

  it('goes on with the default one when its own is gone, and the trace says so', async () => {
    await rows.close()
    await app.stop()
    const { home } = app
    app = await startTestApp({ home, variables: variables(), config: { model: { retries: 0 } } })
    rows = await openRows(home)
    const word = scripts.word()
    scripts.on(word, { text: 'Here.' })
    const ann = webClient(app.address, 'Ann', 'lobby')
    await ann.say(`Are you there, ${word}?`)
    await ann.until('the answer', ({ messages }) => messages.at(-1)?.text === 'Here.')
    await rows.quiet()
    expect(scripts.requests(word)[0]!.model).toBe('usual-model')
    const [span] = await rows.query(
      `SELECT p.attributes->>'warning' AS warning FROM span p JOIN session s ON s.id = p.session_id
       WHERE s.thread = 'lobby' AND p.name = 'turn' ORDER BY p.id DESC LIMIT 1`,
    )
    expect(span).toEqual({ warning: 'The profile "kiosk" is gone from the settings.' })
  })

  it('does not begin where the profiles are wrong: the start ends with what to mend', async () => {
    const wrong = { profiles: [{ name: 'a', tools: { allow: ['send_mesage'] }, mcpServers: ['git'] }] }
    const failed = await startTestApp({ variables: variables(), config: wrong }).then(
      () => 'it started',
      (error: Error) => error.message,
    )
    expect(failed.split('\n')).toEqual([
      expect.stringMatching(
        /^hermes\.config\.json: profiles: "a", tools\.allow: "send_mesage" fits no tool\./,
      ),
      'hermes.config.json: profiles: "a", mcpServers: there is no MCP server "git"; there are: none.',
    ])
  })

  const names = (body: ChatBody) => (body.tools ?? []).map((tool) => tool.function.name).toSorted()
})

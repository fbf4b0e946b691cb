import { describe, expect, it } from 'vitest'
import { type Environment, readEnvironment, type Settings } from '../../src/config/environment.ts'
import { variables } from '../../src/config/variables.ts'

const folder = '/srv/hermes'

function settingsOf(environment: Environment, role?: string): Settings {
  const read = readEnvironment(environment, { folder, role })
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.settings
}

function mistakesOf(environment: Environment, role?: string): readonly string[] {
  const read = readEnvironment(environment, { folder, role })
  return 'mistakes' in read ? read.mistakes : []
}

function warningsOf(environment: Environment): readonly string[] {
  const read = readEnvironment(environment, { folder })
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.warnings
}

describe('an empty environment', () => {
  it('runs everything embedded, on this machine only, with the offline model and the shipped encoder', () => {
    expect(settingsOf({})).toMatchObject({
      role: 'all',
      home: '/srv/hermes/.hermes',
      http: { host: '127.0.0.1', port: 3210, loopback: true },
      model: { state: 'offline' },
      embedding: { state: 'shipped' },
      slack: { state: 'off' },
      discord: { state: 'off' },
      files: { config: { path: '/srv/hermes/hermes.config.json' }, mcp: { path: '/srv/hermes/mcp.json' } },
      logLevel: 'info',
    })
    expect(settingsOf({}).database.url).toBeUndefined()
    expect(settingsOf({}).redis.url).toBeUndefined()
    expect(warningsOf({})).toEqual([])
  })

  it('is what variables without a value mean, too', () => {
    const empty = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, '  ']))
    expect(settingsOf(empty)).toEqual(settingsOf({}))
  })
})

describe('a mistake in one variable', () => {
  const secret = 'pa55-word-that-nobody-may-see'
  const bad: readonly [name: string, value: string][] = [
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', secret],
    ['HOST', 'http://127.0.0.1'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_LEVEL', secret],
    ['DATABASE_URL', `mysql://hermes:${secret}@db/hermes`],
    ['DATABASE_URL', secret],
    ['REDIS_URL', `http://:${secret}@cache:6379`],
    ['REDIS_URL', '127.0.0.1:6379'],
    ['OPENAI_API_KEY', `Bearer ${secret}`],
    ['OPENAI_BASE_URL', `localhost:11434/${secret}`],
    ['HERMES_CONTEXT_WINDOW', '128k'],
    ['HERMES_CONTEXT_WINDOW', '12'],
    ['HERMES_EMBEDDING_BASE_URL', 'ftp://127.0.0.1'],
    ['SLACK_BOT_TOKEN', `xoxp-${secret}`],
    ['SLACK_BOT_TOKEN', `xoxb-${secret} ${secret}`],
    ['SLACK_APP_TOKEN', `xoxb-${secret}`],
    ['SLACK_SIGNING_SECRET', `${secret} ${secret}`],
    ['SLACK_API_URL', `http://127.0.0.1:8080/${secret}`],
    ['SLACK_API_URL', 'slack'],
    ['DISCORD_TOKEN', `Bot ${secret}`],
    ['DISCORD_APPLICATION_ID', secret],
    ['DISCORD_API_URL', 'https://discord.com'],
    ['HERMES_SECRET_KEY', secret],
    ['HERMES_CONSOLE_TOKEN', `${secret} x`],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', secret],
  ]

  it.each(bad)('%s=%s is told in one line that begins with its name and holds no secret', (name, value) => {
    const lines = mistakesOf({ [name]: value }).filter((line) => line.startsWith(name))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\S+ must .+[.\w]$/)
    expect(lines[0]).not.toContain('\n')
    expect(mistakesOf({ [name]: value }).join()).not.toContain(secret)
  })

  it('names what was written where it is short enough not to be a secret', () => {
    expect(mistakesOf({ PORT: '80a' })).toEqual([
      'PORT must be a whole number from 0 to 65535, not "80a"; for example PORT=3210.',
    ])
  })

  it('does not hide the others', () => {
    expect(mistakesOf({ PORT: 'x', LOG_LEVEL: 'y', REDIS_URL: 'z', HOST: '0.0.0.0' })).toHaveLength(4)
  })
})

describe('an address that others can reach', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'hermes.example'])('%s needs a token', (HOST) => {
    expect(mistakesOf({ HOST })[0]).toContain('HERMES_CONSOLE_TOKEN must be set')
    expect(settingsOf({ HOST, HERMES_CONSOLE_TOKEN: 'a-token' }).http).toMatchObject({
      loopback: false,
      token: 'a-token',
    })
  })

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('%s is not one', (HOST) => {
    expect(settingsOf({ HOST }).http.loopback).toBe(true)
  })
})

describe('a role', () => {
  it.each(['gateway', 'worker'])('%s needs a database that processes can share', (role) => {
    expect(mistakesOf({}, role)[0]).toMatch(/^DATABASE_URL must be set for --role/)
    const url = 'postgresql://hermes:secret@db.example/hermes'
    expect(settingsOf({ DATABASE_URL: url }, role)).toMatchObject({ role, database: { url } })
  })

  it('that does not exist is told', () => {
    expect(mistakesOf({}, 'boss')).toEqual(['--role must be all, gateway or worker, not "boss".'])
  })
})

describe('Slack', () => {
  const bot = { SLACK_BOT_TOKEN: 'xoxb-1-a' }
  const app = { SLACK_APP_TOKEN: 'xapp-1-b' }
  const signing = { SLACK_SIGNING_SECRET: 'c' }

  it('runs in Socket Mode with an app token, also where a signing secret is there', () => {
    const socket = { state: 'socket', botToken: 'xoxb-1-a', appToken: 'xapp-1-b' }
    expect(settingsOf({ ...bot, ...app }).slack).toMatchObject(socket)
    expect(settingsOf({ ...bot, ...app, ...signing }).slack).toMatchObject(socket)
  })

  it('runs over HTTP with a signing secret alone', () => {
    expect(settingsOf({ ...bot, ...signing }).slack).toMatchObject({ state: 'http', signingSecret: 'c' })
  })

  it('is off and says what is missing when a pair is half set', () => {
    expect(settingsOf(app).slack).toMatchObject({ state: 'half', missing: ['SLACK_BOT_TOKEN'] })
    expect(settingsOf(signing).slack).toMatchObject({ state: 'half', missing: ['SLACK_BOT_TOKEN'] })
    expect(settingsOf(bot).slack).toMatchObject({
      state: 'half',
      missing: ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
    })
    expect(settingsOf({ ...bot, ...app, SLACK_CLIENT_ID: '1' }).slack).toMatchObject({
      state: 'half',
      missing: ['SLACK_CLIENT_SECRET'],
    })
    expect(warningsOf(app)).toEqual([
      'Slack is off, because it is only half set up: set SLACK_BOT_TOKEN as well.',
    ])
  })

  it("takes another API address with or without its last slash, as Slack's client needs it", () => {
    for (const SLACK_API_URL of ['http://127.0.0.1:9/api', 'http://127.0.0.1:9/api/'])
      expect(settingsOf({ ...bot, ...app, SLACK_API_URL }).slack).toMatchObject({
        apiUrl: 'http://127.0.0.1:9/api/',
      })
  })
})

describe('Discord', () => {
  const id = '1234567890123456789'
  const token = `${Buffer.from(id).toString('base64url')}.Gabcde.rest`

  it("reads the application's id from the token unless it is set", () => {
    expect(settingsOf({ DISCORD_TOKEN: token }).discord).toMatchObject({ state: 'on', applicationId: id })
    expect(
      settingsOf({ DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: '987654321098765432' }).discord,
    ).toMatchObject({ applicationId: '987654321098765432' })
  })

  it('is on with a token of any other form, which Discord itself then judges', () => {
    const discord = settingsOf({ DISCORD_TOKEN: 'of-a-new-form', DISCORD_API_URL: 'http://127.0.0.1:9/api/' })
    expect(discord.discord).toMatchObject({ state: 'on', apiUrl: 'http://127.0.0.1:9/api' })
    expect(discord.discord).not.toMatchObject({ applicationId: expect.anything() })
  })

  it('is off and says so with only an application id', () => {
    expect(settingsOf({ DISCORD_APPLICATION_ID: id }).discord).toMatchObject({
      state: 'half',
      missing: ['DISCORD_TOKEN'],
    })
  })
})

describe('the model', () => {
  it('is an endpoint as soon as a key or an address is set', () => {
    expect(settingsOf({ OPENAI_API_KEY: 'sk-1' }).model).toMatchObject({ state: 'endpoint', apiKey: 'sk-1' })
    expect(
      settingsOf({
        OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
        HERMES_MODEL: 'qwen',
        HERMES_FALLBACK_MODELS: 'a, b,,',
        HERMES_CONTEXT_WINDOW: '32000',
      }).model,
    ).toEqual({
      state: 'endpoint',
      apiKey: undefined,
      baseUrl: 'http://127.0.0.1:11434/v1',
      name: 'qwen',
      fallbacks: ['a', 'b'],
      contextWindow: 32_000,
    })
  })

  it('warns where a name is set that nobody can be asked for, or an address without a name', () => {
    expect(warningsOf({ HERMES_MODEL: 'qwen' })[0]).toContain('offline model')
    expect(warningsOf({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })[0]).toContain('set HERMES_MODEL')
  })
})

describe('embeddings', () => {
  it('come from a folder where the name is a path, else from an endpoint', () => {
    expect(settingsOf({ HERMES_EMBEDDING_MODEL: './models/e5' }).embedding).toEqual({
      state: 'folder',
      path: '/srv/hermes/models/e5',
    })
    expect(
      settingsOf({ HERMES_EMBEDDING_MODEL: 'BAAI/bge-m3', OPENAI_API_KEY: 'sk-1' }).embedding,
    ).toMatchObject({ state: 'endpoint', model: 'BAAI/bge-m3', apiKey: 'sk-1' })
    expect(
      settingsOf({ HERMES_EMBEDDING_MODEL: 'e5', HERMES_EMBEDDING_BASE_URL: 'http://127.0.0.1:2/v1' })
        .embedding,
    ).toMatchObject({ baseUrl: 'http://127.0.0.1:2/v1' })
  })

  it('need both a name and an endpoint', () => {
    expect(mistakesOf({ HERMES_EMBEDDING_MODEL: 'e5' })).toHaveLength(1)
    expect(mistakesOf({ HERMES_EMBEDDING_BASE_URL: 'http://127.0.0.1:2/v1' })).toHaveLength(1)
  })
})

describe('a variable that Hermes does not know', () => {
  it('is named with the one that was meant', () => {
    expect(warningsOf({ HERMES_MODLE: 'x' })).toEqual([
      'HERMES_MODLE is not a setting and is ignored. Did you mean HERMES_MODEL?',
    ])
    expect(warningsOf({ SLACK_BOT_TOKENS: 'xoxb-1' })[0]).toContain('Did you mean SLACK_BOT_TOKEN?')
  })

  it("is left alone where it is another program's", () => {
    expect(warningsOf({ SLACK_WORKSPACE_COLOUR: 'x', PATH: '/bin', EDITOR: 'vi' })).toEqual([])
  })
})

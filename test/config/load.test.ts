import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { loadSettings } from '../../src/config/load.ts'
import { variables } from '../../src/config/variables.ts'

function load(environment: Environment, files: Record<string, string>) {
  return loadSettings(environment, { folder: '/srv/hermes' }, (path) => files[path])
}

it('takes settings from .env, which the environment overrides and may unset', () => {
  const files = { '/srv/hermes/.env': 'PORT=4000\nLOG_LEVEL="debug" # loud\nREDIS_URL=redis://cache\n' }
  expect(load({ PORT: '5000', REDIS_URL: '' }, files)).toMatchObject({
    settings: { http: { port: 5000 }, logLevel: 'debug', redis: { url: undefined } },
  })
})

it('takes product settings from the file that HERMES_CONFIG names, also when .env names it', () => {
  const files = { '/srv/hermes/.env': 'HERMES_CONFIG=my.json', '/srv/hermes/my.json': '{"allowBots": true}' }
  expect(load({}, files)).toMatchObject({ config: { allowBots: true } })
})

it('tells mistakes of the environment and of all files at once', () => {
  const loaded = load(
    { PORT: 'x', HERMES_CONFIG: '/etc/hermes.json', HERMES_MCP_CONFIG: 'gone.json' },
    { '/etc/hermes.json': '{"limit": 1}' },
  )
  expect(loaded).toEqual({
    mistakes: [
      expect.stringMatching(/^PORT must/),
      'HERMES_MCP_CONFIG names gone.json, which does not exist: create it or name another file.',
      '/etc/hermes.json: limit is not a setting. Did you mean limits?',
    ],
  })
})

it('tells a file that can not be read', () => {
  const loaded = loadSettings({}, { folder: '/srv/hermes' }, (path) => {
    if (path.endsWith('.env')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    return undefined
  })
  expect(loaded).toEqual({
    mistakes: [".env can't be read (EACCES): it must be a file that Hermes may read."],
  })
})

it('has an example .env that names every variable once, and whose values as they stand change nothing', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const named = [...example.matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map((match) => match[1])
  expect(named.toSorted()).toEqual(Object.keys(variables.shape).toSorted())
  expect(parseEnv(example)).toEqual({})
  const uncommented = example.replace(/^# ([A-Z][A-Z_]+=)/gm, '$1')
  expect(Object.keys(parseEnv(uncommented)).toSorted()).toEqual(named.toSorted())
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../src/config/file.ts'

function mistakesOf(value: unknown): readonly string[] {
  const read = readConfig(typeof value === 'string' ? value : JSON.stringify(value), 'hermes.config.json')
  return 'mistakes' in read ? read.mistakes : []
}

function configOf(text: string | undefined): Config {
  const read = readConfig(text, 'hermes.config.json')
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  return read.config
}

describe('the config file', () => {
  it('may be missing, empty of settings, or set a few: the rest is at its default', () => {
    const defaults = configOf(undefined)
    expect(defaults.limits.steps).toBe(12)
    expect(configOf('{}')).toEqual(defaults)
    expect(configOf('{"limits": {"steps": 3}}')).toEqual({
      ...defaults,
      limits: { ...defaults.limits, steps: 3 },
    })
  })

  it('has an example that shows every setting at its default', () => {
    const example = readFileSync(new URL('../../hermes.config.example.json', import.meta.url), 'utf8')
    const { timeZone: _, ...defaults } = configOf(undefined)
    // Prices, the desk and workflows have no default: there they show how they are written.
    const { timeZone, desk, workflows, ...shown } = JSON.parse(example)
    const { currency, prices } = defaults.model
    expect({ ...shown, workflows: {}, model: { ...shown.model, currency, prices } }).toEqual(defaults)
    expect(configOf(example).desk).toMatchObject(desk)
    expect(Object.keys(workflows)).toEqual(['expense_claim'])
    expect(configOf(example).timeZone).toBe(timeZone)
  })
})

describe('a mistake in the config file', () => {
  it('about people and rooms is told by their place in the list', () => {
    const zhang = { name: 'Zhang Wei', addresses: ['slack:T01:U02', 'web:zhang'] }
    expect(configOf(JSON.stringify({ people: [zhang] })).people[0]).toMatchObject({ ...zhang, aliases: [] })
    const file = 'hermes.config.json: '
    expect(mistakesOf({ people: [{ ...zhang, addresses: ['slack:U02', 'web:zhang'] }] })).toEqual([
      `${file}people.0.addresses.0 must be "slack:<team>:<user>", "discord:<user>" or "web:<name>".`,
    ])
    expect(mistakesOf({ people: [{ ...zhang, prefers: 'discord' }] })).toEqual([
      `${file}people.0.prefers must be a channel of the addresses: slack, web.`,
    ])
    expect(mistakesOf({ people: [zhang, { name: 'Li Na', addresses: ['web:li', 'web:zhang'] }] })).toEqual([
      `${file}people.1.addresses.1 is that of "Zhang Wei" already: an address belongs to one person.`,
    ])
    expect(mistakesOf({ people: [{ name: 'Li Na', addresses: [] }] })).toHaveLength(1)
    expect(mistakesOf({ rooms: [{ name: '#ops', channel: 'web' }] })[0]).toContain(
      'rooms.0.name must be one word, without #',
    )
    expect(mistakesOf({ rooms: [{ name: 'ops', channel: 'slack' }] })[0]).toContain(
      'rooms.0 needs `workspace`',
    )
  })

  it('is told with the path and what belongs there', () => {
    expect(mistakesOf({ limits: { steps: '12' } })).toEqual([
      'hermes.config.json: limits.steps must be a number, not text.',
    ])
    expect(mistakesOf({ limits: { steps: 1.5 } })).toEqual([
      'hermes.config.json: limits.steps must be a whole number, not a fraction.',
    ])
    expect(mistakesOf({ limits: { steps: 0 } })).toEqual([
      'hermes.config.json: limits.steps must be at least 1.',
    ])
    expect(mistakesOf({ context: { inputShare: 50 } })).toEqual([
      'hermes.config.json: context.inputShare must be at most 1.',
    ])
    expect(mistakesOf({ language: 'fr' })).toEqual([
      'hermes.config.json: language must be one of "en", "zh".',
    ])
    expect(mistakesOf({ timeZone: 'Mars/Olympus' })[0]).toContain('must be the name of a time zone')
    expect(mistakesOf({ memory: [] })).toEqual(['hermes.config.json: memory must be an object, not a list.'])
    expect(mistakesOf([])).toEqual(['hermes.config.json must be an object, not a list.'])
  })

  it('is told about rules of approvals: groups, conditions, and who may', () => {
    const rules = (...list: readonly object[]) => mistakesOf({ approvals: { rules: list } })
    expect(rules({ tool: 'create_ticket', approvers: ['group:finance'] })).toEqual([
      'hermes.config.json: approvals.rules.0.approvers names a group that is not declared; declare it in approvals.groups.',
    ])
    expect(rules({ tool: 'pay', when: { amount: { above: 1 } } })).toEqual([
      'hermes.config.json: approvals.rules.0.when.amount.above is not a setting. Remove it.',
    ])
    expect(rules({ tool: 'pay', when: { amount: null } })).toEqual([
      'hermes.config.json: approvals.rules.0.when.amount must be a value, a list of values, or a bound such as { "over": 1000 }.',
    ])
    expect(rules({ tool: 'pay', notRequester: true })).toEqual([
      'hermes.config.json: approvals.rules.0.approvers must name somebody, since the requester may not decide.',
    ])
    expect(rules({ tool: 'pay', approvers: ['Bob'], alwaysAllow: true })).toEqual([
      'hermes.config.json: approvals.rules.0.alwaysAllow needs "requester" among the approvers.',
    ])
    expect(rules({ approvers: ['Bob'] })).toEqual([
      'hermes.config.json: approvals.rules.0.tool must be text, not missing.',
    ])
    expect(mistakesOf({ approvals: { groups: { a: ['group:b'] } } })).toEqual([
      'hermes.config.json: approvals.groups.a may hold people only: names, or ids such as "slack:T1:U2".',
    ])
  })

  it('names the nearest setting where a key is misspelt, and all where none is near', () => {
    expect(mistakesOf({ limits: { step: 1 } })).toEqual([
      'hermes.config.json: limits.step is not a setting. Did you mean steps?',
    ])
    expect(mistakesOf({ limits: { colour: 1 } })[0]).toMatch(/There are: steps, identicalCalls, /)
    expect(mistakesOf({ allow_bots: true })[0]).toContain('Did you mean allowBots?')
  })

  it('does not hide the others', () => {
    expect(mistakesOf({ limits: { steps: 'a', turnSeconds: 'b', colour: 1 }, x: 1 })).toHaveLength(4)
  })

  it('in its syntax is told by its place, without the text around it', () => {
    expect(mistakesOf('{\n  "limits": {,}\n}')).toEqual([
      'hermes.config.json is not valid JSON: look at line 2, column 14.',
    ])
    for (const text of ['{"key": "sk-secret"', '', '{"a": tru, "key": "sk-secret"}', 'sk-secret']) {
      const lines = mistakesOf(text)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/^hermes\.config\.json is not valid JSON: /)
      expect(lines[0]).not.toContain('secret')
    }
  })
})

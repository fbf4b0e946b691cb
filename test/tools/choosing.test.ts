import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Embedder } from '../../src/search/embedder.ts'
import { rememberRecent } from '../../src/search/recent.ts'
import { createWords } from '../../src/search/words.ts'
import { externalTool } from '../../src/tools/external.ts'
import { createChoosing } from '../../src/tools/selection/choosing.ts'
import { confidenceOf } from '../../src/tools/selection/confidence.ts'
import { isQuestion } from '../../src/tools/selection/fit.ts'
import { groundingOf } from '../../src/tools/selection/grounding.ts'
import { createMeanings } from '../../src/tools/selection/meanings.ts'
import { selectionRules } from '../../src/tools/selection/selection.ts'
import type { Tool } from '../../src/tools/tool.ts'

const tool = (
  name: string,
  description: string,
  properties: Readonly<Record<string, object>> = {},
  effect: 'read' | 'write' = 'read',
): Tool =>
  externalTool({
    name: `mcp__works__${name}`,
    title: name,
    server: 'works',
    description,
    effect,
    idempotent: true,
    timeoutMs: 1_000,
    longestMs: 2_000,
    readyMs: 0,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
    definitionHash: `${name} ${description}`,
    target: '',
    check: (args) => ({ args, problems: [] }),
    call: async () => ({ content: '' }),
  })

/** Tools that have nothing to do with what is asked here. */
const others = Array.from({ length: 20 }, (_, index) => tool(`gadget_${index}`, `Turns gadget ${index}.`))
const paint = tool('apply_varnish', 'Applies varnish to a boat.')

/** What an encoder says that knows two things: boats are painted, and each gadget is another one. */
function encoder(
  more: { readonly fails?: boolean; readonly toolsAfter?: Promise<void> } = {},
): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  const place = (text: string) => {
    const gadget = /gadget (\d+)/.exec(text)?.[1]
    return Array.from({ length: 32 }, (_, index) =>
      Number(gadget === undefined ? index === 31 : index === Number(gadget)),
    )
  }
  return {
    asked,
    name: 'stand-in',
    alike: 0.5,
    async embed(texts) {
      asked.push(...texts)
      if (more.fails) throw new Error('not there')
      if (texts.length > 1) await more.toolsAfter
      return texts.map(place)
    },
    stop: async () => {},
  }
}

function choosingWith(embedder: Embedder) {
  const meanings = createMeanings({ embedder: rememberRecent(embedder), clock: systemClock })
  const choosing = createChoosing({ words: createWords(), meanings })
  return { choosing, meanings }
}

const many = { ...selectionRules, vectorsFrom: 0 }
const offered = async (
  choosing: ReturnType<typeof choosingWith>['choosing'],
  tools: readonly Tool[],
  now: string,
  rules = many,
) => (await choosing.select(tools, { now }, rules)).tools.map(({ name }) => name)

describe('what is meant', () => {
  const tools = [...others, paint]

  it('is found where no word is shared, as soon as the tools have their vectors, each made once', async () => {
    const gate = Promise.withResolvers<void>()
    const embedder = encoder({ toolsAfter: gate.promise })
    const { choosing, meanings } = choosingWith(embedder)
    expect(await offered(choosing, tools, 'make my dinghy shine')).toEqual([])
    gate.resolve()
    await meanings.made()
    expect(await offered(choosing, tools, 'make my dinghy shine')).toEqual([paint.name])
    const [best] = await choosing.score(tools, { now: 'make my dinghy shine' }, many)
    expect(best).toMatchObject({ tool: paint, words: 0, meaning: 1, fit: 0.3 })
    await meanings.made()
    expect(embedder.asked.toSorted()).toEqual([...new Set(embedder.asked)].toSorted())
  })

  it('costs nothing where there are few tools and nobody else needs the vector', async () => {
    const embedder = encoder()
    const { choosing } = choosingWith(embedder)
    const rules = { ...selectionRules, vectorsFrom: 50 }
    choosing.prepare('make my dinghy shine', tools, rules)
    await offered(choosing, tools, 'make my dinghy shine', rules)
    expect(embedder.asked).toEqual([])
  })

  it('is left out where the encoder does not work, without asking it again at once', async () => {
    const embedder = encoder({ fails: true })
    const { choosing } = choosingWith(embedder)
    expect(await offered(choosing, tools, 'varnish the boat')).toEqual([paint.name])
    const asked = embedder.asked.length
    expect(await offered(choosing, tools, 'varnish my boat')).toEqual([paint.name])
    expect(embedder.asked.length).toBe(asked)
  })
})

describe('words', () => {
  const { choosing } = choosingWith(encoder())
  const rules = { ...selectionRules, vectors: 0 }

  it.each([['查一下库存还有多少'], ['how many lamps are in stock?']])(
    'of a tool that is described in Chinese are found by either language: %s',
    async (now) => {
      const stock = tool('q17', '查询商品在仓库里的库存数量。')
      const [best] = await choosing.score([...others, stock], { now }, rules)
      expect(best?.tool).toBe(stock)
    },
  )

  it('of what a tool is not for speak against it', async () => {
    const one = tool('read_scroll', 'Reads a scroll.')
    const other = tool('read_scrolls', 'Reads a scroll. Do not use it for lanterns.')
    const scores = await choosing.score(
      [...others, other, one],
      { now: 'read the scroll by lantern light' },
      rules,
    )
    expect(scores[0]?.tool).toBe(one)
  })

  it('of arguments and their choices count', async () => {
    const fruit = tool('pick', 'Picks one.', { kind: { type: 'string', enum: ['mango', 'papaya'] } })
    const [best] = await choosing.score([...others, fruit], { now: 'a papaya for me' }, rules)
    expect(best?.tool).toBe(fruit)
  })

  it.each([
    ['did anybody cancel the meeting?', true],
    ['can you cancel the meeting?', false],
    ['cancel the meeting', false],
    ['会议取消了吗', true],
    ['帮我把会议取消了吧', false],
  ])('tell a question from a wish: %s', (text, asked) => {
    expect(isQuestion(text)).toBe(asked)
  })
})

it('a default that is remembered makes a tool ready', async () => {
  const { choosing } = choosingWith(encoder())
  const build = tool('start_build', 'Starts a build of a project.', {
    project: { type: 'string', 'x-entity': 'project' },
  })
  const ready = async (remembered: readonly string[]) =>
    (await choosing.score([...others, build], { now: 'start a build', remembered }, selectionRules)).find(
      (one) => one.tool === build,
    )?.readiness
  expect(await ready([])).toBe(0)
  expect(await ready(['I like tea'])).toBe(0)
  expect(await ready(['My default project is Apollo'])).toBe(1)
  expect(await ready(['我默认的项目是阿波罗'])).toBe(1)
})

describe('whether a call is meant', () => {
  const pay = tool(
    'pay_invoice',
    'Pays an invoice.',
    {
      invoice: { type: 'string' },
      amount: { type: 'number' },
      note: { type: 'string' },
      due: { type: 'string' },
    },
    'write',
  )

  it.each([
    ['pay INV-88, 1,200 euros, by Friday', []],
    ['pay number 88, twelve hundred, tomorrow', []],
    ['付 INV-88，一千二，明天到期', []],
    ['pay it, 1,200 euros', ['invoice']],
    ['pay the invoice', ['invoice', 'amount', 'due']],
  ])('depends on values that somebody named: %s', (read, missing) => {
    const args = { invoice: 'INV-88', amount: 1_200, note: 'as agreed', due: '2026-12-04' }
    expect(groundingOf(pay, args, read).missing).toEqual(missing)
  })

  const plain = [
    { tool: paint, words: 0.9, meaning: undefined, fit: 0.9, readiness: 1, success: 1, score: 0.9 },
    { tool: pay, words: 0.1, meaning: undefined, fit: 0.1, readiness: 1, success: 1, score: 0.1 },
  ]
  const vague = plain.map((one) => ({ ...one, score: one.score / 2 }))
  const named = { share: 1, missing: [] }
  const invented = { share: 0, missing: ['invoice', 'amount'] }

  it.each([
    ['is offered', { best: [], grounding: named, success: 1 }, true, []],
    ['is not, and nothing else is asked plainly', { best: vague, grounding: named, success: 1 }, true, []],
    [
      'is not, and something else is asked',
      { best: plain, grounding: named, success: 1 },
      false,
      [/ask for something else/],
    ],
    ['is given what nobody named', { best: [], grounding: invented, success: 1 }, true, [/invoice, amount/]],
    ['mostly fails', { best: [], grounding: named, success: 0.2 }, true, [/only 20 %/]],
    ['is both', { best: [], grounding: invented, success: 0.2 }, false, [/invoice, amount/, /only 20 %/]],
  ])('where the tool %s', (_, facts, called, against) => {
    const confidence = confidenceOf(pay, facts, selectionRules)
    expect(confidence.sure >= selectionRules.call).toBe(called)
    expect(confidence.against).toHaveLength(against.length)
    for (const [index, sentence] of against.entries()) expect(confidence.against[index]).toMatch(sentence)
  })
})

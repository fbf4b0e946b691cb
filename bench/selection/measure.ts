// How well what is offered fits what people ask for, with a hundred tools: `npm run bench`, or this file by itself.
import process from 'node:process'
import { systemClock } from '../../src/base/clock.ts'
import { createTokens } from '../../src/model/tokens.ts'
import { createLocalEmbedder } from '../../src/search/local-embedder.ts'
import { rememberRecent } from '../../src/search/recent.ts'
import { createWords } from '../../src/search/words.ts'
import { findingTools } from '../../src/tools/builtin/finding.ts'
import { memoryTools } from '../../src/tools/builtin/memory.ts'
import { messageTools } from '../../src/tools/builtin/messages.ts'
import { planTools } from '../../src/tools/builtin/plan.ts'
import { proposalTools } from '../../src/tools/builtin/proposals.ts'
import { reminderTools } from '../../src/tools/builtin/reminders.ts'
import { resultTools } from '../../src/tools/builtin/results.ts'
import { ticketTools } from '../../src/tools/builtin/tickets.ts'
import { type Choosing, createChoosing } from '../../src/tools/selection/choosing.ts'
import { createMeanings } from '../../src/tools/selection/meanings.ts'
import { type SelectionRules, selectionRules } from '../../src/tools/selection/selection.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { externalCatalogue } from './catalogue.ts'
import { unseenReported, untouched } from './held-back.ts'
import { heldBack, requests } from './requests.ts'

/** What came of offering tools for all requests. */
export interface SelectionFigures {
  readonly tools: number
  readonly requests: number
  /** Of the tools that a request takes, how many are offered. */
  readonly recall: number
  /** Of the tools offered that were chosen for the request, how many it takes. */
  readonly precision: number
  /** Of the requests that take a tool, those for which the best one is among what they take. */
  readonly first: number
  /** Tools offered for a request, in the mean. */
  readonly offered: number
  /** Tokens of the offered definitions, and of all, in the mean. */
  readonly tokens: number
  readonly tokensOfAll: number
  /** ms for one choice, in the mean. */
  readonly ms: number
  /** Requests with a tool that was not offered. */
  readonly missed: readonly string[]
}

const always = new Set(['find_tools'])

/** The hundred tools that are chosen from, by their names without a server. None of them runs. */
export function measuredTools(): ReadonlyMap<string, Tool> {
  const nothing = undefined as never
  const builtin: readonly Tool[] = [
    ...ticketTools({ book: nothing, address: () => undefined }),
    ...memoryTools(nothing),
    ...reminderTools({ db: nothing, ids: nothing }),
    ...messageTools(nothing),
    ...resultTools({ db: nothing, pageTokens: 1_000 }),
    ...proposalTools(nothing),
    ...planTools(nothing),
    ...findingTools(
      () => [],
      async () => [],
    ),
  ]
  return new Map([...builtin, ...externalCatalogue()].slice(0, 100).map((tool) => [plain(tool), tool]))
}

const plain = (tool: Tool) => tool.name.replace(/^mcp__\w+?__/, '')

/** Chooses as a Hermes does in which nobody has set anything, all vectors of tools made before the first request. */
export async function measuredChoosing(): Promise<Choosing> {
  const embedder = rememberRecent(createLocalEmbedder())
  const meanings = createMeanings({ embedder, clock: systemClock })
  const tools = [...measuredTools().values()]
  await embedder.embed(['warm up'])
  await meanings.fits('warm up', tools, { make: true, limitMs: 30_000 })
  await meanings.made()
  return createChoosing({ words: createWords(), meanings })
}

/** What is offered of them for what people ask. */
export async function measureSelection(
  choosing: Choosing,
  asked: typeof requests = requests,
  rules: SelectionRules = selectionRules,
): Promise<SelectionFigures> {
  const tools = [...measuredTools().values()]
  const tokens = createTokens()
  await tokens.load()
  const offers = (some: readonly Tool[]) =>
    tokens.countTools(some.map(({ name, description, parameters }) => ({ name, description, parameters })))

  let [wantedCount, found, chosenCount, right, first, offered, offeredTokens] = [0, 0, 0, 0, 0, 0, 0]
  let ms = 0
  const missed: string[] = []
  for (const [now, ...wanted] of asked) {
    // The vector of the request, which recall needs anyway, is made aside from the measure of the choice.
    choosing.prepare(now, tools, rules)
    await choosing.score(tools, { now }, rules)
    const began = performance.now()
    const { tools: chosen, scored } = await choosing.select(tools, { now }, rules)
    ms += performance.now() - began
    const names = chosen.map(plain)
    const lacking = wanted.filter((name) => !names.includes(name))
    if (lacking.length > 0) missed.push(`${now} → ${lacking.join(', ')}`)
    wantedCount += wanted.length
    found += wanted.length - lacking.length
    const forIt = names.filter((name) => !always.has(name) || wanted.includes(name))
    chosenCount += forIt.length
    right += forIt.filter((name) => wanted.includes(name)).length
    offered += chosen.length
    offeredTokens += offers(chosen)
    const best = scored[0]
    if (best && best.score > 0 && wanted.includes(plain(best.tool))) first += 1
  }
  const count = asked.length
  return {
    tools: tools.length,
    requests: count,
    recall: found / wantedCount,
    precision: right / chosenCount,
    first: first / asked.filter(([, ...wanted]) => wanted.length > 0).length,
    offered: offered / count,
    tokens: offeredTokens / count,
    tokensOfAll: offers(tools),
    ms: ms / count,
    missed,
  }
}

/** Without what was missed, so that nothing is fitted to it. */
export type UnseenFigures = Omit<SelectionFigures, 'missed'>

/** For the requests of somebody who had not seen the rules: the reported half, and what of it nobody has read. */
export async function measureUnseen(
  choosing: Choosing,
): Promise<{ readonly reported: UnseenFigures; readonly untouched: UnseenFigures }> {
  const { missed: _, ...reported } = await measureSelection(choosing, unseenReported)
  const { missed: __, ...rest } = await measureSelection(choosing, untouched)
  return { reported, untouched: rest }
}

if (import.meta.main) {
  const choosing = await measuredChoosing()
  const figures = {
    requests: await measureSelection(choosing),
    heldBack: await measureSelection(choosing, heldBack),
    unseen: await measureUnseen(choosing),
  }
  console.log(JSON.stringify(figures, null, 1))
  process.exit(0)
}

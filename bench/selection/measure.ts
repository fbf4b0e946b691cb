// How well what is offered fits what people ask for, with a hundred tools: `npm run bench`, or this file by itself.
import { createTokens } from '../../src/model/tokens.ts'
import { findingTools } from '../../src/tools/builtin/finding.ts'
import { memoryTools } from '../../src/tools/builtin/memory.ts'
import { messageTools } from '../../src/tools/builtin/messages.ts'
import { planTools } from '../../src/tools/builtin/plan.ts'
import { proposalTools } from '../../src/tools/builtin/proposals.ts'
import { reminderTools } from '../../src/tools/builtin/reminders.ts'
import { resultTools } from '../../src/tools/builtin/results.ts'
import { ticketTools } from '../../src/tools/builtin/tickets.ts'
import type { Tool } from '../../src/tools/definition.ts'
import { scoreTools, selectTools } from '../../src/tools/selection/selection.ts'
import { externalCatalogue } from './catalogue.ts'
import { unseenReported } from './held-back.ts'
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

const always = new Set(['find_tools', 'withdraw'])

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
    ...findingTools(() => []),
  ]
  return new Map([...builtin, ...externalCatalogue()].slice(0, 100).map((tool) => [plain(tool), tool]))
}

const plain = (tool: Tool) => tool.name.replace(/^mcp__\w+?__/, '')

/** What is offered of them for what people ask. */
export async function measureSelection(asked: typeof requests = requests): Promise<SelectionFigures> {
  const tools = [...measuredTools().values()]
  const tokens = createTokens()
  await tokens.load()
  const offers = (some: readonly Tool[]) =>
    tokens.countTools(some.map(({ name, description, parameters }) => ({ name, description, parameters })))

  let [wantedCount, found, chosenCount, right, first, offered, offeredTokens] = [0, 0, 0, 0, 0, 0, 0]
  const missed: string[] = []
  // Words of the tools are read once, as in a process that runs.
  selectTools(tools, { query: 'warm up', used: new Set() })
  const began = performance.now()
  for (const [query] of asked) selectTools(tools, { query, used: new Set() })
  const ms = (performance.now() - began) / asked.length
  for (const [query, ...wanted] of asked) {
    const { tools: chosen } = selectTools(tools, { query, used: new Set() })
    const names = chosen.map(plain)
    const lacking = wanted.filter((name) => !names.includes(name))
    if (lacking.length > 0) missed.push(`${query} → ${lacking.join(', ')}`)
    wantedCount += wanted.length
    found += wanted.length - lacking.length
    const forIt = names.filter((name) => !always.has(name))
    chosenCount += forIt.length
    right += forIt.filter((name) => wanted.includes(name)).length
    offered += chosen.length
    offeredTokens += offers(chosen)
    if (wanted.includes(plain(scoreTools(tools, { query, used: new Set() })[0]!.tool))) first += 1
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
    ms,
    missed,
  }
}

/** For the requests of somebody who had not seen the rules; what was missed is left out, so that nothing is fitted to it. */
export async function measureUnseen(): Promise<Omit<SelectionFigures, 'missed'>> {
  const { missed: _, ...figures } = await measureSelection(unseenReported)
  return figures
}

if (import.meta.main)
  console.log(
    JSON.stringify(
      [await measureSelection(), await measureSelection(heldBack), await measureUnseen()],
      null,
      1,
    ),
  )

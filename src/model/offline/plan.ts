import type { Conversation, PastCall } from './conversation.ts'
import type { Notes } from './notes.ts'
import { type Words, wordsOf } from './words.ts'

/** A call that is to be made. */
export interface NewCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** How far one part of a request is. */
export type Progress =
  /** Something has to be looked up first. */
  | { readonly kind: 'look'; readonly calls: readonly NewCall[] }
  /** Something is to be done; `confirm` where a person has to agree. */
  | { readonly kind: 'act'; readonly calls: readonly NewCall[]; readonly confirm: boolean }
  | { readonly kind: 'ask'; readonly question: string }
  /** `acted`: the sentence tells what came of a call. */
  | { readonly kind: 'done'; readonly say: string; readonly acted: boolean }

/** One part of a request. It keeps nothing: how far it is stands in the conversation. */
export interface Task {
  advance(scene: Scene): Progress
  /** Takes the answer to the question that it asked. */
  readonly fill?: (answer: string) => Task
}

/** What the parts of a request work with, and tell each other. */
export interface Scene {
  readonly conversation: Conversation
  readonly words: Words
  /** The name under which a tool is offered. One that is not is looked for once, where tools can be found. */
  tool(name: string): string | undefined
  /** What has to be called to find tools that were wanted and are not offered. */
  readonly finding: readonly NewCall[]
  /** A call of this request that looked something up, by its tool and arguments. */
  looked(tool: string, matches: (args: Readonly<Record<string, unknown>>) => boolean): PastCall | undefined
  /** The next call of this tool that this request made, in order: a person may have changed its arguments. */
  acted(tool: string): PastCall | undefined
  /** What documents said that this request read. */
  readonly findings: { notes: readonly Notes[]; searched: boolean }
}

/** What the model says and calls next. */
export interface Move {
  readonly text: string
  readonly calls: readonly NewCall[]
}

/** Starts on a request. */
export function openScene(conversation: Conversation): Scene {
  const claimed = new Set<PastCall>()
  const finding: NewCall[] = []
  const looked: Scene['looked'] = (tool, matches) =>
    conversation.current.calls.find((call) => call.tool === tool && matches(call.arguments))
  return {
    conversation,
    words: wordsOf(conversation.language),
    looked,
    finding,
    tool(name) {
      const offered = conversation.offered(name)
      if (offered !== undefined) return offered
      // What this request has called already is known, even if other tools have taken its place since.
      const known = conversation.current.calls.find(({ tool }) => tool === name || tool.endsWith(`__${name}`))
      if (known) return known.tool
      const finder = conversation.offered('find_tools')
      const query = name.replaceAll('_', ' ')
      if (
        finder &&
        !looked(finder, (args) => args.query === query) &&
        !finding.some((call) => call.arguments.query === query)
      )
        finding.push({ tool: finder, arguments: { query } })
      return undefined
    },
    acted(tool) {
      const next = conversation.current.calls.find((call) => call.tool === tool && !claimed.has(call))
      if (next) claimed.add(next)
      return next
    },
    findings: { notes: [], searched: false },
  }
}

/**
 * The next move for a request: what its first open parts need. Look-ups wait for what is to be done before them, and
 * the other way round; everything else goes into one step.
 */
export function moveOn(tasks: readonly Task[], scene: Scene): Move {
  const steps = tasks.map((task) => task.advance(scene))
  if (scene.finding.length > 0) return { text: '', calls: scene.finding }

  const open = steps.filter((step) => step.kind === 'look' || step.kind === 'act')
  const change = open.findIndex((step) => step.kind !== open[0]?.kind)
  const now = change < 0 ? open : open.slice(0, change)
  const calls = now.flatMap((step) => step.calls)
  if (now[0]?.kind === 'look') return { text: '', calls }

  // What was said beside the proposals is not said again after them.
  const spoken = scene.conversation.current.texts.length > 0
  const said = (acted: boolean) =>
    steps.flatMap((step) =>
      step.kind === 'done' && ((acted && step.acted) || (!spoken && !step.acted)) ? [step.say] : [],
    )
  if (now.length > 0) {
    // A withdrawal beside a new proposal needs no confirmation itself.
    const confirming = now
      .flatMap((step) => (step.kind === 'act' && step.confirm ? step.calls : []))
      .filter(({ tool }) => tool !== 'withdraw').length
    return {
      text: confirming > 0 ? paragraphs([...said(false), scene.words.confirm(confirming)]) : '',
      calls,
    }
  }
  const questions = steps.flatMap((step) => (step.kind === 'ask' ? [step.question] : []))
  return { text: paragraphs([...said(true), ...questions]), calls: [] }
}

/** A sentence about a call that is not done, or the one given for a call that is. */
export function report(
  call: PastCall,
  name: string,
  words: Words,
  done: (call: PastCall) => string,
): Progress {
  const { outcome } = call
  switch (outcome.kind) {
    case 'done':
      return { kind: 'done', say: done(call), acted: true }
    case 'failed':
    case 'refused':
    case 'unknown':
      return { kind: 'done', say: words.outcome[outcome.kind](name, outcome.text), acted: true }
    default:
      return { kind: 'done', say: words.outcome[outcome.kind](name), acted: true }
  }
}

/**
 * Asks for what is missing: the call is made all the same, with what is known, so that its card asks, too.
 * @param call the one that was made for it, where it was
 */
export function askFor(call: PastCall | undefined, made: NewCall, question: string): Progress {
  return call ? { kind: 'ask', question } : { kind: 'act', confirm: false, calls: [made] }
}

/** Was a call refused for what a person can tell? */
export function isLeftOpen(call: PastCall): boolean {
  return call.outcome.kind === 'refused' && /^(?:Missing|Not valid): /.test(call.outcome.text)
}

/** Whom or what a name may mean, where a call was refused since several have it. */
export function severalIn(call: PastCall): readonly string[] {
  if (call.outcome.kind !== 'refused') return []
  const found = /(?:may be any of: |可能是：)(.+?)(?:\. Ask which one|。请询问)/.exec(call.outcome.text)
  return found ? found[1]!.replace(/ \([^)]*\)/g, '').split(/, |、/) : []
}

/** A part that only says something. */
export function saying(say: (scene: Scene) => string): Task {
  return { advance: (scene) => ({ kind: 'done', say: say(scene), acted: false }) }
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

import { languageOf } from '../../base/words.ts'
import { type Clause, readClauses, wholeClause } from './clauses.ts'
import type { Conversation } from './conversation.ts'
import { readDocumentRequest, readQuestion } from './documents.ts'
import { readMemoryRequest } from './memories.ts'
import { readMessageRequest } from './messages.ts'
import { isLeftOpen, type Move, moveOn, openScene, type Scene, saying, type Task } from './plan.ts'
import { readProposalRequest } from './proposals.ts'
import { readReminderRequest } from './reminders.ts'
import { readProblem, readTalk } from './talk.ts'
import { readTicketRequest } from './tickets.ts'
import { readUndoRequest } from './undo.ts'

type Reader = (clause: Clause, conversation: Conversation) => readonly Task[] | Task | undefined

// The first that understands a clause takes it: what is narrow comes before what is wide.
const readers: readonly Reader[] = [
  readProposalRequest,
  readUndoRequest,
  readTalk,
  readReminderRequest,
  readMemoryRequest,
  readMessageRequest,
  readTicketRequest,
  readDocumentRequest,
]
const lastReaders: readonly Reader[] = [readQuestion, readProblem]

/** Decides what to say and call next, from what the conversation holds alone. */
export function decide(conversation: Conversation): Move {
  const scene = openScene(conversation)
  const { tell, offer } = conversation.workflow
  // The step was taken by Hermes; all that is left is to say so.
  if (tell !== undefined) return { text: tell, calls: [] }
  if (offer !== undefined) return offered(answerTo(conversation, scene), offer, scene)
  return answerTo(conversation, scene)
}

/** A workflow is offered again below the answer; what is not understood is taken as meant for it. */
function offered(move: Move, offer: string, { words }: Scene): Move {
  if (move.calls.length > 0) return move
  const answer = move.text === words.notUnderstood ? '' : move.text
  return { ...move, text: [answer, offer].filter((text) => text !== '').join('\n\n') }
}

function answerTo(conversation: Conversation, scene: Scene): Move {
  if (conversation.news.length > 0)
    return { text: conversation.news.map((news) => news.split('\n')[0]).join('\n'), calls: [] }
  const move = moveOn(readRequest(conversation), scene)
  return conversation.cut && move.text !== '' ? { ...move, text: `${scene.words.cut}\n\n${move.text}` } : move
}

function readRequest(conversation: Conversation): readonly Task[] {
  const { asks } = conversation.current
  const answered = answerToQuestion(conversation)
  if (answered) return answered

  // Messages in a row are one request, unless each is understood by itself.
  const single = asks.map((ask) => understood(ask, conversation))
  if (single.every((tasks) => tasks.length > 0)) return single.flat()
  const joined = understood(asks.join(', '), conversation)
  if (joined.length > 0) return joined
  const known = single.flat()
  if (known.length > 0) return known
  const last = wholeClause(asks.at(-1) ?? '')
  const guess = firstOf(lastReaders, last, conversation)
  return guess.length > 0 ? guess : [saying(({ words }) => words.notUnderstood)]
}

/** The parts of a message, where every one of them is understood. */
function understood(message: string, conversation: Conversation): readonly Task[] {
  const language = languageOf(message)
  const clauses = readClauses(message, language)
  const tasks = clauses.map((clause) =>
    firstOf([...readers, ...(clauses.length > 1 ? lastReaders : [])], clause, conversation),
  )
  if (tasks.length > 0 && tasks.every((one) => one.length > 0)) return tasks.flat()
  const whole = firstOf(readers, wholeClause(message), conversation)
  return whole.length > 0 ? whole : tasks.flat()
}

function firstOf(all: readonly Reader[], clause: Clause, conversation: Conversation): readonly Task[] {
  for (const reader of all) {
    const read = reader(clause, conversation)
    if (read !== undefined) return 'advance' in read ? [read] : read
  }
  return []
}

/** A message that answers the question which the stand-in asked last. */
function answerToQuestion(conversation: Conversation): readonly Task[] | undefined {
  const before = conversation.earlier.at(-1)
  const question = before?.texts.at(-1)
  if (!before || question === undefined) return undefined
  const answer = conversation.current.asks.join('\n')
  const language = languageOf(before.asks.join('\n'))
  const past: Conversation = {
    ...conversation,
    language,
    current: before,
    // Tools are offered by what is said now, and this was said before.
    offered: (tool) => conversation.offered(tool) ?? tool,
    earlier: conversation.earlier.slice(0, -1),
  }
  const scene = openScene(past)
  for (const task of readRequest(past)) {
    const asked = asks(task, scene)
    if (asked === undefined || !task.fill || !question.endsWith(asked)) continue
    // What was sent with the question's card has been called already.
    const [called] = conversation.current.calls
    if (called && before.calls.some((open) => open.tool === called.tool && isLeftOpen(open)))
      return [task.fill(answer)]
    // A new request is no answer.
    return understood(answer, conversation).length > 0 ? undefined : [task.fill(answer)]
  }
  return undefined
}

function asks(task: Task, scene: Scene): string | undefined {
  const step = task.advance(scene)
  return step.kind === 'ask' ? step.question : undefined
}

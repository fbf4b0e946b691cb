import { HermesError, messageOf } from '../../base/errors.ts'
import { type Language, languageOf } from '../../base/words.ts'
import type { ThreadRef } from '../../channel/events.ts'
import { ChannelError } from '../../channel/failure.ts'
import { commitStep } from '../../session/commit.ts'
import { givesBack } from '../../session/desk-words.ts'
import type { PendingEvent } from '../../session/inbox.ts'
import type { Lease } from '../../session/lease.ts'
import type { NewMessage } from '../../session/step.ts'
import type { SessionHandOver, Snapshot } from '../../session/transcript.ts'
import type { AgentParts } from '../parts.ts'
import { noteOf } from '../sending/own-messages.ts'
import { keepSaying, postSaying } from '../sending/saying.ts'
import { caseThread, deskCard } from './card.ts'
import type { DeskCase } from './desk.ts'
import { filesOf, keepForWeb } from './files.ts'
import { deskWords } from './words.ts'

/** The most messages of the thread that the desk is shown, and characters of each. */
const excerptMessages = 12
const excerptCharacters = 1_200

/** Shows what became of a case: its card at the desk, and a sentence in the person's thread. */
export async function showDeskChange(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
): Promise<void> {
  const one = await parts.desk.find(event.payload.handOverId ?? '')
  if (!one) {
    await commitStep(parts.db, lease, { dropped: [event.id] })
    return
  }
  const words = deskWords(one.language)
  switch (event.payload.desk) {
    case 'begun':
      if (one.status !== 'released' && !(await openCase(parts, lease, snapshot, one))) {
        await parts.desk.release(one.id, null, `desk-unreachable:${one.id}`)
        await tell(parts, lease, snapshot, event, words.unreachable)
      }
      break
    case 'claimed':
      await drawCase(parts, lease, one)
      await tell(parts, lease, snapshot, event, words.tookOver(one.claimedBy ?? ''))
      break
    case 'released':
      await drawCase(parts, lease, one)
      if (one.releasedBy !== undefined) {
        const byPerson = one.releasedBy === one.person
        const sentence = byPerson ? words.isBackByYou : words.isBack(one.releasedBy)
        await tell(parts, lease, snapshot, event, sentence, [noteOf(parts, { turnId: null }, backNote(one))])
      } else if (one.room) {
        const minutes = Math.round(parts.settings.handOver.waitMs / 60_000)
        await tell(parts, lease, snapshot, event, words.nobodyCame(minutes))
      }
      break
    default:
      break
  }
  await commitStep(parts.db, lease, { taken: { turnId: null, events: [event.id] } })
}

function backNote(one: DeskCase): string {
  const who = one.claimedBy ? `${one.claimedBy} of the desk` : 'The desk'
  return `${who} had taken over this conversation: the notes above that begin with a name are what was said to the person. You answer again from here on; what is settled there stays settled.`
}

/** Posts the card with its thread, and what was said before. False where the desk can't be reached. */
async function openCase(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  one: DeskCase,
): Promise<boolean> {
  try {
    const room = one.room ?? (await parts.deskRoom())
    if (!room) return false
    const sent = await parts.deliveries.card(lease, null, { thread: room }, cardOf(parts, one))
    if (sent.kind === 'failed') return false
    const thread = caseThread(room, sent.messageId)
    const deskSession = await parts.desk.opened(one.id, room, thread)
    const opened = (await parts.desk.find(one.id)) ?? one
    if (room.channel === 'web') {
      // The web chat shows rows: the card stands in the room, and again in the case's own thread.
      for (const [id, at] of [
        [`msg_${one.id}`, room],
        [`msg_${one.id}_case`, thread],
      ] as const)
        await parts.keep({ id, thread: at, kind: 'shared', personId: null, text: '' })
    }
    const words = deskWords(parts.settings.language)
    await pass(parts, lease, {
      id: `${one.id}_before`,
      from: snapshot.id,
      to: { id: deskSession, thread },
      personId: null,
      text: `${words.transcript(one.person)}\n\n${excerpt(snapshot)}`,
    })
    if (opened.room?.channel === 'web') await drawCase(parts, lease, opened)
    return true
  } catch (error) {
    lease.signal.throwIfAborted()
    if (!(error instanceof ChannelError || (error instanceof HermesError && error.code === 'channel.off')))
      throw error
    parts.log.error({ case: one.id, error: messageOf(error) }, 'The desk could not be reached')
    return false
  }
}

/** The last things said, as people would quote them. */
function excerpt(snapshot: Snapshot): string {
  return snapshot.messages
    .filter((message) => message.role !== 'note' && !message.removed && message.text.trim() !== '')
    .slice(-excerptMessages)
    .map((message) => {
      const author = message.role === 'user' ? (message.author ?? '?') : 'Hermes'
      const text = [...message.text].slice(0, excerptCharacters).join('')
      return `**${author}:** ${text}`
    })
    .join('\n\n')
}

function cardOf(parts: AgentParts, one: DeskCase) {
  const { language, timeZone } = parts.settings
  return deskCard(one, { now: parts.clock.now(), timeZone, language })
}

async function drawCase(parts: AgentParts, lease: Lease, one: DeskCase): Promise<void> {
  if (one.room) await parts.deliveries.card(lease, null, { thread: one.room }, cardOf(parts, one))
  if (one.deskSessionId) parts.notices.changed(one.deskSessionId)
}

/** Says something in the session's own thread, once for the event that it is about. */
async function tell(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  text: string,
  notes: readonly NewMessage[] = [],
): Promise<void> {
  await keepSaying(parts, lease, snapshot, event.id, text, { messages: notes })
  await postSaying(parts, lease, snapshot, event.id, text)
}

/** What waits in a thread that is with the desk, or is a case's own: passed to the other side, and never answered. */
export async function passOn(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  handOver: SessionHandOver,
): Promise<void> {
  const { claimedBy } = handOver
  let { status } = handOver
  const waited = parts.clock.now().getTime() - handOver.since.getTime()
  if (handOver.side === 'person' && status === 'open' && waited > parts.settings.handOver.waitMs) {
    // Nobody came. What was said now is answered by a turn, after the word that Hermes is back.
    await parts.desk.release(handOver.id, null, `desk-waited:${handOver.id}`)
    return
  }
  for (const event of snapshot.pending) {
    lease.signal.throwIfAborted()
    const said = event.kind === 'message' || event.kind === 'edit' ? (event.payload.text ?? '') : undefined
    if (said === undefined || event.personId === null) {
      await commitStep(parts.db, lease, { dropped: [event.id] })
      continue
    }
    const person = event.personId
    const mayRelease = handOver.side === 'person' || status !== 'released'
    if (event.kind === 'message' && givesBack(said) && mayRelease) {
      await parts.desk.release(handOver.id, person, `desk-release:${event.id}`)
      status = 'released'
    } else if (handOver.side === 'person' && status !== 'released') {
      if (handOver.deskSessionId) await passTo(parts, lease, snapshot, event, handOver.deskSessionId)
    } else if (handOver.side === 'desk') {
      if (status === 'claimed' && claimedBy === person)
        await passTo(parts, lease, snapshot, event, handOver.sessionId)
      else if (status !== 'claimed') {
        const words = deskWords(parts.settings.language)
        await hint(
          parts,
          lease,
          snapshot,
          event,
          status,
          status === 'open' ? words.claimFirst : words.isClosed,
        )
      }
    } else return
    await commitStep(parts.db, lease, {
      messages: event.kind === 'message' ? [asSaid(parts, event, person)] : [],
      taken: { turnId: null, events: [event.id] },
    })
    parts.notices.changed(snapshot.id)
  }
}

function asSaid(parts: AgentParts, event: PendingEvent, personId: string): NewMessage {
  return {
    ...noteOf(parts, { turnId: null }, event.payload.text ?? ''),
    role: 'user',
    personId,
    eventId: event.id,
    postId: event.postId,
    attachments: event.payload.attachments ?? [],
  }
}

/** Passes one message to the thread of another session, with its author's name. */
async function passTo(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  to: string,
): Promise<void> {
  const row = await parts.db.session.findUniqueOrThrow({ where: { id: to } })
  const { channel, workspace, room, thread } = row
  const said = event.payload.text ?? ''
  const words = deskWords(wordsFor(said, parts.settings.language))
  const files = (event.payload.attachments ?? []).map((file) => `[${file.name}]`).join(' ')
  const changed = event.kind === 'edit' ? ` (${words.edited})` : ''
  const text = `**${event.author ?? '?'}${changed}:** ${[said, files].filter((part) => part !== '').join('\n')}`
  let passed = await pass(parts, lease, {
    id: event.id,
    from: snapshot.id,
    to: { id: to, thread: { channel, workspace, room, thread } },
    personId: event.personId,
    text,
  })
  const readable = filesOf(event)
  if (channel === 'web') {
    await keepForWeb(parts.db, `msg_${event.id}`, to, readable)
    if (readable.length > 0) parts.notices.changed(to)
  } else if (passed) {
    for (const [index, file] of readable.entries()) {
      const target = { thread: { channel, workspace, room, thread } }
      const parcel = { sessionId: snapshot.id, turnId: null, purpose: 'message', target } as const
      const sent = await parts.deliveries.once(
        { ...parcel, key: `desk-file:${event.id}:${index}` },
        file,
        lease.signal,
      )
      if (sent.kind === 'failed') passed = false
    }
  }
  if (!passed) await hint(parts, lease, snapshot, event, event.id, words.notPassedOn)
}

async function pass(
  parts: AgentParts,
  lease: Lease,
  parcel: {
    readonly id: string
    readonly from: string
    readonly to: { readonly id: string; readonly thread: ThreadRef }
    readonly personId: string | null
    readonly text: string
  },
): Promise<boolean> {
  const { id, from, to, personId, text } = parcel
  await parts.keep({ id: `msg_${id}`, thread: to.thread, kind: 'shared', personId, text })
  const key = `desk:${id}`
  const target = { thread: to.thread }
  const sent = await parts.deliveries.once(
    { key, sessionId: from, turnId: null, purpose: 'message', target },
    text,
    lease.signal,
  )
  parts.notices.changed(to.id)
  return sent.kind === 'sent'
}

/** A sentence in the thread where something was said, once for each subject. */
async function hint(
  parts: AgentParts,
  lease: Lease,
  snapshot: Snapshot,
  event: PendingEvent,
  subject: string,
  text: string,
): Promise<void> {
  const id = `desk-hint:${snapshot.id}:${subject === 'open' ? subject : event.id}`
  await pass(parts, lease, { id, from: snapshot.id, to: snapshot, personId: null, text })
}

function wordsFor(text: string, otherwise: Language): Language {
  return /\p{L}/u.test(text) ? languageOf(text) : otherwise
}

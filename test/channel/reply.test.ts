import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { ChannelError } from '../../src/channel/failure.ts'
import { openReply, type ReplyOptions } from '../../src/channel/reply.ts'
import { attachmentPart } from '../../src/channel/reply-journal.ts'
import { silentLog } from '../../src/observe/log.ts'
import { RecordingJournal, RecordingSurface } from '../support/recording-surface.ts'

const attachedSentence = 'All of it is attached.'

function begin(
  options: Partial<ReplyOptions> & { characters?: number; interval?: number; on?: RecordingSurface } = {},
) {
  const surface = options.on ?? new RecordingSurface(options)
  const journal = new RecordingJournal()
  const stop = new AbortController()
  const reply = openReply({
    surface,
    journal,
    clock: systemClock,
    log: silentLog,
    signal: stop.signal,
    attachedSentence,
    backoff: 5,
    ...options,
  })
  onTestFinished(() => reply.abandon())
  return { reply, surface, journal, stop }
}

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index}. ${'word '.repeat(30).trim()}`)

describe('a reply', () => {
  it('shows the first text at once and the latest text soon after, in one message', async () => {
    const { reply, surface } = begin({ interval: 250 })
    reply.write('He')
    await vi.waitFor(() => expect(surface.texts()).toEqual(['He']))
    expect(performance.now() - surface.calls[0]!.at).toBeLessThan(250)
    for (const text of ['Hel', 'Hell', 'Hello', 'Hello you']) reply.write(text)
    await vi.waitFor(() => expect(surface.texts()).toEqual(['Hello you']))
    expect(surface.count('create')).toBe(1)
    expect(surface.count('edit')).toBe(1)
  })

  it('never edits a message faster than the platform allows', async () => {
    const { reply, surface } = begin({ interval: 30 })
    let text = ''
    const ticking = setInterval(() => {
      text += 'x'
      reply.write(text)
    }, 2)
    onTestFinished(() => clearInterval(ticking))
    await vi.waitFor(() => expect(surface.count('edit')).toBeGreaterThan(4), { timeout: 3000 })
    const times = surface.calls.map((call) => call.at)
    const gaps = times.slice(1).map((at, index) => at - times[index]!)
    // Timers of Node may fire a millisecond early.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(28)
  })

  it('puts the final text with its actions in the place of the draft', async () => {
    const { reply, surface, journal } = begin()
    reply.write('Let me see')
    await vi.waitFor(() => expect(surface.texts()).toEqual(['Let me see']))
    const actions = [{ label: 'Why', action: 'answer.why' }]
    const { messageIds } = await reply.finish('It is done.', { actions })
    expect([...surface.visible]).toEqual([['m1', { text: 'It is done.', final: true, actions }]])
    expect(messageIds).toEqual(['m1'])
    expect(journal.steps).toEqual(['reserve 0', 'posted 0'])
    expect(surface.calls.at(-1)!.kind).toBe('close')
  })

  it('marks a text final that stands already, so that the platform can end its stream', async () => {
    const { reply, surface } = begin()
    reply.write('The same')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    await reply.finish('The same')
    expect([...surface.visible.values()]).toEqual([{ text: 'The same', final: true }])
  })

  it('sends a final text that had no draft', async () => {
    const { reply, surface } = begin()
    await reply.finish('Short and done.')
    expect(surface.texts()).toEqual(['Short and done.'])
    expect(surface.count('edit')).toBe(0)
  })

  it('takes the draft away where the final text is blank', async () => {
    const { reply, surface, journal } = begin()
    reply.write('Hm')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    expect(await reply.finish('  ')).toEqual({ messageIds: [] })
    expect(surface.texts()).toEqual([])
    expect(journal.rows.size).toBe(0)
  })

  it('goes on in further messages as the text grows and leaves the earlier ones alone', async () => {
    const { reply, surface } = begin({ interval: 1, maxParts: 9 })
    const all = paragraphs(5)
    for (let count = 1; count <= all.length; count += 1) {
      const text = all.slice(0, count).join('\n\n')
      reply.write(text)
      await vi.waitFor(() => expect(surface.texts().at(-1)).toContain(all[count - 1]), { timeout: 2000 })
    }
    await reply.finish(all.join('\n\n'), { actions: [{ label: 'Why', action: 'answer.why' }] })
    expect(surface.texts().join('\n\n')).toBe(all.join('\n\n'))
    const parts = [...surface.visible.values()]
    expect(parts.map((part) => 'actions' in part && part.actions !== undefined)).toEqual(
      parts.map((_, index) => index === parts.length - 1),
    )
    // Grown, closed as final when the next began, and never touched again.
    const first = surface.calls.filter((call) => call.messageId === 'm1' && call.part?.final)
    expect(first).toHaveLength(1)
  })

  it('removes the messages that the final text does not need', async () => {
    const { reply, surface, journal } = begin()
    reply.write(paragraphs(3).join('\n\n'))
    await vi.waitFor(() => expect(surface.visible.size).toBeGreaterThan(1))
    const { messageIds } = await reply.finish('Shorter after all.')
    expect(surface.texts()).toEqual(['Shorter after all.'])
    expect(messageIds).toEqual(['m1'])
    expect([...journal.rows.keys()]).toEqual([0])
  })

  it('replaces a half answer after an interruption, without a new message', async () => {
    const { reply, surface } = begin({ interval: 300 })
    reply.write('The first half')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    reply.write('The first half of it')
    reply.restart()
    reply.write('Another answer')
    await vi.waitFor(() => expect(surface.texts()).toEqual(['Another answer']))
    await reply.finish('Another answer.')
    expect(surface.texts()).toEqual(['Another answer.'])
    expect(surface.count('create')).toBe(1)
    expect(surface.calls.some((call) => call.part?.text === 'The first half of it')).toBe(false)
  })

  it('attaches the whole answer where it is too long, below its beginning', async () => {
    const { reply, surface, journal } = begin()
    const text = paragraphs(12).join('\n\n')
    reply.write(text)
    await vi.waitFor(() => expect(surface.visible.size).toBe(4))
    const { messageIds } = await reply.finish(text)
    const shown = surface.texts()
    expect(shown).toHaveLength(5)
    expect(shown[3]!.endsWith(`\n\n${attachedSentence}`)).toBe(true)
    expect(shown[4]).toBe(text)
    expect(messageIds).toHaveLength(5)
    expect(journal.rows.get(attachmentPart)?.messageId).toBe(messageIds[4])
    expect(surface.calls.find((call) => call.kind === 'attach')?.file?.name).toBe('answer.md')
  })

  it('edits the messages that a crashed process left instead of sending new ones', async () => {
    const on = new RecordingSurface()
    await on.create({ text: 'Half an ans', final: false }, 'n')
    const { reply, surface } = begin({ on, prior: [{ part: 0, messageId: 'm1' }] })
    const { messageIds } = await reply.finish('The answer.')
    expect(surface.texts()).toEqual(['The answer.'])
    expect(messageIds).toEqual(['m1'])
    expect(surface.count('create')).toBe(1)
  })

  it('reserves each message before it sends it and tells its id after', async () => {
    const { reply, surface, journal } = begin()
    const create = surface.create.bind(surface)
    surface.create = (part, nonce) => {
      journal.steps.push(`create ${nonce}`)
      return create(part, nonce)
    }
    await reply.finish(paragraphs(3).join('\n\n'))
    expect(journal.steps.slice(0, 6)).toEqual([
      'reserve 0',
      'create n1',
      'posted 0',
      'reserve 1',
      'create n2',
      'posted 1',
    ])
  })
})

describe('a reply on a platform in trouble', () => {
  it('tries the final text three times while the platform is unavailable, with one nonce', async () => {
    const { reply, surface } = begin()
    surface.failNext('create', 'unavailable')
    surface.failNext('create', 'unavailable')
    await reply.finish('Through at last.')
    expect(surface.texts()).toEqual(['Through at last.'])
    const nonces = surface.calls.filter((call) => call.kind === 'create').map((call) => call.nonce)
    expect(new Set(nonces).size).toBe(1)
    expect(nonces).toHaveLength(3)
  })

  it('gives up after three tries and says so', async () => {
    const { reply, surface } = begin()
    for (let n = 0; n < 3; n += 1) surface.failNext('create', 'unavailable')
    await expect(reply.finish('Never.')).rejects.toMatchObject({ failure: 'unavailable' })
    expect(surface.count('create')).toBe(3)
    expect(surface.calls.at(-1)!.kind).toBe('close')
  })

  it('never sends a message again whose fate is unknown', async () => {
    const { reply, surface, journal } = begin()
    surface.failNext('create', 'unknown', true)
    await expect(reply.finish('Perhaps.')).rejects.toMatchObject({ failure: 'unknown' })
    expect(surface.count('create')).toBe(1)
    expect(journal.rows.get(0)).toEqual({ nonce: 'n1' })
  })

  it('does not send again at the end what may have been sent as a draft', async () => {
    const { reply, surface } = begin()
    surface.failNext('create', 'unknown', true)
    reply.write('Perhaps')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    await expect(reply.finish('Perhaps.')).rejects.toSatisfy(
      (error) => (error as ChannelError).failure === 'unknown',
    )
    expect(surface.count('create')).toBe(1)
  })

  it('repeats an edit whose fate is unknown', async () => {
    const { reply, surface } = begin()
    reply.write('Draft')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    surface.failNext('edit', 'unknown', true)
    await reply.finish('Final.')
    expect(surface.texts()).toEqual(['Final.'])
  })

  it('keeps trying to show a draft that failed, and the final text comes through', async () => {
    const { reply, surface } = begin()
    surface.failNext('create', 'unavailable')
    reply.write('One')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    reply.write('One two')
    await vi.waitFor(() => expect(surface.texts()).toEqual(['One two']))
    await reply.finish('One two three.')
    expect(surface.texts()).toEqual(['One two three.'])
  })

  it('sends the answer anew where someone removed the draft', async () => {
    const { reply, surface } = begin()
    reply.write('Draft')
    await vi.waitFor(() => expect(surface.visible.size).toBe(1))
    surface.visible.clear()
    const { messageIds } = await reply.finish('Final.')
    expect(surface.texts()).toEqual(['Final.'])
    expect(messageIds).toEqual(['m2'])
  })

  it('does not fail a delivered answer because a surplus message stays', async () => {
    const { reply, surface } = begin()
    reply.write(paragraphs(2).join('\n\n'))
    await vi.waitFor(() => expect(surface.visible.size).toBe(2))
    for (let n = 0; n < 3; n += 1) surface.failNext('remove', 'unavailable')
    expect(await reply.finish('Short.')).toEqual({ messageIds: ['m1'] })
  })

  it('tells the journal again where it did not listen the first time', async () => {
    const { reply, surface, journal } = begin()
    const posted = journal.posted.bind(journal)
    let refusals = 1
    journal.posted = async (part, messageId) => {
      if (refusals-- > 0) throw new Error('The database is away.')
      await posted(part, messageId)
    }
    await reply.finish('Kept.')
    expect(surface.texts()).toEqual(['Kept.'])
    expect(journal.rows.get(0)?.messageId).toBe('m1')
  })
})

describe('a reply that is stopped', () => {
  it('starts no call after the signal fired, whatever was waiting', async () => {
    const { reply, surface, stop } = begin({ interval: 300 })
    reply.write('One')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    reply.write('One two')
    stop.abort()
    reply.write('One two three')
    await expect(reply.finish('All.')).rejects.toMatchObject({ code: 'reply.stopped' })
    expect(surface.calls.filter((call) => call.kind !== 'close')).toHaveLength(1)
  })

  it('does not create where the signal fires while the journal is asked', async () => {
    const { reply, surface, journal, stop } = begin()
    const reserve = journal.reserve.bind(journal)
    journal.reserve = async (part) => {
      stop.abort()
      return await reserve(part)
    }
    await expect(reply.finish('All.')).rejects.toMatchObject({ code: 'reply.stopped' })
    expect(surface.count('create')).toBe(0)
  })

  it('ends at once though a call hangs, and still keeps the id that comes late', async () => {
    const { reply, surface, journal, stop } = begin()
    const release = surface.holdNext()
    const finishing = reply.finish('All.')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    stop.abort()
    await expect(finishing).rejects.toMatchObject({ code: 'reply.stopped' })
    release()
    await vi.waitFor(() => expect(journal.rows.get(0)?.messageId).toBe('m1'))
  })

  it('waits between tries no longer than until the signal fires', async () => {
    const { reply, surface, stop } = begin({ backoff: 60_000 })
    surface.failNext('create', 'unavailable')
    const finishing = reply.finish('All.')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    stop.abort()
    await expect(finishing).rejects.toMatchObject({ code: 'reply.stopped' })
    expect(surface.count('create')).toBe(1)
  })

  it('leaves what is visible when it is abandoned', async () => {
    const { reply, surface } = begin({ interval: 300 })
    reply.write('Half an ans')
    await vi.waitFor(() => expect(surface.count('create')).toBe(1))
    reply.write('Half an answer')
    await reply.abandon()
    reply.write('More')
    await reply.abandon()
    expect(surface.texts()).toEqual(['Half an ans'])
    expect(surface.count('close')).toBe(1)
    await expect(reply.finish('x')).rejects.toMatchObject({ code: 'reply.ended' })
  })
})

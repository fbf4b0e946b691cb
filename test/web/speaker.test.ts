import { describe, expect, it } from 'vitest'
import { createWebSpeaker } from '../../adapters/web/speaker.ts'
import { threadRef } from '../../adapters/web/threads.ts'
import { directThreadName } from '../../src/channel/view.ts'
import { MemoryThreads } from '../support/web-chat.ts'

const target = { thread: threadRef('tour') }

function begin() {
  const threads = new MemoryThreads()
  const speaker = createWebSpeaker({ reader: threads, drafts: threads })
  const draft = async () => (await threads.read(target.thread))?.draft
  return { threads, speaker, draft }
}

describe('speaking in the web chat', () => {
  it('shows the text of a reply and what is being done together, and clears both at the end', async () => {
    const { speaker, draft } = begin()
    await speaker.showActivity(target, 'Looking through the knowledge base…')
    const surface = speaker.surface(target)
    const id = await surface.create({ text: 'Half', final: false }, 'n1')
    expect(await draft()).toEqual({ text: 'Half', status: 'Looking through the knowledge base…' })
    await surface.edit(id, { text: 'Half an ans', final: false })
    await speaker.showActivity(target, null)
    expect(await draft()).toEqual({ text: 'Half an ans' })
    await surface.edit(id, { text: 'Half an answer.', final: true })
    expect(await draft()).toBeUndefined()
  })

  it('leaves the draft of another reply alone when it says something once', async () => {
    const { speaker, draft } = begin()
    await speaker.surface(target).create({ text: 'Being written', final: false }, 'n1')
    const once = speaker.surface(target)
    await once.create({ text: 'A reminder', final: true }, 'n2')
    await once.close()
    expect(await draft()).toEqual({ text: 'Being written' })
  })

  it('takes a draft away that is abandoned', async () => {
    const { speaker, draft } = begin()
    const surface = speaker.surface(target)
    await surface.create({ text: 'Half', final: false }, 'n1')
    await surface.close()
    expect(await draft()).toBeUndefined()
  })

  it('reads what was said and finds where to write to a person', async () => {
    const { threads, speaker } = begin()
    threads.put('tour', { role: 'user', author: 'Ann', text: 'Hello' })
    threads.put('tour', { role: 'note', text: 'Ann left.' })
    threads.put('tour', { role: 'assistant', text: 'Hi' })
    expect(await speaker.history(target.thread, 10)).toMatchObject([
      { author: 'Ann', text: 'Hello', own: false },
      { text: 'Hi', own: true },
    ])
    expect((await speaker.directThread('local', 'Bob')).thread).toBe(directThreadName('Bob'))
    expect(await speaker.findRoom('local', 'general')).toBeUndefined()
  })
})

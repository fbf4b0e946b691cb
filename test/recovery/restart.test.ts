import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../contract/waiting.ts'
import { startHttpServer, type TestHttpServer } from '../mcp/support/http-server.ts'
import { freshDirectory } from '../support/database.ts'
import { lastUserText, type ModelStandIn, startModel } from '../support/model.ts'
import { type Child, freePort, startChild } from '../support/recovery/child.ts'
import { plainModel } from '../support/recovery/plain-model.ts'
import { cardsOf, steadyClient } from '../support/recovery/steady-client.ts'
import { openRows } from '../support/rows.ts'

// With the embedded database, which lives in the process that is ended: what was acknowledged must be on disk.
describe.for(['SIGTERM', 'SIGKILL'] as const)('a process that is ended by %s and started again', (signal) => {
  let model: ModelStandIn
  /** Takes an order, and says nothing any more. */
  let shop: TestHttpServer
  let home: string
  let port: number
  let child: Child

  const start = () =>
    startChild({
      home,
      port,
      variables: model.variables(),
    })

  beforeAll(async () => {
    model = await startModel()
    shop = await startHttpServer({ tools: [{ name: 'order' }], onCall: () => new Promise(() => {}) })
    model.script((body) => {
      if (body.tools === undefined) return { text: '[]' }
      if (lastUserText(body) !== 'order chairs') return plainModel(body)
      const told = body.messages.find(({ role }) => role === 'tool')?.content
      return told ? { text: `Told: ${told}` } : { calls: [{ name: 'mcp__shop__order', arguments: {} }] }
    })
    home = await freshDirectory()
    await writeFile(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { shop: { url: shop.url } } }))
    port = await freePort()
    child = await start()
  }, 120_000)
  afterAll(async () => {
    child.kill('SIGKILL')
    await child.ended
    await model.stop()
    await shop.stop()
    await rm(home, { recursive: true, force: true })
  })

  it('takes the click on a card from before, once, also where it was made meanwhile', {
    timeout: 240_000,
  }, async () => {
    const ann = steadyClient(`http://127.0.0.1:${port}`, 'Ann', 'card')
    await ann.say('ticket Lamp')
    const card = await ann.card()
    const asked = performance.now()
    child.kill(signal)
    const clicked = ann.pressLabel(card, 'Confirm', 'the-click')
    expect(await child.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL')
    expect(performance.now() - asked).toBeLessThan(10_000)
    child = await start()
    expect((await clicked).body).toMatchObject({ kind: 'answered', notice: 'Confirmed. I am doing it now.' })
    expect((await ann.pressLabel(card, 'Confirm', 'the-click')).body).toEqual({ kind: 'repeated' })
    expect((await ann.answer()).text).toMatch(/^Told: .*"title":"Lamp"/)
    const [shown] = cardsOf(await ann.read())
    expect(shown?.footer).toMatch(/^Confirmed by Ann, .* · Ticket T-\d+ created$/)
    const rows = await openRows(home)
    expect(await rows.query('SELECT title FROM ticket')).toEqual([{ title: 'Lamp' }])
    await rows.close()
  })

  it('does not repeat what it was doing, and puts it to the person', { timeout: 240_000 }, async () => {
    const ann = steadyClient(`http://127.0.0.1:${port}`, 'Ann', 'order')
    await ann.say('order chairs')
    await ann.pressLabel(await ann.card(), 'Confirm')
    await until('the order to be under way', () => shop.calls.length === 1)
    child.kill(signal)
    expect(await child.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL')
    child = await start()
    const view = await ann.until('what is known', (shown) =>
      /^Not known/.test(cardsOf(shown)[0]?.footer ?? ''),
    )
    const [card] = cardsOf(view)
    expect(card?.footer).toBe('Not known: Hermes was interrupted while it ran; it may have happened.')
    expect(card?.actions.map(({ label }) => label)).toEqual(['Run again', 'It is done'])
    expect((await ann.answer()).text).toBe(
      'Ann, I do not know whether this was done: Order. Hermes was interrupted while it ran; it may have happened. Choose on its card: Run again or It is done.',
    )
    await ann.pressLabel(card!, 'It is done')
    expect((await ann.answer(2)).text).toMatch(/^Told: .*Ann says that it was done\./s)
    expect(shop.calls).toEqual(['order'])
  })

  it('takes what is sent with the card of a question from before, once, exactly', {
    timeout: 240_000,
  }, async () => {
    const ann = steadyClient(`http://127.0.0.1:${port}`, 'Ann', 'question')
    await ann.say('a ticket')
    const { state, messages } = await ann.until('a question', (thread) =>
      cardsOf(thread).some(({ actions }) => actions.some(({ label }) => label === 'Fill in')),
    )
    expect(state).toBe('collecting')
    const { value } = messages.at(-1)!.cards[0]!.actions[0]!
    child.kill(signal)
    const sent = ann.submit('question.fill', value!, { title: 'The "desk"', priority: 'urgent' }, 'the-form')
    expect(await child.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL')
    child = await start()
    expect((await sent).body).toMatchObject({ kind: 'answered', notice: 'Thank you. I am going on with it.' })
    const again = await ann.submit(
      'question.fill',
      value!,
      { title: 'The "desk"', priority: 'urgent' },
      'the-form',
    )
    expect(again.body).toEqual({ kind: 'repeated' })
    const late = await ann.submit('question.fill', value!, { title: 'Another desk' })
    expect(late.body).toMatchObject({ kind: 'answered', notice: 'Already answered.' })
    await ann.pressLabel(await ann.card(), 'Confirm')
    await ann.answer()
    const shown = cardsOf(await ann.read())
    expect(shown.map(({ footer }) => footer)).toEqual([
      'Answered by Ann',
      expect.stringMatching(/^Confirmed by Ann, .* · Ticket T-\d+ created$/),
    ])
    const rows = await openRows(home)
    expect(await rows.query(`SELECT title, priority FROM ticket WHERE title <> 'Lamp'`)).toEqual([
      { title: 'The "desk"', priority: 'urgent' },
    ])
    await rows.close()
  })

  it('answers what it was answering, once', { timeout: 240_000 }, async () => {
    const ann = steadyClient(`http://127.0.0.1:${port}`, 'Ann', 'answer')
    await ann.say('slowly one')
    await ann.until('half an answer', ({ draft }) => (draft?.text.length ?? 0) > 30)
    child.kill(signal)
    expect(await child.ended).toBe(signal === 'SIGTERM' ? 0 : 'SIGKILL')
    child = await start()
    const answer = await ann.answer()
    expect(answer.text).toMatch(/^You said: slowly one\. (And so on and on\. ){19}And so on and on\.\s*$/)
    const view = await ann.read()
    expect(view.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    await ann.say('and two')
    expect((await ann.answer(2)).text).toBe('You said: and two')
  })
})

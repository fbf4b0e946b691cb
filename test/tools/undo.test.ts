import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { openRows, type Rows } from '../support/rows.ts'
import { webClient } from '../support/web-client.ts'

// With the offline model, in the web chat: what a person sees who says "undo that".
describe('what was done at once can be taken back', () => {
  let app: TestApp
  let rows: Rows
  let threads = 0

  beforeAll(async () => {
    app = await startTestApp()
    rows = await openRows(app.home)
  }, 60_000)
  afterAll(async () => {
    await rows.close()
    await app.end()
  })

  const talk = async (...said: readonly string[]) => {
    const ann = webClient(app.address, 'Ann', `undo-${++threads}`)
    const answers: string[] = []
    for (const text of said) {
      await ann.say(text)
      answers.push((await ann.answer(answers.length + 1)).text)
    }
    return answers
  }

  it('a memory: what it had replaced holds again', async () => {
    const answers = await talk(
      'Remember that my favourite colour is blue',
      'Remember that my favourite colour is green',
      'undo that',
      'What is my favourite colour?',
      'undo that',
      'undo that',
    )
    expect(answers[2]).toBe('I took that back.')
    expect(answers[3]).toContain('blue')
    expect(answers[3]).not.toContain('green')
    expect(answers[5]).toBe('There is nothing here that I could take back.')
    expect(
      await rows.query(`SELECT text FROM memory WHERE status = 'active' AND text LIKE '%favourite colour%'`),
    ).toEqual([])
  })

  it('a forgotten memory comes back', async () => {
    const answers = await talk(
      'Remember that my desk is on floor 3',
      'Forget my desk',
      'Undo',
      'Where is my desk?',
    )
    expect(answers[2]).toBe('I took that back.')
    expect(answers[3]).toContain('floor 3')
  })

  it('a reminder, also in Chinese', async () => {
    await talk('提醒我明天上午9点给李伟打电话', '撤销')
    expect(await rows.query(`SELECT status FROM reminder`)).toEqual([{ status: 'cancelled' }])
  })
})

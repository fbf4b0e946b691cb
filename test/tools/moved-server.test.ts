import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { freshDirectory } from '../support/database.ts'
import { startModel } from '../support/model.ts'
import { cardsOf, steadyClient } from '../support/recovery/steady-client.ts'

const filesystem = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'

it('what was confirmed for one place is asked anew when the server is set up for another', {
  timeout: 120_000,
}, async () => {
  const model = await startModel()
  const home = await freshDirectory()
  const variables = model.variables()
  const on = (...folders: readonly string[]) => ({
    mcpServers: { files: { command: 'node', args: [join(process.cwd(), filesystem), ...folders] } },
  })
  const [first, second] = [join(home, 'first'), join(home, 'second')]
  for (const folder of [first, second]) await mkdir(folder, { recursive: true })
  const path = join(first, 'note.txt')
  const call = { name: 'mcp__files__write_file', arguments: { path, content: 'Hello' } }
  model.script((body) =>
    body.tools === undefined
      ? { text: '[]' }
      : body.messages.some(({ role }) => role === 'tool')
        ? { text: 'It is written.' }
        : { calls: [call] },
  )
  let app = await startTestApp({ home, variables, mcp: on(first) })
  try {
    await app.mcp.settled(60_000)
    const asking = steadyClient(app.address, 'Ann', 'moved')
    await asking.say('Write Hello into the file note.txt')
    const card = await asking.card()
    await app.stop()

    app = await startTestApp({ home, variables, mcp: on(first, second) })
    await app.mcp.settled(60_000)
    const ann = steadyClient(app.address, 'Ann', 'moved')
    const clicked = await ann.pressLabel(card, 'Confirm')
    expect(clicked.body.notice).not.toBe('Confirmed. I am doing it now.')
    const newest = await ann.card()
    expect(newest.id).not.toBe(card.id)
    expect(cardsOf(await ann.read()).find(({ id }) => id === card.id)?.footer).toBe(
      'Changed: see the new card below',
    )
    expect(existsSync(path)).toBe(false)

    await ann.pressLabel(newest, 'Confirm')
    expect((await ann.answer()).text).toBe('It is written.')
    expect(existsSync(path)).toBe(true)
  } finally {
    await app.end()
    await model.stop()
  }
})

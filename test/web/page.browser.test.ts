import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { threadRef } from '../../adapters/web/threads.ts'
import type { Card, Form } from '../../src/channel/card.ts'
import type { InboundEvent } from '../../src/channel/events.ts'
import type { TicketView } from '../../src/channel/pages.ts'
import type { Receipt } from '../../src/channel/port.ts'
import { launchBrowser } from '../support/browser.ts'
import { ticketCard } from '../support/ticket-card.ts'
import { type MemoryThreads, startWebChat, type WebChat } from '../support/web-chat.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const openCard: Card = {
  ...ticketCard,
  fields: [
    { label: 'Priority', value: 'high' },
    { label: 'Description', value: 'It prints every page twice. '.repeat(20).trim() },
  ],
}
const doneCard: Card = { ...openCard, tone: 'done', actions: [], footer: 'Confirmed by Ann, 14:07' }
const form: Form = {
  action: 'approval.edit',
  value: 'apr_1:1',
  title: 'Create ticket',
  submitLabel: 'Save',
  fields: [
    { name: 'title', label: 'Title', kind: 'text', value: 'Printer is broken', required: true },
    {
      name: 'count',
      label: 'Count',
      kind: 'number',
      value: '1',
      required: false,
      hint: 'How many printers.',
    },
    { name: 'urgent', label: 'Urgent', kind: 'boolean', value: 'false', required: false },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'select',
      value: 'high',
      required: true,
      options: [
        { label: 'Low', value: 'low' },
        { label: 'High', value: 'high' },
      ],
    },
  ],
}
const greeting: Receipt = {
  kind: 'answered',
  notice: 'I answer questions.\nNothing is changed without your Confirm.',
  actions: ['What can you do?', 'Create a ticket', 'Summarise the notes', 'Remember this'].map((text) => ({
    label: text,
    action: 'suggest',
    value: text,
  })),
}

const ticket: TicketView = {
  key: 'T-1042',
  title: 'Heating <b id="injected">is</b> off',
  body: `It is **cold** in here, see [the plan](https://example.org)\n\n| Room | Degrees |\n| - | - |\n| ${'x'.repeat(80)} | 12 |\n\n\`\`\`\n${'const a = 1; '.repeat(20)}\n\`\`\``,
  status: 'in_progress',
  priority: 'high',
  assignee: 'ops-team',
  labels: ['heating', 'floor 3'],
  dueAt: new Date('2026-12-04T22:59:00Z'),
  createdBy: 'Ann',
  createdAt: new Date('2026-11-30T10:00:00Z'),
  history: [
    {
      kind: 'change',
      by: 'Bob',
      at: new Date('2026-11-30T11:00:00Z'),
      field: 'status',
      before: 'open',
      after: 'in_progress',
    },
    {
      kind: 'change',
      by: 'Bob',
      at: new Date('2026-11-30T11:00:00Z'),
      field: 'due',
      before: null,
      after: '2026-12-04T22:59:00Z',
    },
    {
      kind: 'comment',
      by: 'Bob',
      at: new Date('2026-11-30T12:00:00Z'),
      text: 'On *Friday* a plumber comes <img src=x id=injected>',
    },
  ],
}

/** A picture of one dot. */
const dot = {
  name: 'dot.gif',
  mediaType: 'image/gif',
  bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}

interface Visit {
  readonly chat: WebChat
  readonly page: Page
  readonly threads: MemoryThreads
}

/** Opens the page of a fresh web chat, as Ann where nothing else is said. */
async function visit(
  options: {
    readonly name?: string
    readonly thread?: string
    readonly context?: BrowserContextOptions
    readonly prepare?: (threads: MemoryThreads) => void
    readonly answer?: (event: InboundEvent, threads: MemoryThreads) => Receipt | undefined
  } = {},
): Promise<Visit> {
  const chat = await startWebChat({
    pages: {
      ticket: async (number) => (number === 1042 ? ticket : undefined),
      file: async (ref) => (ref === 'ref_dot' ? dot : undefined),
    },
    answer: (event, threads) =>
      options.answer?.(event, threads) ?? (event.kind === 'opened' ? greeting : undefined),
  })
  onTestFinished(() => chat.stop())
  options.prepare?.(chat.threads)
  const context = await browser.newContext({ locale: 'en-GB', ...options.context })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) failures.push(line.text())
  })
  onTestFinished(() => expect(failures).toEqual([]))
  const name = options.name ?? 'Ann'
  if (name !== '') await page.addInitScript((given) => localStorage.setItem('hermes.name', given), name)
  await page.goto(`${chat.url}/#/${options.thread ?? 'tour'}`)
  return { chat, page, threads: chat.threads }
}

const message = (page: Page, text: string) => page.locator('.message', { hasText: text })

describe('the page', () => {
  it('asks for a name once, then greets with four suggestions, and sends the chosen one', async () => {
    const { page, chat } = await visit({ name: '' })
    await page.getByRole('textbox', { name: 'Name' }).fill('  Zhang   Wei ')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is changed without your Confirm.').waitFor()
    expect(await page.locator('#welcome li').count()).toBe(4)
    await page.getByRole('button', { name: 'Create a ticket' }).click()
    await page.locator('.message.user', { hasText: 'Create a ticket' }).waitFor()
    expect(await page.locator('#welcome').isVisible()).toBe(false)
    await vi.waitFor(() =>
      expect(chat.events.at(-1)).toMatchObject({ kind: 'message', author: { name: 'Zhang Wei' } }),
    )
    await page.reload()
    await page.locator('.message.user', { hasText: 'Create a ticket' }).waitFor()
    expect(await page.locator('#who').isVisible()).toBe(false)
  })

  it('sends with Enter, breaks the line with Shift+Enter, and shows each message once', async () => {
    const { page, chat } = await visit()
    await page.locator('#text').click()
    await page.keyboard.type('One')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await vi.waitFor(() => expect(chat.events.at(-1)).toMatchObject({ kind: 'message', text: 'One\nTwo' }))
    await page.locator('.message.user:not(.sending)').waitFor()
    chat.threads.put('tour', { role: 'assistant', text: 'Read both.' })
    await message(page, 'Read both.').waitFor()
    expect(await page.locator('.message.user').count()).toBe(1)
    expect(await page.locator('#text').inputValue()).toBe('')
  })

  it('attaches files by keyboard, takes them out again, and sends them also without words', async () => {
    const { page, chat } = await visit()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles([
      { name: 'receipt.csv', mimeType: 'text/csv', buffer: Buffer.from('Total,42.50') },
      { name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('wrong') },
    ])
    const list = page.getByRole('list', { name: 'Attached files' })
    await list.getByText('wrong.txt').waitFor()
    await page.getByRole('button', { name: 'Take out wrong.txt' }).press('Enter')
    expect(await list.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('receipt.csv')])
    await page.getByRole('button', { name: 'Send' }).click()
    await list.waitFor({ state: 'hidden' })
    await vi.waitFor(() =>
      expect(chat.events.at(-1)).toMatchObject({
        kind: 'message',
        text: '',
        attachments: [{ name: 'receipt.csv', mediaType: 'text/csv', text: 'Total,42.50' }],
      }),
    )
  })

  it('shows what is being done and written, then the finished answer in its place', async () => {
    const { page, threads } = await visit()
    await threads.show(threadRef('tour'), { text: '', status: 'Looking through the knowledge base…' })
    await page.locator('.pulse', { hasText: 'Looking through the knowledge base…' }).waitFor()
    await threads.show(threadRef('tour'), { text: 'The **release** moves' })
    await page.locator('.draft strong', { hasText: 'release' }).waitFor()
    threads.put('tour', { role: 'assistant', text: 'The **release** moves by a week.' })
    await threads.show(threadRef('tour'), null)
    await message(page, 'moves by a week').waitFor()
    await page.locator('.draft').waitFor({ state: 'detached' })
    expect(await page.locator('#announcer').textContent()).toContain('moves by a week')
  })

  it('stops the answer with Esc and with the button', async () => {
    const { page, chat, threads } = await visit()
    await threads.show(threadRef('tour'), { text: 'On and on' })
    await page.locator('.draft').waitFor()
    await page.keyboard.press('Escape')
    await vi.waitFor(() => expect(chat.events.at(-1)).toMatchObject({ kind: 'action', action: 'turn.stop' }))
    await page.getByRole('button', { name: 'Stop' }).click()
    await vi.waitFor(() => expect(chat.events.filter((event) => event.kind === 'action')).toHaveLength(2))
    await threads.show(threadRef('tour'), null)
    await page.locator('.draft').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(false)
  })

  it('confirms a focused card with y and cancels with n, and shows what became of it', async () => {
    const { page, chat } = await visit({
      prepare: (threads) =>
        threads.put('tour', { role: 'assistant', text: 'Check this.', cards: [openCard] }),
      answer: (event, threads) => {
        if (event.kind !== 'action' || event.action !== 'approval.confirm') return undefined
        threads.putCard('tour', doneCard)
        return { kind: 'answered', notice: 'Confirmed. I am doing it now.', card: doneCard }
      },
    })
    const card = page.getByRole('article', { name: 'Create ticket' })
    await card.focus()
    await page.keyboard.press('n')
    await vi.waitFor(() =>
      expect(chat.events.at(-1)).toMatchObject({ action: 'approval.cancel', value: 'apr_1' }),
    )
    await card.focus()
    await page.keyboard.press('y')
    await page.getByText('Confirmed by Ann, 14:07').waitFor()
    expect(chat.events.at(-1)).toMatchObject({ action: 'approval.confirm', thread: { thread: 'tour' } })
    expect(await card.getByRole('button', { name: 'Confirm' }).count()).toBe(0)
    expect(await page.locator('#announcer').textContent()).toContain('Confirmed')
  })

  it('folds a long value and shows all of it on demand', async () => {
    const { page } = await visit({
      prepare: (threads) => threads.put('tour', { role: 'assistant', text: '', cards: [openCard] }),
    })
    const toggle = page.getByRole('button', { name: 'Show all' })
    const height = () =>
      page.locator('dd', { hasText: 'It prints' }).evaluate((element) => element.clientHeight)
    const before = await height()
    await toggle.click()
    expect(await height()).toBeGreaterThan(before)
  })

  it('shows the pictures of an answer and offers its other files to be saved', async () => {
    const { page } = await visit({
      prepare: (threads) =>
        threads.put('tour', {
          role: 'assistant',
          text: 'Here it is.',
          files: [
            { ref: 'ref_dot', name: 'dot.gif', mediaType: 'image/gif' },
            { ref: 'ref_dot', name: 'a <b>.pdf', mediaType: 'application/pdf' },
          ],
        }),
    })
    const picture = message(page, 'Here it is.').getByRole('img', { name: 'dot.gif' })
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), {
        timeout: 10_000,
      })
      .toBe(1)
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'a <b>.pdf' }).click()
    expect((await saving).suggestedFilename()).toMatch(/^(?:a .b.\.pdf|dot\.gif)$/)
  })

  it('edits a card in a form, shows what is wrong beside the field, and closes when it is right', async () => {
    const { page, chat } = await visit({
      prepare: (threads) => threads.put('tour', { role: 'assistant', text: '', cards: [openCard] }),
      answer: (event) => {
        if (event.kind === 'action') return { kind: 'answered', form }
        if (event.kind !== 'form') return undefined
        if (event.fields.count === '1') return { kind: 'answered', notice: 'Changed.', card: openCard }
        const fields = form.fields.map((field) => ({
          ...field,
          value: event.fields[field.name] ?? '',
          ...(field.name === 'count' ? { error: 'must be a number' } : {}),
        }))
        return { kind: 'answered', form: { ...form, fields } }
      },
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    const fields = page.getByRole('form', { name: 'Create ticket' })
    await fields.getByLabel('Title').fill('Printer burns')
    await fields.getByLabel('Count').fill('many')
    await fields.getByLabel('Urgent').check()
    await fields.getByLabel('Priority').selectOption('low')
    await fields.getByRole('button', { name: 'Save' }).click()
    await fields.getByText('must be a number').waitFor()
    expect(chat.events.at(-1)).toMatchObject({
      kind: 'form',
      action: 'approval.edit',
      value: 'apr_1:1',
      fields: { title: 'Printer burns', count: 'many', urgent: 'true', priority: 'low' },
    })
    expect(await fields.getByLabel('Title').inputValue()).toBe('Printer burns')
    const count = fields.getByLabel('Count')
    expect(await fields.locator('[name=count]:focus').count()).toBe(1)
    await count.fill('1')
    await page.keyboard.press('Enter')
    await fields.waitFor({ state: 'detached' })
  })

  it('shows a notice to the person who clicked, and keeps none of it', async () => {
    const why = { label: 'Why', action: 'answer.why', value: 'turn_1' }
    const { page } = await visit({
      prepare: (threads) => threads.put('tour', { role: 'assistant', text: 'Short.', actions: [why] }),
      answer: (event) =>
        event.kind === 'action' ? { kind: 'answered', notice: 'You like **short** answers.' } : undefined,
    })
    await page.getByRole('button', { name: 'Why' }).click()
    await page.locator('.only strong', { hasText: 'short' }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await page.locator('.only').count()).toBe(0)
  })

  it('offers the commands in a menu that works by keyboard', async () => {
    const { page, chat } = await visit({
      answer: (event) =>
        event.kind === 'command' ? { kind: 'answered', notice: 'Nothing yet.' } : undefined,
    })
    await page.locator('#text').click()
    await page.keyboard.type('/re')
    const options = page.getByRole('option')
    expect(await options.allTextContents()).toEqual([
      expect.stringContaining('/reminders'),
      expect.stringContaining('/reset'),
      expect.stringContaining('/resource'),
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing yet.').waitFor()
    expect(chat.events.at(-1)).toMatchObject({ kind: 'command', name: 'reminders', text: '' })
    chat.threads.put('tour', { role: 'assistant', text: 'Said afterwards' })
    await message(page, 'Said afterwards').waitFor()
    const order = await page.locator('.message').allTextContents()
    expect(order.map((text) => /\/reminders|afterwards/.exec(text)?.[0])).toEqual([
      '/reminders',
      'afterwards',
    ])
    await page.keyboard.type('/forg')
    await page.keyboard.press('Enter')
    expect(await page.locator('#text').inputValue()).toBe('/forget ')
  })

  it('lets people change and remove what they wrote, and not what others wrote', async () => {
    const { page, chat } = await visit({
      prepare: (threads) => {
        threads.put('tour', { id: 'post1', role: 'user', author: 'Ann', text: 'Helo' })
        threads.put('tour', { id: 'post2', role: 'user', author: 'Bob', text: 'Hi' })
      },
    })
    await page.locator('[data-id="post1"]').hover()
    expect(await page.locator('[data-id="post2"] .own').count()).toBe(0)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Change your message').fill('Hello')
    await page.keyboard.press('Enter')
    await vi.waitFor(() =>
      expect(chat.events.at(-1)).toMatchObject({ kind: 'edit', postId: 'post1', text: 'Hello' }),
    )
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.locator('.only').getByRole('button', { name: 'Remove' }).click()
    await vi.waitFor(() => expect(chat.events.at(-1)).toMatchObject({ kind: 'removal', postId: 'post1' }))
  })

  it('keeps threads apart, lists them and remembers the last one', async () => {
    const { page, threads } = await visit({
      prepare: (held) => {
        held.put('tour', { role: 'user', author: 'Ann', text: 'The first thread' })
        held.put('two', { role: 'user', author: 'Ann', text: 'The second thread' })
      },
    })
    await message(page, 'The first thread').waitFor()
    await page.getByRole('link', { name: 'The second thread' }).click()
    await message(page, 'The second thread').waitFor()
    expect(await message(page, 'The first thread').count()).toBe(0)
    threads.put('tour', { role: 'assistant', text: 'Only for the first' })
    threads.put('two', { role: 'assistant', text: 'Only for the second' })
    await message(page, 'Only for the second').waitFor()
    expect(await message(page, 'Only for the first').count()).toBe(0)
    await page.getByRole('button', { name: 'New thread' }).click()
    await page.locator('#welcome').waitFor()
    expect(await page.locator('.message').count()).toBe(0)
  })

  it('shows how an answer came about', async () => {
    const { page } = await visit({
      prepare: (threads) => {
        threads.put('tour', { role: 'assistant', text: 'Done.', turnId: 'turn_1' })
        const leaf = { startedMs: 10, durationMs: 1500, attributes: { tokens: 42 }, children: [] }
        threads.traces.set('turn_1', [
          {
            name: 'turn',
            startedMs: 0,
            durationMs: 1600,
            outcome: 'ok',
            attributes: {},
            children: [
              { ...leaf, name: 'model', outcome: 'ok' },
              { ...leaf, name: 'create_ticket', outcome: 'failed' },
            ],
          },
        ])
      },
    })
    await page.locator('.message').getByRole('button', { name: 'Trace' }).click()
    const panel = page.getByRole('complementary', { name: 'Trace' })
    await panel.getByText('create_ticket').waitFor()
    expect(await panel.getByText('1.5 s').count()).toBe(2)
    await panel.getByText('model').click()
    expect(await panel.getByText('42').first().isVisible()).toBe(true)
    await panel.getByRole('button', { name: 'Close' }).click()
    expect(await panel.isVisible()).toBe(false)
  })

  it('obeys nothing that a message holds', async () => {
    const { page, threads } = await visit()
    threads.put('tour', {
      role: 'assistant',
      text: '<img src=x onerror="document.title=1"><script>document.title=2</script> [x](javascript:alert(1)) end',
    })
    await message(page, 'end').waitFor()
    expect(await page.locator('.prose img, .prose script, .prose [onerror]').count()).toBe(0)
    expect(await page.title()).toContain('Hermes')
  })
})

describe('the page when the server goes', () => {
  it('says that it reconnects, and then shows what was missed', async () => {
    const { page, chat, threads } = await visit({
      prepare: (held) => held.put('tour', { role: 'user', author: 'Ann', text: 'Before' }),
    })
    await message(page, 'Before').waitFor()
    await chat.stop()
    await page.getByText('Reconnecting…').waitFor()
    threads.put('tour', { role: 'assistant', text: 'While you were away' })
    const again = await startWebChat({ port: chat.port, threads })
    onTestFinished(() => again.stop())
    await message(page, 'While you were away').waitFor({ timeout: 20_000 })
    expect(await page.locator('#connection').textContent()).toBe('')
    expect(await message(page, 'Before').count()).toBe(1)
  })

  it('keeps what could not be sent, and sends it once when asked again', async () => {
    const { page, chat, threads } = await visit()
    await page.locator('#welcome').waitFor()
    await chat.stop()
    await page.locator('#text').fill('Do not lose this')
    await page.keyboard.press('Enter')
    await page.getByText('Not sent.').waitFor()
    const again = await startWebChat({ port: chat.port, threads })
    onTestFinished(() => again.stop())
    await page.getByRole('button', { name: 'Send again' }).click()
    await vi.waitFor(
      () => expect(again.events).toMatchObject([{ kind: 'message', text: 'Do not lose this' }]),
      {
        timeout: 10_000,
      },
    )
    await page.locator('.message.user:not(.sending)').waitFor()
    expect(await page.locator('.message.user').count()).toBe(1)
  })
})

describe('a long history', () => {
  it('opens at the newest message, and shows earlier ones on demand without moving what is read', async () => {
    const { page } = await visit({
      prepare: (threads) => {
        for (let n = 0; n < 420; n += 1) {
          const text = `Message ${n}\n\n${'Some **more** words. '.repeat(12)}`
          threads.put('tour', { role: n % 2 ? 'assistant' : 'user', author: 'Ann', text })
        }
      },
    })
    await page.getByText('Message 419', { exact: true }).waitFor()
    const inView = async (text: string) => {
      const box = await page.getByText(text, { exact: true }).boundingBox()
      return box !== null && box.y > 0 && box.y < page.viewportSize()!.height
    }
    expect(await inView('Message 419')).toBe(true)
    expect(await page.locator('.message').count()).toBe(100)
    await page.getByRole('button', { name: 'Show earlier messages' }).click()
    await page.getByText('Message 120', { exact: true }).waitFor({ state: 'attached' })
    expect(await page.locator('.message').count()).toBe(300)
    await page.getByRole('button', { name: 'Show earlier messages' }).click()
    await page.getByText('Message 0', { exact: true }).waitFor({ state: 'attached' })
    expect(await page.getByRole('button', { name: 'Show earlier messages' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Newest' }).click()
    await vi.waitFor(async () => expect(await inView('Message 419')).toBe(true))
  })
})

describe('reading', () => {
  const tall = (name: string) => `${name}\n\n${'A line of it\n\n'.repeat(12)}`

  it('follows the newest at the end, also when a panel opens, and stays where the reader has gone', async () => {
    const { page, threads } = await visit({
      prepare: (held) => {
        for (let n = 0; n < 12; n += 1)
          held.put('tour', { role: 'assistant', text: tall(`Part ${n}`), turnId: 't' })
      },
    })
    const fromEnd = () =>
      page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(
        document.getElementById('scroll'))`) as Promise<number>
    const atEnd = () => vi.waitFor(async () => expect(await fromEnd()).toBeLessThan(2))
    await message(page, 'Part 11').waitFor()
    await atEnd()
    threads.put('tour', { role: 'assistant', text: tall('A new one') })
    await message(page, 'A new one').waitFor()
    await atEnd()
    await page.locator('#open-trace').click()
    await page.locator('#trace').waitFor()
    await atEnd()
    await page.locator('#scroll').hover()
    await page.mouse.wheel(0, -2000)
    await page.getByRole('button', { name: 'Newest' }).waitFor()
    const before = await page.evaluate<number>(`document.getElementById('scroll').scrollTop`)
    threads.put('tour', { role: 'assistant', text: tall('Another one') })
    await message(page, 'Another one').waitFor({ state: 'attached' })
    expect(
      Math.abs((await page.evaluate<number>(`document.getElementById('scroll').scrollTop`)) - before),
    ).toBeLessThan(2)
    await page.getByRole('button', { name: 'Newest' }).click()
    await atEnd()
  })
})

describe.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('in %s at %i pixels', (colorScheme, width) => {
  const context: BrowserContextOptions = {
    colorScheme,
    viewport: { width, height: 740 },
    hasTouch: width === 360,
  }
  const fill = (threads: MemoryThreads) => {
    threads.put('tour', { role: 'user', author: 'Ann', text: 'Summarise the notes, please.' })
    const wide =
      '| A | B | C | D | E | F |\n|---|---|---|---|---|---|\n| one word | two words | three | four | five | six |'
    const code = `\`\`\`ts\n${'const a = 1; '.repeat(20)}\n\`\`\``
    threads.put('tour', {
      role: 'assistant',
      turnId: 'turn_1',
      text: `# Notes\n\nSee [the minutes](https://example.org) and \`code\`.\n\n${wide}\n\n${code}\n\n> Quoted\n\n${'x'.repeat(300)}`,
      actions: [{ label: 'Why', action: 'answer.why' }],
    })
    threads.put('tour', { role: 'note', text: 'Bob joined.' })
    for (const tone of ['done', 'failed', 'void'] as const) {
      threads.put('tour', { role: 'assistant', text: '', cards: [{ ...doneCard, id: tone, tone }] })
    }
    threads.put('tour', { role: 'assistant', text: 'Check this.', cards: [openCard] })
    threads.state('tour', 'awaiting_confirmation')
  }

  const accessible = async (page: Page) => {
    await page.evaluate(axeSource)
    const found = await page.evaluate(async () => {
      const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }).axe
      const { violations } = await axe.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
    })
    expect(found).toEqual([])
  }

  it('passes axe with messages, cards, a form, the menu, the trace and a draft', async () => {
    const { page, threads } = await visit({
      context,
      prepare: fill,
      answer: (event) => (event.kind === 'action' ? { kind: 'answered', form } : undefined),
    })
    await page.getByRole('article').last().waitFor()
    await accessible(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).last().click()
    await page.locator('.form').waitFor()
    await threads.show(threadRef('tour'), { text: '```ts\nconst half', status: 'Thinking…' })
    await page.locator('.draft').waitFor()
    const buffer = Buffer.from('Total,42.50')
    await page.locator('#files').setInputFiles({ name: 'receipt.csv', mimeType: 'text/csv', buffer })
    await page.locator('#attached li').waitFor()
    await accessible(page)
    await page.locator('#text').fill('/')
    await page.locator('#menu [role=option]').first().waitFor()
    await accessible(page)
    await page.locator('#text').fill('')
    await page.locator('#open-trace').click()
    await page.locator('#trace').waitFor()
    await accessible(page)
  })

  it('passes axe while it asks for a name and while it greets', async () => {
    const { page } = await visit({ context, name: '', thread: 'new' })
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await accessible(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('Ann')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#welcome').waitFor()
    await accessible(page)
  })

  it("shows a ticket's page that passes axe and is never wider than the window", async () => {
    const { page, chat } = await visit({ context })
    await page.goto(`${chat.url}/tickets/T-1042`)
    expect(await page.locator('h1').textContent()).toBe(ticket.title)
    await page.getByText('a plumber comes').waitFor()
    expect(await page.locator('#injected').count()).toBe(0)
    await accessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.goto(`${chat.url}/tickets/T-1`)
    expect(await page.locator('h1').textContent()).toBe('There is no such ticket')
    await accessible(page)
  })

  it('is never wider than the window', async () => {
    const { page } = await visit({ context, prepare: fill })
    await page.getByRole('article').last().waitFor()
    const sizes = await page.evaluate(`({
      window: innerWidth,
      page: document.documentElement.scrollWidth,
      conversation: document.getElementById('scroll').scrollWidth - document.getElementById('scroll').clientWidth,
    })`)
    expect(sizes).toEqual({ window: width, page: width, conversation: 0 })
  })
})

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

describe('on a phone', () => {
  it('opens the list of threads over the conversation, and closes it with a choice or Esc', async () => {
    const { page } = await visit({
      context: { viewport: { width: 360, height: 740 }, hasTouch: true },
      prepare: (threads) => {
        threads.put('tour', { role: 'user', author: 'Ann', text: 'The first thread' })
        threads.put('two', { role: 'user', author: 'Ann', text: 'The second thread' })
      },
    })
    await page.locator('.message').waitFor()
    const list = page.locator('#threads')
    expect(await list.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Threads' }).click()
    await page.getByRole('link', { name: 'The second thread' }).click()
    await message(page, 'The second thread').waitFor()
    await list.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Threads' }).click()
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
  })
})

describe('signing in on an address that needs a token', () => {
  it('leads from the form to the chat, and the stream works with the cookie', async () => {
    const chat = await startWebChat({
      host: '0.0.0.0',
      token: 'a long secret',
      answer: (event) => (event.kind === 'opened' ? greeting : undefined),
    })
    onTestFinished(() => chat.stop())
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(chat.url)
    await page.getByLabel('Token').fill('a long secret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Ann')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('#welcome').waitFor()
  })
})

describe('a page of another origin', () => {
  it('can neither press Confirm nor read a thread', async () => {
    const { chat, threads } = await visit({
      prepare: (held) => held.put('tour', { role: 'assistant', text: '', cards: [openCard] }),
    })
    const evil = await startWebChat()
    onTestFinished(() => evil.stop())
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    // Another port is another origin; a page of our own without a policy plays the foreign one.
    await page.goto(`${evil.url}/assets/icon.svg`)
    const before = chat.events.length
    const tried = await page.evaluate(async (url) => {
      const attempt = async (init: RequestInit) => {
        try {
          const response = await fetch(`${url}/api/actions`, init)
          return `read ${response.status}`
        } catch {
          return 'refused'
        }
      }
      const body = JSON.stringify({ user: 'Ann', action: 'approval.confirm', value: 'apr_1' })
      return [
        await attempt({ method: 'POST', body, headers: { 'Content-Type': 'application/json' } }),
        await attempt({ method: 'POST', body, mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } }),
        await fetch(`${url}/api/threads/tour`).then(
          (response) => `read ${response.status}`,
          () => 'refused',
        ),
      ]
    }, chat.url)
    expect(tried[0]).toBe('refused')
    expect(tried[2]).toBe('refused')
    expect(chat.events.length).toBe(before)
    expect(threads.texts('tour')).toHaveLength(1)
  })
})

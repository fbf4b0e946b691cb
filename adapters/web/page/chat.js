import { createApi, newKey } from './api.js'
import { createComposer } from './composer.js'
import { byId, el, prose } from './dom.js'
import { follow } from './live.js'
import { createMessages } from './messages.js'
import { createPanels } from './panels.js'
import { createScroll } from './scroll.js'
import { createThreadList } from './threads.js'
import { createTrace } from './trace.js'
import { pageWords, translate } from './words.js'

const working = new Set(['collecting', 'tool_executing', 'reviewing'])
const listRefresh = 30_000

const words = pageWords()
translate(words)
const person = { name: localStorage.getItem('hermes.name') ?? '' }
const api = createApi(person)
const scroll = createScroll()
const trace = createTrace({
  words,
  load: (turn) => api.trace(thread, turn),
  closed: () => panels?.draw(),
})
const panels = createPanels({ closeTrace: trace.hide })
const threads = createThreadList({ words, open: () => panels.close() })
const composer = createComposer({ words, send, stop, told: announce })
const messages = createMessages({
  words,
  person,
  on: {
    act: (action) => api.act(thread, action),
    change: (id, text) => api.change(thread, id, text),
    remove: (id) => api.remove(thread, id),
    told: announce,
    again: (sending, text) => deliver(sending, text, sending.key),
    trace: showTrace,
  },
})

let thread
let unfollow
let state = 'idle'
let draft = null
let greeted

function announce(text) {
  byId('announcer').textContent = text.slice(0, 400)
}

// --- the open thread

function openThread(name) {
  thread = name
  localStorage.setItem('hermes.thread', name)
  unfollow?.()
  messages.clear()
  trace.hide()
  threads.choose(name)
  setState('idle')
  showDraft(null)
  byId('welcome').hidden = true
  byId('earlier').hidden = true
  drawTitle()
  scroll.end()
  let first = true
  unfollow = follow(api.events(name), {
    connected: (yes) => {
      byId('connection').textContent = yes ? '' : words.reconnecting
    },
    snapshot: (view) => {
      messages.snapshot(view.messages)
      byId('earlier').hidden = view.earlier === 0
      setState(view.state)
      showDraft(view.draft)
      drawWelcome()
      refreshThreads()
      if (first) scroll.end()
      first = false
    },
    message: (message) => {
      const fresh = !message.removed && !messages.has(message.id)
      messages.put(message)
      drawState()
      if (fresh && message.role !== 'user') announce(words.says(message.text))
      const card = fresh && message.cards?.find((each) => each.tone === 'open')
      if (card) announce(words.decide(card.title))
      drawWelcome()
      refreshThreads()
    },
    card: (change) => {
      messages.card(change)
      drawState()
    },
    draft: showDraft,
    state: (change) => {
      setState(change.state)
      refreshThreads()
    },
  })
}

/** Details are missing, and nobody but the person can go on. */
const asked = () => state === 'collecting' && draft === null && messages.asks

function drawState() {
  const shown = asked() ? words.asked : words.states[state]
  byId('state').hidden = !shown
  byId('state').textContent = shown ?? ''
  byId('state').dataset.state = asked() ? 'awaiting_confirmation' : state
  drawBusy()
}

function setState(next) {
  state = next
  drawState()
  // The trace on display grows with the turn.
  if (trace.shown && trace.shown === messages.latestTurn) trace.show(trace.shown, { focus: false })
}

function showDraft(next) {
  if (next?.status && next.status !== draft?.status) announce(next.status)
  draft = next
  messages.draft(next)
  drawState()
}

const busy = () => draft !== null || (working.has(state) && !asked())

function drawBusy() {
  composer.busy(busy())
  byId('open-trace').hidden = messages.latestTurn === undefined
  document.title = `${messages.open ? '● ' : ''}${byId('title').textContent} · Hermes`
}

function drawTitle() {
  byId('title').textContent = threads.title(thread) || words.newThread
  drawBusy()
}

// --- what a person does

function send(text, files) {
  const sending = messages.sending(text, files?.names)
  sending.key = newKey()
  sending.files = files?.content
  byId('welcome').hidden = true
  scroll.end()
  deliver(sending, text, sending.key)
}

async function deliver(sending, text, key) {
  try {
    const { id, receipt } = await api.send(thread, text, key, await sending.files)
    sending.sent(id, receipt)
    refreshThreads()
  } catch (error) {
    sending.failed(error)
  }
}

async function stop() {
  if (!busy()) return
  try {
    const receipt = await api.act(thread, { action: 'turn.stop' })
    if (receipt.notice) announce(receipt.notice)
  } catch (error) {
    announce(error.message)
  }
}

async function showTrace(turn) {
  await trace.show(turn)
  panels.draw()
}

byId('open-trace').addEventListener('click', () => {
  if (trace.shown) trace.hide()
  else if (messages.latestTurn) showTrace(messages.latestTurn)
})

byId('earlier').addEventListener('click', async () => {
  try {
    const { messages: more, earlier } = await api.earlier(thread, messages.first)
    scroll.keep(() => messages.prepend(more))
    byId('earlier').hidden = earlier === 0
  } catch (error) {
    announce(error.message)
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.isComposing || byId('who').open) return
  if (panels.hideThreads()) return
  if (trace.shown && matchMedia('(max-width: 1180px)').matches) trace.hide()
  else stop()
})

// --- the first words of an empty thread

async function drawWelcome() {
  const section = byId('welcome')
  if (!messages.empty) {
    section.hidden = true
    return
  }
  if (greeted === thread) {
    section.hidden = false
    return
  }
  greeted = thread
  const here = thread
  const { receipt } = await api.opened(here).catch(() => ({}))
  if (!receipt) greeted = undefined
  if (here !== thread || receipt?.kind !== 'answered') return
  section.replaceChildren(
    el('img', { src: '/assets/icon.svg', alt: '', width: 44, height: 44 }),
    // The lines of the greeting are its paragraphs.
    prose((receipt.html ?? '').replaceAll('<br />', '</p><p>'), words),
    el('h2', {}, words.tryOne),
    el(
      'ul',
      {},
      (receipt.actions ?? []).map(({ label, value }) =>
        el('li', {}, el('button', { type: 'button', onclick: () => send(value ?? label) }, label)),
      ),
    ),
  )
  section.hidden = !messages.empty
}

// --- threads and their names

let refreshing
function refreshThreads() {
  // Several changes come at once; one look is enough.
  if (refreshing) return
  refreshing = setTimeout(async () => {
    refreshing = undefined
    const { threads: lines } = await api.threads().catch(() => ({}))
    if (!lines) return
    threads.set(lines)
    drawTitle()
  }, 150)
}
setInterval(() => {
  if (!document.hidden && thread) refreshThreads()
}, listRefresh)

const named = () => /^#\/([A-Za-z0-9._-]{1,64})$/.exec(location.hash)?.[1]

function newThread() {
  location.hash = `#/${newKey().slice(0, 12)}`
  panels.close()
  composer.focus()
}

byId('new-thread').addEventListener('click', newThread)
addEventListener('hashchange', () => {
  const name = named()
  if (name && name !== thread) openThread(name)
})

// --- who is here

const who = byId('who')

function drawPerson() {
  byId('person-name').textContent = person.name
  byId('person').dataset.initial = [...person.name][0]?.toUpperCase() ?? ''
  byId('person').setAttribute('aria-label', words.changeName(person.name))
  byId('person').hidden = person.name === ''
}

byId('who-form').addEventListener('submit', (event) => {
  const name = byId('who-name').value.normalize('NFC').replace(/\p{C}/gu, '').replace(/\s+/g, ' ').trim()
  if (name === '') {
    event.preventDefault()
    return
  }
  person.name = name
  localStorage.setItem('hermes.name', name)
  begin()
})
who.addEventListener('cancel', (event) => {
  if (person.name === '') event.preventDefault()
})
byId('person').addEventListener('click', () => {
  byId('who-name').value = person.name
  who.showModal()
})

async function begin() {
  drawPerson()
  const { threads: lines = [] } = await api.threads().catch(() => ({}))
  threads.set(lines)
  const name = named() ?? localStorage.getItem('hermes.thread') ?? threads.latest() ?? newKey().slice(0, 12)
  if (named() === name) openThread(name)
  else location.replace(`#/${name}`)
  composer.focus()
}

drawPerson()
if (person.name === '') who.showModal()
else begin()

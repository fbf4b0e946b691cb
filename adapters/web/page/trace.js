import { byId, el } from './dom.js'

/** The panel that shows how an answer came about. */
export function createTrace({ words, load, closed }) {
  const panel = byId('trace')
  const opener = byId('open-trace')
  let shown

  function hide() {
    shown = undefined
    panel.hidden = true
    panel.replaceChildren()
    opener.setAttribute('aria-expanded', 'false')
    closed()
  }

  function frame(...content) {
    const close = el(
      'button',
      { class: 'icon', type: 'button', 'aria-label': words.close, onclick: hide },
      cross(),
    )
    const head = el('header', {}, el('h2', { tabindex: -1 }, words.traceOf), close)
    panel.replaceChildren(head, ...content)
    return head.firstChild
  }

  return {
    get shown() {
      return shown
    },
    hide,
    async show(turn, { focus = true } = {}) {
      shown = turn
      panel.hidden = false
      opener.setAttribute('aria-expanded', 'true')
      if (panel.childElementCount === 0) frame()
      let content
      try {
        const { trace } = await load(turn)
        const total = Math.max(1, ...trace.map((node) => node.startedMs + node.durationMs))
        content = el(
          'ol',
          { class: 'nodes' },
          trace.map((node) => drawNode(node, total)),
        )
      } catch (error) {
        content = el('p', { class: 'hint' }, error.status === 404 ? words.noTrace : error.message)
      }
      if (shown !== turn) return
      const heading = frame(content)
      if (focus) heading.focus()
    },
  }
}

function drawNode(node, total) {
  const bar = el('span', { class: 'bar', 'aria-hidden': 'true' }, el('i', {}))
  bar.firstChild.style.marginInlineStart = `${(100 * node.startedMs) / total}%`
  bar.firstChild.style.width = `${Math.max(1.5, (100 * node.durationMs) / total)}%`
  const facts = Object.entries(node.attributes)
  const failed = node.outcome !== 'ok'
  const line = [
    el('span', { class: 'node-name' }, node.name),
    failed && el('span', { class: 'outcome' }, node.outcome),
    el('span', { class: 'took' }, duration(node.durationMs)),
    bar,
  ]
  const body =
    facts.length === 0
      ? el('div', { class: 'line' }, line)
      : el(
          'details',
          {},
          el('summary', { class: 'line' }, line),
          el(
            'dl',
            {},
            facts.map(([name, value]) => [el('dt', {}, name), el('dd', {}, shownValue(value))]),
          ),
        )
  const inner =
    node.children.length > 0 &&
    el(
      'ol',
      {},
      node.children.map((child) => drawNode(child, total)),
    )
  return el('li', { class: failed ? 'failed' : undefined }, body, inner)
}

function duration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function shownValue(value) {
  // Such as what spoke for each tool: a line for each.
  if (Array.isArray(value) && value.some((one) => typeof one === 'string' && one.includes(' ')))
    return value.map((one) => el('div', {}, String(one)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function cross() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', 'M5 5l10 10M15 5L5 15')
  svg.append(path)
  return svg
}

/** A request that was refused; `detail` is a sentence for people. */
export class Refusal extends Error {
  constructor(problem, status) {
    super(problem.detail ?? `The server answered ${status}.`)
    this.status = status
    this.retryable = status === 0 || status >= 500 || status === 429
  }
}

/** A new key, by which the server knows a repeat. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function ask(method, path, body) {
  let response
  try {
    response = await fetch(path, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(15_000),
    })
  } catch {
    throw new Refusal({ detail: undefined }, 0)
  }
  // The login has run out: the page itself shows the form.
  if (response.status === 401) location.reload()
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Refusal(answer, response.status)
  return answer
}

/** The web channel's API for one person. */
export function createApi(person) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const who = () => ({ user: person.name, timeZone, language: navigator.language })
  const path = (thread) => `/api/threads/${encodeURIComponent(thread)}`
  return {
    events: (thread) => `${path(thread)}/events`,
    threads: () => ask('GET', `/api/threads?user=${encodeURIComponent(person.name)}`),
    earlier: (thread, before) => ask('GET', `${path(thread)}?before=${encodeURIComponent(before)}`),
    trace: (thread, turn) => ask('GET', `${path(thread)}/turns/${encodeURIComponent(turn)}/trace`),
    opened: (thread) => ask('POST', `${path(thread)}/opened`, { ...who(), key: newKey() }),
    send: (thread, text, key, attachments = []) =>
      ask('POST', `${path(thread)}/messages`, {
        ...who(),
        text,
        key,
        ...(attachments.length > 0 ? { attachments } : {}),
      }),
    change: (thread, id, text) =>
      ask('PATCH', `${path(thread)}/messages/${encodeURIComponent(id)}`, { ...who(), text, key: newKey() }),
    remove: (thread, id) => ask('DELETE', `${path(thread)}/messages/${encodeURIComponent(id)}`, who()),
    act: (thread, action) => ask('POST', '/api/actions', { ...who(), thread, key: newKey(), ...action }),
  }
}

const hiddenLimit = 60_000

/**
 * Follows a thread. The browser connects again by itself after a break, and each connection begins with a
 * snapshot. A page that is hidden for a while lets go, since browsers allow few connections to one host.
 */
export function follow(address, on) {
  let source
  let retry
  let hidden
  let closed = false
  let pause = 500

  const open = () => {
    clearTimeout(retry)
    source?.close()
    if (closed) return
    source = new EventSource(address)
    source.onopen = () => {
      pause = 500
      on.connected(true)
    }
    source.onerror = () => {
      on.connected(false)
      // After an answer that is no stream the browser gives up.
      if (source.readyState !== EventSource.CLOSED) return
      retry = setTimeout(open, pause)
      pause = Math.min(pause * 2, 10_000)
    }
    for (const name of ['snapshot', 'message', 'card', 'draft', 'state']) {
      source.addEventListener(name, (event) => on[name](JSON.parse(event.data)))
    }
  }

  const visibility = () => {
    clearTimeout(hidden)
    if (!document.hidden) {
      if (source.readyState === EventSource.CLOSED) open()
      return
    }
    hidden = setTimeout(() => {
      clearTimeout(retry)
      source.close()
    }, hiddenLimit)
  }
  document.addEventListener('visibilitychange', visibility)
  open()

  return () => {
    closed = true
    clearTimeout(retry)
    clearTimeout(hidden)
    document.removeEventListener('visibilitychange', visibility)
    source.close()
  }
}

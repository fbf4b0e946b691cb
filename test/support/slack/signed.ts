import { createHmac } from 'node:crypto'
import type { Attempt, Transport } from './delivery.ts'

/** Where signed requests go: an address, or a handler of requests. */
export type Endpoint = string | ((request: Request) => Promise<Response>)

/** The request that Slack makes for one try, signed. */
export function signedRequest(
  attempt: Attempt,
  secret: string,
  url: string,
  changes: { readonly at?: number; readonly signature?: string; readonly body?: string } = {},
): Request {
  const json = JSON.stringify(attempt.body)
  const form =
    attempt.kind === 'interactive'
      ? new URLSearchParams({ payload: json }).toString()
      : new URLSearchParams(attempt.body as Record<string, string>).toString()
  const body = changes.body ?? (attempt.kind === 'events_api' ? json : form)
  const stamp = String(Math.floor((changes.at ?? Date.now()) / 1000))
  const hash = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')
  return new Request(url, {
    method: 'POST',
    body,
    headers: {
      'content-type':
        attempt.kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': changes.signature ?? `v0=${hash}`,
      ...(attempt.retryNum > 0
        ? {
            'x-slack-retry-num': String(attempt.retryNum),
            'x-slack-retry-reason': attempt.retryReason ?? 'http_error',
          }
        : {}),
    },
  })
}

/** Delivery by signed HTTP POST. */
export function createSigned(endpoint: Endpoint, secret: string): Transport {
  return {
    async send(attempt, limitMs) {
      const url = typeof endpoint === 'string' ? endpoint : 'http://127.0.0.1/slack/events'
      const request = signedRequest(attempt, secret, url)
      const limit = AbortSignal.timeout(limitMs)
      try {
        const answered = typeof endpoint === 'string' ? fetch(request, { signal: limit }) : endpoint(request)
        const response = await Promise.race([answered, aborted(limit)])
        if (response === undefined) return { taken: false, reason: 'http_timeout' }
        if (!response.ok) return { taken: false, reason: `http_error ${response.status}` }
        return { taken: true, payload: payloadOf(await response.text()) }
      } catch (error) {
        return { taken: false, reason: `connection_failed ${String(error)}` }
      }
    },
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
}

function payloadOf(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return { text: body }
  }
}

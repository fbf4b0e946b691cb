import { type ServerType, serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { HermesError } from '../base/errors.ts'
import { within } from '../base/wait.ts'
import type { Settings } from '../config/environment.ts'

/** Begins to listen, at an address of its own where the port is 0. */
export function listen(http: Hono, at: Settings['http']): Promise<{ server: ServerType; address: string }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: http.fetch, hostname: at.host, port: at.port }, (info) => {
      const host = info.family === 'IPv6' ? `[${info.address}]` : info.address
      resolve({ server, address: `http://${host}:${info.port}` })
    })
    server.once('error', (error: Error & { code?: string }) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new HermesError('http.port_taken', `Port ${at.port} is taken. Set PORT to another one.`, {
              cause: error,
            })
          : error,
      )
    })
  })
}

/** Requests under way are answered first, so that nobody has to guess whether a click counted. */
export async function closeServer(server: ServerType | undefined): Promise<void> {
  if (!server) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await within(1_500, 'Answering what is under way', closed).catch(() => {})
  if ('closeAllConnections' in server) server.closeAllConnections()
  await within(500, 'Closing the server', closed).catch(() => {})
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** An MCP server over HTTP on loopback. */
export interface OfficeServer {
  readonly url: string
  stop(): Promise<void>
}

/** Serves what `register` puts into a server; each request stands for itself, so nothing is kept between them. */
export async function serveOffice(
  name: string,
  register: (server: McpServer) => void,
): Promise<OfficeServer> {
  const http = createServer((request, response) => {
    const server = new McpServer({ name, version: '1.0.0' })
    register(server)
    const transport = new StreamableHTTPServerTransport({})
    void server
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response))
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async stop() {
      http.closeAllConnections()
      await new Promise<void>((resolve) => http.close(() => resolve()))
    },
  }
}

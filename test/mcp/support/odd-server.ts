// A stdio server with the manners that real ones have on bad days. Its behaviour is JSON in the first argument.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

const behaviour = JSON.parse(process.argv[2] ?? '{}') as {
  dies?: string
  hangs?: boolean
  noise?: boolean
  listDelayMs?: number
  /** Each page names a next one. */
  endless?: 'same' | 'new'
  pages?: readonly (readonly unknown[])[]
  /** A file with `{tools, instructions}` that is read at each start and listing. */
  definitions?: string
  /** A file that gets the id of a process which this server leaves behind. */
  grandchild?: string
  ignoresEnd?: boolean
  /** A file that gets a line for every call. */
  calls?: string
}

if (behaviour.dies !== undefined) {
  process.stderr.write(`${behaviour.dies}\n`)
  process.exit(3)
}
if (behaviour.noise) console.log('Starting up… {not json}')
if (behaviour.ignoresEnd) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
if (behaviour.grandchild !== undefined) {
  const child = spawn('sh', ['-c', 'trap "" HUP; sleep 300'], { stdio: ['ignore', 'inherit', 'inherit'] })
  writeFileSync(behaviour.grandchild, String(child.pid))
  child.unref()
}
if (behaviour.hangs) {
  process.stdin.resume()
} else {
  await serve()
}

async function serve(): Promise<void> {
  let waiting: { resolve(): void } | undefined
  const definitions = () =>
    behaviour.definitions === undefined
      ? {}
      : (JSON.parse(readFileSync(behaviour.definitions, 'utf8')) as {
          tools?: unknown[]
          instructions?: string
        })
  const server = new Server(
    { name: 'odd', version: '1.2.3' },
    { capabilities: { tools: { listChanged: true } }, instructions: definitions().instructions },
  )
  // Raw lists, since the SDK would not let a broken tool through.
  server.setRequestHandler(
    z.object({ method: z.literal('tools/list'), params: z.any().optional() }),
    async (request) => {
      await delay(behaviour.listDelayMs ?? 0)
      if (behaviour.noise) console.log('a tool list was asked for')
      const pages = behaviour.pages ?? [definitions().tools ?? []]
      const index = Number(request.params?.cursor ?? 0)
      if (behaviour.endless) {
        const tool = { name: `tool-${index}`, inputSchema: { type: 'object' } }
        return { tools: [tool], nextCursor: behaviour.endless === 'same' ? '0' : String(index + 1) }
      }
      const nextCursor = index + 1 < pages.length ? String(index + 1) : undefined
      return { tools: [...(pages[index] ?? [])], nextCursor }
    },
  )
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (behaviour.calls !== undefined)
      writeFileSync(behaviour.calls, `${JSON.stringify(params)}\n`, { flag: 'a' })
    const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] })
    const args = params.arguments ?? {}
    switch (args.do) {
      case 'die':
        process.stderr.write('panic: out of memory, token=sk-abcdefghijklmnopqrstuvwx\n')
        process.exit(7)
        break
      case 'sleep':
        extra.signal.addEventListener('abort', () => writeFileSync(String(args.file), 'cancelled'))
        await delay(Number(args.ms))
        return text('slept')
      case 'wait-for-next': {
        // Answers the first of two calls once the second has come, which is the one that gets no answer.
        const before = waiting
        const next = Promise.withResolvers<void>()
        waiting = before ? undefined : next
        before?.resolve()
        await next.promise
        return text('late, but here')
      }
      case 'progress':
        for (let step = 1; step <= Number(args.steps); step++) {
          await delay(Number(args.ms))
          const token = params._meta?.progressToken ?? 0
          const progress = {
            progressToken: token,
            progress: step,
            total: Number(args.steps),
            message: `step ${step}`,
          }
          await extra.sendNotification({ method: 'notifications/progress', params: progress })
        }
        return text('done')
      case 'large':
        return text('x'.repeat(Number(args.bytes)))
      case 'fail':
        return { ...text(String(args.why)), isError: true }
      case 'announce':
        await server.sendToolListChanged()
        return text('announced')
      case 'env':
        return text(JSON.stringify(process.env))
      case 'exit-later':
        setTimeout(() => process.exit(0), 50)
        return text('leaving')
      default:
        return text(JSON.stringify({ name: params.name, args, pid: process.pid }))
    }
    return text('')
  })
  await server.connect(new StdioServerTransport())
}

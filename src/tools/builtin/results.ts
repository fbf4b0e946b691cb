import { z } from 'zod'
import { valuesAt } from '../../base/json-path.ts'
import type { Database } from '../../store/client.ts'
import type { StoredResult } from '../../store/prisma/client.ts'
import { defineTool } from '../definition.ts'
import { jsonDigest } from '../results/digest/json.ts'
import { isFile } from '../results/files.ts'
import { pageOf } from '../results/results.ts'
import { type Tool, ToolFailure } from '../tool.ts'

/** The most values that a path gives at once. */
const mostFound = 200

/** Reading on in results that were too long to be told whole. */
export function resultTools(parts: { db: Database; pageTokens: number }): readonly Tool[] {
  return [
    defineTool({
      name: 'read_result',
      title: { en: 'Read result', zh: '阅读结果' },
      useWhen:
        'an earlier result was shortened and names a reference (ref_…), and the part that is needed is not shown.',
      notWhen: 'the shortened result holds what is needed.',
      returns:
        'one page of the stored text and how many there are; or the values at a path; or the lines around a word.',
      failsWith:
        'not found, where nothing is stored under that reference in this conversation; a sentence, where the path can not be read.',
      effect: 'read',
      idempotent: true,
      askless: true,
      activity: { en: 'Reading on', zh: '正在继续阅读' },
      input: z.object({
        ref: z.string().trim().max(60).describe('For example ref_0192…'),
        page: z.number().int().min(1).default(1).describe('From 1'),
        path: z
          .string()
          .trim()
          .max(300)
          .optional()
          .describe('Of JSON: a JSONPath such as $.orders[?@.amount > 100].id'),
        search: z.string().trim().max(100).optional().describe('Only lines around this text'),
      }),
      async run(args, context) {
        const stored = await parts.db.storedResult.findFirst({
          where: { id: args.ref, sessionId: context.session.id, expiresAt: { gt: context.now } },
        })
        if (!stored)
          throw new ToolFailure(
            'not_found',
            'Nothing is stored under that reference here, or it has aged out.',
          )
        if (isFile(stored)) {
          return { content: `${args.ref} is a file (${stored.mediaType}), which can not be read as text.` }
        }
        if (args.path) return { content: told(at(stored, args.path), args.page) }
        if (args.search) return { content: told(linesAround(stored.text, args.search), args.page) }
        return { content: told(stored.text, args.page) }
      },
    }),
  ]

  function told(text: string, wanted: number): string {
    const { text: shown, page, pages } = pageOf(text, wanted, parts.pageTokens)
    return pages === 1 ? shown : `Page ${page} of ${pages}:\n${shown}`
  }

  function at(stored: StoredResult, path: string): string {
    let data: unknown
    try {
      data = JSON.parse(stored.text)
    } catch {
      throw new ToolFailure('validation', 'That result is no JSON: read it by page or search.')
    }
    const at = valuesAt(path, data, mostFound + 1)
    if ('problem' in at) throw new ToolFailure('validation', `The path can not be read: ${at.problem}`)
    const found = at.values
    if (found.length === 0) return `Nothing is at ${path}.`
    const text = JSON.stringify(found.length === 1 ? found[0] : found.slice(0, mostFound))
    const digest = text.length > parts.pageTokens * 12 ? jsonDigest(found, parts.pageTokens * 3) : text
    return found.length > mostFound ? `${digest}\n(Only the first ${mostFound} are shown.)` : digest
  }
}

function linesAround(text: string, search: string): string {
  const lines = text.split('\n')
  const wanted = search.toLowerCase()
  // A line of a result may be all of it.
  const short = (line: string) => {
    const found = line.toLowerCase().indexOf(wanted)
    return line.length <= 400 ? line : `…${line.slice(Math.max(0, found - 150), Math.max(300, found + 250))}…`
  }
  const around = new Set<number>()
  for (const [index, line] of lines.entries()) {
    if (!line.toLowerCase().includes(wanted)) continue
    for (const near of [index - 1, index, index + 1]) around.add(near)
    if (around.size > 2_000) break
  }
  const found = lines.flatMap((line, index) => (around.has(index) ? [short(line)] : [])).join('\n')
  return found === '' ? `No line holds "${search}".` : found
}

/** Erases the results whose time is over. Gives how many those were. */
export async function eraseOldResults(db: Database, now: Date): Promise<number> {
  return db.$executeRaw`DELETE FROM stored_result WHERE expires_at <= ${now}`
}

import { z } from 'zod'
import type { Attachment } from '../../src/channel/events.ts'
import type { SlackClient } from './client.ts'

/** A file as events carry it. */
export const fileSchema = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  file_access: z.string().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
})

export type SlackFile = z.infer<typeof fileSchema>

/** How much of files is read. The event is acknowledged only afterwards, so the time is short. */
export interface FileLimits {
  readonly textBytes: number
  readonly imageBytes: number
  /** For all files of a message together, ms. */
  readonly withinMs: number
  readonly count: number
}

export const fileLimits: FileLimits = {
  textBytes: 200_000,
  imageBytes: 4_000_000,
  withinMs: 1_500,
  count: 10,
}

const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|csv|javascript|x-sh|x-python|sql|x-ndjson))/
const textNames =
  /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ya?ml|toml|xml|html?|log|ini|conf|env|sql|sh|py|js|ts|tsx|jsx|go|rs|java|kt|rb|php|c|h|cpp|cs|swift|diff|patch)$/i
const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/

/** Reads the files of a message. Never rejects: what can't be read says why. */
export async function readFiles(
  client: SlackClient,
  files: readonly SlackFile[],
  limits: FileLimits,
): Promise<Attachment[]> {
  const limit = AbortSignal.timeout(limits.withinMs)
  const read = files.slice(0, limits.count).map((file) => readFile(client, file, limits, limit))
  const rest = files.slice(limits.count).map((file) => ({
    ...base(file),
    problem: `Only the first ${limits.count} files of a message are read.`,
  }))
  return [...(await Promise.all(read)), ...rest]
}

function base(file: SlackFile) {
  return {
    name: file.name || file.title || file.id,
    mediaType: file.mimetype || 'application/octet-stream',
    size: file.size ?? 0,
  }
}

async function readFile(
  client: SlackClient,
  file: SlackFile,
  limits: FileLimits,
  limit: AbortSignal,
): Promise<Attachment> {
  const about = base(file)
  const isImage = imageTypes.test(about.mediaType)
  const isText = !isImage && (textTypes.test(about.mediaType) || textNames.test(about.name))
  const url = file.url_private_download ?? file.url_private
  if (
    file.mode === 'tombstone' ||
    file.mode === 'hidden_by_limit' ||
    file.file_access === 'check_file_info'
  ) {
    return { ...about, problem: 'Slack does not give this file out.' }
  }
  if (!isImage && !isText) return { ...about, problem: `Files of type ${about.mediaType} can't be read.` }
  const most = isImage ? limits.imageBytes : limits.textBytes
  if (about.size > most) {
    return { ...about, problem: `The file is too large to be read (at most ${Math.floor(most / 1000)} kB).` }
  }
  if (!url || !mayHoldFiles(url, client.apiUrl)) {
    return { ...about, problem: 'Slack gave no address for this file.' }
  }
  const bytes = await download(client, url, most, limit)
  if ('problem' in bytes) return { ...about, problem: bytes.problem }
  if (isImage) {
    return {
      ...about,
      image: `data:${about.mediaType};base64,${Buffer.from(bytes.content).toString('base64')}`,
    }
  }
  const text = new TextDecoder('utf-8').decode(bytes.content)
  return text.includes('\0') ? { ...about, problem: 'The file is not text.' } : { ...about, text }
}

/** The token goes to Slack only. */
function mayHoldFiles(url: string, apiUrl: string): boolean {
  try {
    const { protocol, hostname, origin } = new URL(url)
    return (
      origin === new URL(apiUrl).origin || (protocol === 'https:' && /(?:^|\.)slack\.com$/.test(hostname))
    )
  } catch {
    return false
  }
}

async function download(
  client: SlackClient,
  url: string,
  most: number,
  limit: AbortSignal,
): Promise<{ readonly content: Uint8Array } | { readonly problem: string }> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${client.token}` },
      redirect: 'error',
      signal: limit,
    })
    // Without the right to a file Slack answers with its sign-in page.
    const isPage = response.headers.get('content-type')?.startsWith('text/html')
    if (!response.ok || (isPage && !/\.html?(?:$|\?)/i.test(url))) {
      await response.body?.cancel()
      return { problem: 'Slack did not give the file out; the app may lack the scope files:read.' }
    }
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > most) return { problem: 'The file is larger than Slack said.' }
      parts.push(part)
    }
    return { content: Buffer.concat(parts) }
  } catch {
    return { problem: 'The file could not be fetched from Slack in time.' }
  }
}

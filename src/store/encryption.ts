import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HermesError } from '../base/errors.ts'

/** Seals texts for the database. The context (for example a table and an id) binds a sealed text to its place. */
export interface Sealer {
  seal(text: string, context: string): string
  /** Throws `store.cannot_open` for a text sealed with another key or context, or changed since. */
  open(sealed: string, context: string): string
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** Makes a sealer (AES-256-GCM) from a key of 32 bytes. */
export function createSealer(key: Uint8Array): Sealer {
  // A key of its own for sealing, so that the same secret can serve other purposes under other names.
  const sealing = Buffer.from(hkdfSync('sha256', key, '', 'hermes sealing v1', keyBytes))
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(sealed, context) {
      const [found, encoded] = sealed.split('.')
      const bytes = Buffer.from(encoded ?? '', 'base64url')
      if (found !== version || bytes.length < nonceBytes + tagBytes) {
        throw new HermesError('store.cannot_open', 'This is not a text that Hermes has sealed.', {
          data: { context },
        })
      }
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
        const body = bytes.subarray(nonceBytes, -tagBytes)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new HermesError(
          'store.cannot_open',
          'A sealed text could not be opened: it was sealed with another key, or changed. Is HERMES_SECRET_KEY (or secret.key in HERMES_HOME) the one it was sealed with?',
          { data: { context }, cause },
        )
      }
    },
  }
}

const minSecret = 16

/**
 * The key from HERMES_SECRET_KEY: 32 bytes in base64 as they are, or any other text of at least 16
 * characters, stretched with scrypt.
 */
export function keyFromSecret(secret: string): Uint8Array {
  const text = secret.trim()
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64')
  if (text.length < minSecret) {
    throw new HermesError(
      'store.weak_key',
      `HERMES_SECRET_KEY needs at least ${minSecret} characters. Make one with: openssl rand -base64 32`,
    )
  }
  // A fixed salt: the same secret has to give the same key on every machine of an installation.
  return scryptSync(text, 'hermes secret key v1', keyBytes, {
    N: 2 ** 15,
    r: 8,
    p: 1,
    maxmem: 64 * 1024 * 1024,
  })
}

/** The key in `secret.key` in the directory; made, readable by the owner alone, where there is none. */
export async function keyFromFile(directory: string): Promise<Uint8Array> {
  const path = join(directory, 'secret.key')
  const found = await readFile(path, 'utf8').catch(ifMissing)
  if (found !== undefined) return checkedKey(found, path)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Written beside its place and linked, so that of two first starts one key wins, whole.
  const making = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(making, `${randomBytes(keyBytes).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    await link(making, path).catch(ifExists)
  } finally {
    await unlink(making)
  }
  return checkedKey(await readFile(path, 'utf8'), path)
}

function checkedKey(text: string, path: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === keyBytes) return key
  throw new HermesError(
    'store.bad_key_file',
    `${path} does not hold a key of ${keyBytes} bytes in base64. Put it back from a backup; what was sealed with it can't be read without it.`,
    { data: { path } },
  )
}

function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

function ifExists(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

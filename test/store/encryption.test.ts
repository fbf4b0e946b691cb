import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSealer, keyFromFile, keyFromSecret } from '../../src/store/encryption.ts'
import fc from '../support/properties.ts'

describe('a sealer', () => {
  const sealer = createSealer(randomBytes(32))

  test('gives back any text in the context that it was sealed for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(sealer.open(sealer.seal(text, context), context)).toBe(text)
      }),
    )
  })

  test('never seals the same text to the same characters, nor shows it', () => {
    const sealed = [sealer.seal('a secret token', 'slack:T1'), sealer.seal('a secret token', 'slack:T1')]
    expect(sealed[0]).not.toBe(sealed[1])
    expect(Buffer.from(sealed[0]!.slice(3), 'base64url').includes('secret')).toBe(false)
  })

  test('refuses another key, another context and any changed character', () => {
    const sealed = sealer.seal('a secret token', 'slack:T1')
    const refusal = { code: 'store.cannot_open', message: expect.stringContaining('HERMES_SECRET_KEY') }
    expect(() => createSealer(randomBytes(32)).open(sealed, 'slack:T1')).toThrow(
      expect.objectContaining(refusal),
    )
    expect(() => sealer.open(sealed, 'slack:T2')).toThrow(expect.objectContaining(refusal))
    for (let index = 3; index < sealed.length; index += 1) {
      const other = sealed[index] === 'A' ? 'Q' : 'A'
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1)
      expect(() => sealer.open(changed, 'slack:T1')).toThrow(
        expect.objectContaining({ code: 'store.cannot_open' }),
      )
    }
  })

  test.each(['', 'v1.', 'v2.AAAA', 'a plain text', 'v1.AAAA'])(
    'refuses %j, which it has not sealed',
    (text) => {
      expect(() => sealer.open(text, '')).toThrow(expect.objectContaining({ code: 'store.cannot_open' }))
    },
  )
})

describe('a key from HERMES_SECRET_KEY', () => {
  test('is the bytes themselves where they are 32 in base64, of either alphabet', () => {
    const bytes = randomBytes(32)
    expect(keyFromSecret(bytes.toString('base64'))).toEqual(bytes)
    expect(keyFromSecret(bytes.toString('base64url'))).toEqual(bytes)
  })

  test('is the same for the same passphrase, also with a line end, and differs for another', () => {
    const key = keyFromSecret('correct horse battery staple')
    expect(key).toHaveLength(32)
    expect(keyFromSecret('correct horse battery staple\n')).toEqual(key)
    expect(keyFromSecret('correct horse battery staples')).not.toEqual(key)
  })

  test('is refused where it is too short', () => {
    expect(() => keyFromSecret('short')).toThrow(expect.objectContaining({ code: 'store.weak_key' }))
  })
})

describe('a key file', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hermes-key-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  test('is made once, for its owner alone, also when several start together', async () => {
    const home = join(directory, 'home')
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyFromFile(home)))
    for (const key of keys) expect(key).toEqual(keys[0])
    expect(await keyFromFile(home)).toEqual(keys[0])
    expect((await stat(join(home, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(home)).toEqual(['secret.key'])
  })

  test('is refused where it was damaged, and is not replaced', async () => {
    await writeFile(join(directory, 'secret.key'), 'AAAA\n')
    await expect(keyFromFile(directory)).rejects.toMatchObject({ code: 'store.bad_key_file' })
    await expect(keyFromFile(directory)).rejects.toMatchObject({ code: 'store.bad_key_file' })
  })
})

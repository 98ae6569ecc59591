/**
 * The key-encryption keys (Chapter 50 §9): the current one wraps new data keys; the others only open what they
 * wrapped before, until a rotation has re-wrapped it.
 *
 *   { "current": "k2", "keys": { "k1": "<32 bytes in base64>", "k2": "<32 bytes in base64>" } }
 *
 * No message here contains any part of the text that was read, not even a parser's error, which would quote it.
 */

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { StartupError } from '#server/process/startup-error.ts'
import { runKeyCommand } from './key-command.ts'
import { changeKeyFile, createKeyFile, readKeyFile } from './key-file.ts'
import { VaultError } from './vault-error.ts'

export interface KeyRing {
  readonly current: string
  readonly keys: ReadonlyMap<string, KeyObject>
}

interface KeyRingSource {
  readonly file?: string | undefined
  /** The same JSON from the environment; takes precedence over the file. */
  readonly text?: string | undefined
  /** A command that prints the same JSON and gets the content of the file; takes precedence over both. */
  readonly command?: string | undefined
  /** Creates the file if it is missing: for the sandbox. Elsewhere a missing file is a lost one. */
  readonly create: boolean
}

export interface KeyRingRead {
  readonly ring: KeyRing
  readonly warnings: readonly string[]
}

/** The source that the settings name. */
export function keySource({ keys, keyFile, keyCommand }: KeySettings): Omit<KeyRingSource, 'create'> {
  if (keyCommand !== null) return { command: keyCommand, file: keyFile ?? undefined }
  return keys === null ? { file: keyFile ?? '' } : { text: keys }
}

interface KeySettings {
  readonly keys: string | null
  readonly keyFile: string | null
  readonly keyCommand: string | null
}

export async function readKeyRing({ file, text, command, create }: KeyRingSource): Promise<KeyRingRead> {
  if (command !== undefined) {
    const { text: wrapped, warnings } =
      file === undefined ? { text: '', warnings: [] } : await readKeyFile(file, 'latin1')
    const printed = await runKeyCommand(command, Buffer.from(wrapped, 'latin1'))
    return { ring: parseKeyRing(printed, 'The output of GATEHOUSE_KEY_COMMAND'), warnings }
  }
  if (text !== undefined) return { ring: parseKeyRing(text, 'The text of the key-encryption keys'), warnings: [] }
  if (file === undefined) {
    throw new StartupError(
      'No key-encryption key is configured.',
      'Set GATEHOUSE_KEY_FILE, GATEHOUSE_KEYS or GATEHOUSE_KEY_COMMAND.',
    )
  }

  if (create) await createKeyFile(file, firstRing)
  const { text: content, warnings } = await readKeyFile(file)
  return { ring: parseKeyRing(content, `The key file ${file}`), warnings }
}

/** Makes a new key the current one and returns its id. Nothing is re-wrapped yet: the rotation does that. */
export async function addKey(file: string): Promise<string> {
  let added = ''
  await changeKeyFile(file, (text) => {
    parseKeyRing(text, `The key file ${file}`)
    const { keys } = parseShape(text, `The key file ${file}`)
    added = nextId(Object.keys(keys))
    return print({ current: added, keys: { ...keys, [added]: newKeyText() } })
  })
  return added
}

function parseKeyRing(text: string, title: string): KeyRing {
  const { current, keys } = parseShape(text, title)
  const ring = new Map<string, KeyObject>()
  for (const [id, base64] of Object.entries(keys)) {
    if (!ID.test(id)) throw new StartupError(`${title} has a key with an invalid name.`, ID_REMEDY)
    if (!BASE64_OF_32_BYTES.test(base64)) {
      throw new StartupError(`${title}: the key ${id} is not 32 bytes in base64.`, 'Restore the key from your copy.')
    }
    ring.set(id, createSecretKey(base64, 'base64'))
  }

  if (!ring.has(current)) {
    throw new StartupError(
      `${title} has a current key that is not among its keys.`,
      `Set "current" to one of: ${[...ring.keys()].join(', ') || 'none is there'}.`,
    )
  }
  return { current, keys: ring }
}

/** The ring of a running process, which may be outdated by a rotation in another process. */
export class HeldRing {
  #ring: KeyRing
  readonly #reread: (() => Promise<KeyRing>) | undefined

  constructor(ring: KeyRing, reread?: () => Promise<KeyRing>) {
    this.#ring = ring
    this.#reread = reread
  }

  /** Reads the file again for an unknown id, because the file may have gained it after the start. */
  async loadKek(id: string): Promise<KeyObject> {
    const kek = this.#ring.keys.get(id) ?? (await this.#fresh()).keys.get(id)
    if (!kek) throw new VaultError(`The key-encryption key ${id} is not on the key ring.`)
    return kek
  }

  /**
   * Reads the file again, because a data key wrapped under a superseded key would be lost once that key is removed. An unreadable file is
   * an error for the same reason: what it would wrap could not be opened after a restart.
   */
  async loadCurrentKek(): Promise<{ readonly id: string; readonly kek: KeyObject }> {
    const { current } = await this.#fresh()
    return { id: current, kek: await this.loadKek(current) }
  }

  async #fresh(): Promise<KeyRing> {
    if (this.#reread) this.#ring = await this.#reread()
    return this.#ring
  }
}

const ID = /^[A-Za-z0-9._-]{1,64}$/
const ID_REMEDY = 'Name keys with up to 64 letters, digits, dots, hyphens and underscores.'
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/

/** A ring with one new key, as text. */
function firstRing(): string {
  return print({ current: 'k1', keys: { k1: newKeyText() } })
}

function nextId(ids: readonly string[]): string {
  const numbers = ids.map((id) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0))
  return `k${Math.max(0, ...numbers) + 1}`
}

function newKeyText(): string {
  return randomBytes(32).toString('base64')
}

function print(content: z.infer<typeof shape>): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

const shape = z.strictObject({ current: z.string(), keys: z.record(z.string(), z.string()) })

function parseShape(text: string, title: string): z.infer<typeof shape> {
  const remedy =
    'It must have the form {"current":"k1","keys":{"k1":"<32 bytes in base64>"}}. Restore the original file or a copy.'
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new StartupError(`${title} is not JSON.`, remedy)
  }

  const parsed = shape.safeParse(json)
  if (!parsed.success) throw new StartupError(`${title} does not have the form of a key ring.`, remedy)
  return parsed.data
}

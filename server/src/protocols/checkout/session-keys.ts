/**
 * The RSA keys of session tokens: generated once per instance, stored encrypted in the database, and cached in memory.
 *
 * Generating a key of 4096 bits takes seconds. It runs outside the event loop and begins when the service starts; earlier callers wait for
 * it. A key that another process has rotated is noticed within minutes; until then the old key signs tokens that every process still
 * verifies.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { secret } from '#domain/secret.ts'
import { isUuid } from '#domain/uuid.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import type { SessionKeyRecord, SessionKeyRows } from '../../contracts/session-ports.ts'
import { PLATFORM_SCOPE, type Vault } from '../../vault/port.ts'

interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
}

export interface SessionKeys {
  readCurrent(): Promise<SigningKey>
  /** Null for a key that is not ours. */
  findPublicKey(id: string): Promise<KeyObject | null>
  /** From now on a new key signs. */
  rotate(): Promise<void>
}

interface SessionKeyParts {
  readonly rows: SessionKeyRows
  readonly vault: Vault
  readonly clock: Clock
  readonly ids: Ids
  readonly bits: number
}

/** How long this process relies on the current key without looking again. */
const lookAgainMs = 5 * 60_000

export function sessionKeys(parts: SessionKeyParts): SessionKeys {
  const publicKeys = new Map<string, KeyObject>()
  let held: { readonly key: Promise<SigningKey>; readonly until: number } | null = null

  const readCurrent = async (): Promise<SigningKey> => {
    const now = parts.clock.now().getTime()
    if (held === null || held.until <= now) held = { key: readCurrentKey(parts), until: now + lookAgainMs }
    const { key } = held
    try {
      return await key
    } catch (error) {
      held = null
      throw error
    }
  }
  return {
    readCurrent,
    findPublicKey: async (id) => {
      const known = publicKeys.get(id)
      if (known) return known
      const record = isUuid(id) ? await parts.rows.find(id) : null
      if (!record) return null
      const key = createPublicKey({ key: Buffer.from(record.spki), format: 'der', type: 'spki' })
      publicKeys.set(id, key)
      return key
    },
    rotate: async () => {
      await parts.rows.replace(await createKey(parts))
      held = null
      await readCurrent()
    },
  }
}

async function readCurrentKey(parts: SessionKeyParts): Promise<SigningKey> {
  const known = await parts.rows.findCurrent()
  if (known) return openSigningKey(parts, known)
  const fresh = await createKey(parts)
  if (await parts.rows.add(fresh)) return openSigningKey(parts, fresh)
  const theirs = await parts.rows.findCurrent()
  if (!theirs) throw new Error('The key of session tokens has disappeared.')
  return openSigningKey(parts, theirs)
}

const generatePair = promisify(generateKeyPair)

async function createKey({ vault, clock, ids, bits }: SessionKeyParts): Promise<SessionKeyRecord> {
  const { publicKey, privateKey } = await generatePair('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await vault.prepareScope(PLATFORM_SCOPE)
  const privateSealed = await vault.seal(PLATFORM_SCOPE, 'session-key', secret(privateKey))
  return { id: ids.next(), spki: publicKey, privateSealed, createdAt: clock.now() }
}

async function openSigningKey(
  { vault }: SessionKeyParts,
  { id, privateSealed }: SessionKeyRecord,
): Promise<SigningKey> {
  const pem = await vault.open(PLATFORM_SCOPE, 'session-key', privateSealed)
  return { id, privateKey: createPrivateKey(pem.reveal()) }
}

/** Moves keys through their rotation (Chapter 40 §5): which rows a step changes, and the transaction that writes them. */
import { limits } from '#domain/limits.ts'
import type { Clock, Ids } from '../../contracts/ports.ts'
import type { WalletKeyRecord, WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { PoolClient, Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { walletHistoryStore } from '../../store/wallets/wallet-history.ts'
import { walletKeyStore } from '../../store/wallets/wallet-keys.ts'
import { walletSettingsStore } from '../../store/wallets/wallet-settings.ts'

interface Rotation {
  readonly pool: Queryable
  readonly clock: Clock
  readonly ids: Ids
}

/**
 * Makes a `next` key the current one. The old processing key decrypts for a while longer, because tokens made for it are still in use. The
 * old identity pair is retired at once, because each session uses one pair only. Null if the key is not `next`.
 */
export function promoteKey(
  rotation: Rotation,
  recordKey: WalletRecordKey,
  fingerprint: string,
  { byUser, retireAfterMs = limits.wallet.retiringMs }: { readonly byUser: string; readonly retireAfterMs?: number },
): Promise<WalletKeyRecord | null> {
  return withRecordLocked(rotation, recordKey, async (client) => {
    const now = rotation.clock.now()
    const keys = await walletKeyStore(client).list(recordKey)
    const next = keys.find((key) => key.fingerprint === fingerprint && key.state === 'next')
    if (next === undefined) return null
    const old = keys.find(({ role, state }) => role === next.role && state === 'current')
    // The old key first: the table never holds two current keys of a role.
    if (old) {
      const until = new Date(now.getTime() + retireAfterMs)
      const after: WalletKeyRecord =
        old.role === 'identity' ? retiredKey(old, now) : { ...old, state: 'retiring', until }
      await walletKeyStore(client).change(after)
    }
    const current: WalletKeyRecord = { ...next, state: 'current', promotedAt: now }
    await walletKeyStore(client).change(current)
    await note(rotation, client, recordKey, {
      byUser,
      what: `The ${next.role} key was promoted.`,
      details: { current: next.fingerprint, previous: old?.fingerprint ?? null },
    })
    return current
  })
}

/** Destroys the private part; fingerprint and certificate stay. Null if there is no such active key. */
export function retireKey(
  rotation: Rotation,
  recordKey: WalletRecordKey,
  fingerprint: string,
  byUser: string,
): Promise<WalletKeyRecord | null> {
  return withRecordLocked(rotation, recordKey, async (client) => {
    const keys = await walletKeyStore(client).list(recordKey)
    const key = keys.find((one) => one.fingerprint === fingerprint && one.state !== 'retired')
    if (key === undefined) return null
    const after = retiredKey(key, rotation.clock.now())
    await walletKeyStore(client).change(after)
    await note(rotation, client, recordKey, {
      byUser,
      what: `The ${key.role} key was retired.`,
      details: { fingerprint },
    })
    return after
  })
}

/** Runs with the record locked, so that no two people change its keys at once. */
export function withRecordLocked<T>(
  { pool }: Rotation,
  recordKey: WalletRecordKey,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await walletSettingsStore(client).lock(recordKey)
    return work(client)
  })
}

interface WalletNote {
  readonly byUser: string
  readonly what: string
  readonly details: Readonly<Record<string, string | boolean | null | readonly string[]>>
}

export async function note(
  { clock, ids }: Pick<Rotation, 'clock' | 'ids'>,
  client: PoolClient,
  { merchantId, mode, wallet }: WalletRecordKey,
  { byUser, what, details }: WalletNote,
): Promise<void> {
  const change = { merchantId, mode, wallet, at: clock.now(), byUser, what, details: { ...details } }
  await walletHistoryStore(client).add(change, ids)
}

const retiredKey = (key: WalletKeyRecord, now: Date): WalletKeyRecord => ({
  ...key,
  state: 'retired',
  privateSealed: null,
  until: null,
  retiredAt: now,
})

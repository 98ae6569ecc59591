/**
 * User names and passwords of callback URLs, sealed, one row per pair and merchant. Every stored URL holds a reference instead, so that no
 * copy of the URL contains credentials and key rotation finds them all in one column.
 *
 * The reference is derived from a keyed fingerprint, so that equal pairs share a row however many payments send them.
 */
import { credentialsIn, referenceIn, withCredentials, withReference } from '#domain/address/callback-address.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { CallbackAddresses, Clock } from '../../contracts/ports.ts'
import type { Vault } from '../../vault/port.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface CallbackCredentialContext {
  readonly pool: Queryable
  readonly vault: Vault
  readonly clock: Clock
}

export function callbackAddresses({ pool, vault, clock }: CallbackCredentialContext): CallbackAddresses {
  return {
    async seal(merchantId, address) {
      const userInfo = credentialsIn(address)
      if (userInfo === null) return address
      const credentials = secret(userInfo)
      const reference = uuidOf(vault.fingerprint(merchantId, 'callback-credentials', credentials))
      const sealed = await vault.seal(merchantId, 'callback-credentials', credentials)
      await query(pool, keepCredentials, [merchantId, reference, sealed, clock.now()])
      return withReference(address, reference)
    },

    async open(merchantId, stored): Promise<Secret<string>> {
      const reference = referenceIn(stored)
      if (reference === null) return secret(stored)
      const [row] = await query(pool, findCredentials, [merchantId, reference])
      if (row === undefined) throw new Error('The credentials of a callback address are missing in the database.')
      const credentials = await vault.open(merchantId, 'callback-credentials', row.sealed)
      return secret(withCredentials(stored, credentials.reveal()))
    },
  }
}

/** The first 128 bits of the fingerprint. */
const uuidOf = (fingerprint: string): string =>
  fingerprint.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

const keepCredentials = sql<
  Record<never, never>,
  readonly [merchantId: string, id: string, sealed: Buffer, createdAt: Date]
>(
  'callback-credentials.keep',
  `insert into callback_credentials (merchant_id, id, sealed, created_at) values ($1, $2, $3, $4)
   on conflict (merchant_id, id) do nothing`,
)

const findCredentials = sql<{ sealed: Buffer }, readonly [merchantId: string, id: string]>(
  'callback-credentials.find',
  'select sealed from callback_credentials where merchant_id = $1 and id = $2',
)

/**
 * Erases the payer's data from payments and keeps the record of the money: amounts, transactions, ledger, and the card digits that identify
 * it in a dispute.
 *
 * The payment's version is raised, so that a simultaneous outcome is decided again. Callbacks are deleted entirely, because their bodies
 * repeat the data; a callback can be written again from the payment.
 */

import type { RowKey } from '#server/contracts/records.ts'
import { splitByBucket } from '../database/buckets.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'
import { inForms, type Names, namedRows, namesOf, queryForm } from './named-rows.ts'
import { withoutPayer } from './payer-sessions.ts'
import { keepReasonOf } from './still-needed.ts'

interface ErasedPayments {
  readonly payments: number
  readonly callbacks: number
  readonly sessions: number
}

/**
 * A separate statement, so that the next one sees everything written before the lock. Rows are locked in order, because two calls may name
 * the same payments.
 */
const lock = inForms<Record<never, never>, Names>(
  'payment.lock-to-erase',
  (
    inBucket,
  ) => `select 1 from payments p join ${namedRows()} on p.merchant_id = named.merchant_id and p.id = named.id${inBucket('p')}
   order by p.merchant_id, p.id for no key update of p`,
)

/**
 * The country identifies no person and reports use it. The consent is erased with the data that it was about. Citus allows only immutable
 * functions in a `case`, which `jsonb_build_object` is not.
 */
const erase = inForms<ErasedPayments, readonly [...Names, Date]>(
  'payment.erase',
  (inBucket) => `with erased as (
     update payments p set version = p.version + 1, erased_at = $3, payer_email = null, payer_ip = null,
       payer = case when p.payer ? 'country' then jsonb_set('{}', '{country}', p.payer->'country') else '{}' end,
       payee = '{}', custom_data = null, parameters = null, card_id = null, card_token = null, card_expiry = null,
       facts = jsonb_set(
         jsonb_set(p.facts - '{browser,redirect,termUrl,issuedToken,payeeCardId}'::text[], '{wallet,deviceId}', 'null', false),
         '{consent,state}', case when p.facts->'consent'->>'state' = 'active' then '"cancelled"' else coalesce(p.facts#>'{consent,state}', 'null') end, false
       ) #- '{acquirer,storedCredential}' #- '{acquirer,extended}'
     from ${namedRows()}
     where p.merchant_id = named.merchant_id and p.id = named.id and p.erased_at is null${inBucket('p')}
       and (${keepReasonOf('p', undefined, inBucket)}) is null
     returning p.merchant_id, p.id, p.session_id
   ), secrets as (
     delete from payment_secrets gone using erased
     where gone.merchant_id = erased.merchant_id and gone.payment_id = erased.id${inBucket('gone')}
   ), notes as (
     delete from payment_notes note using erased
     where note.merchant_id = erased.merchant_id and note.payment_id = erased.id${inBucket('note')}
   ), steps as (
     update payer_steps step set url = '', params = '{}', mpi = '{}'
     from erased where step.merchant_id = erased.merchant_id and step.payment_id = erased.id${inBucket('step')}
   ), exchanges as (
     update transactions t set parameters = null, facts = t.facts - '{storedCredential,extended}'::text[]
     from erased where t.merchant_id = erased.merchant_id and t.payment_id = erased.id${inBucket('t')}
   ), told as (
     delete from callbacks c using erased
     where c.merchant_id = erased.merchant_id and c.payment_id = erased.id and c.next_at is null${inBucket('c')}
     returning c.merchant_id, c.id
   ), attempts as (
     delete from callback_attempts a using told
     where a.merchant_id = told.merchant_id and a.callback_id = told.id${inBucket('a')}
   ), visited as (
     update sessions s set ${withoutPayer('s')}
     from erased where s.merchant_id = erased.merchant_id and s.id = erased.session_id and s.expires_at <= $3${inBucket('s')}
     returning s.id
   )
   select (select count(*)::int from erased) as payments, (select count(*)::int from told) as callbacks,
     (select count(*)::int from visited) as sessions`,
)

/** Payments whose data is still needed stay unchanged. */
export async function erasePayments(client: PoolClient, names: readonly RowKey[], at: Date): Promise<ErasedPayments> {
  const sum = { payments: 0, callbacks: 0, sessions: 0 }
  for (const bucket of await splitByBucket(client, names)) {
    await queryForm(client, lock, namesOf(bucket))
    for (const { payments, callbacks, sessions } of await queryForm(client, erase, [...namesOf(bucket), at])) {
      sum.payments += payments
      sum.callbacks += callbacks
      sum.sessions += sessions
    }
  }
  return sum
}

const whenErased = sql<{ readonly at: Date | null }, readonly [string, string]>(
  'payment.when-erased',
  'select erased_at as at from payments where merchant_id = $1 and id = $2',
)

/** Null for a payment that still has its payer's data. */
export const readErasedAt = async (on: Queryable, merchantId: string, id: string): Promise<Date | null> =>
  (await query(on, whenErased, [merchantId, id]))[0]?.at ?? null

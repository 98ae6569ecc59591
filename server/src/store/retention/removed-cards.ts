/**
 * Removes card numbers and the tokens that they were saved under.
 *
 * A simultaneous payment inserts its card only if it is missing, and might end up without one. Before it commits, a removal therefore waits
 * until every transaction that was writing cards when it began has ended; later writers wait for the removal. If the writers take too long,
 * the cards stay this time.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { firstId } from '#domain/uuid.ts'
import type { JsonObject, RowKey } from '#server/contracts/records.ts'
import { type InBucket, oneServer, splitByBucket } from '../database/buckets.ts'
import { paymentIdsBefore } from '../database/id-bounds.ts'
import { json } from '../database/insertion.ts'
import { type PoolClient, query, sql } from '../database/pool.ts'
import { inForms, type Names, namedRows, namesOf, queryForm } from './named-rows.ts'
import { keepReasonOf } from './still-needed.ts'

interface RemovedCards {
  readonly cards: number
  readonly tokens: number
}

/** The payments with a card, found by the card mask, which is indexed; `card` is the alias of a row of `cards`. */
const paymentsOf = (card: string, inBucket: InBucket, merchant = `${card}.merchant_id`): string =>
  `payments p where p.merchant_id = ${merchant} and p.card_id = ${card}.id${inBucket('p')}
     and p.card_mask = ${card}.bin || repeat('*', ${card}.pan_length - length(${card}.bin || ${card}.last_four)) || ${card}.last_four`

/** The payments whose recipient has the card. */
const paymentsTo = (card: string, inBucket: InBucket, merchant = `${card}.merchant_id`): string =>
  `payments p where p.merchant_id = ${merchant} and p.facts ? 'payeeCardId' and p.facts->>'payeeCardId' = ${card}.id::text${inBucket('p')}`

/** Without the card number, which a removal has no use for. */
const cardColumns = (card: string): string =>
  ['merchant_id', 'id', 'bin', 'last_four', 'pan_length', 'expiry_month', 'expiry_year', 'created_at']
    .map((column) => `${card}.${column}`)
    .join(', ')

const removalText = (condition: string, inBucket: InBucket, merchant = 'gone.merchant_id'): string =>
  `, gone as materialized (select ${cardColumns('card')} from card where ${condition}), tokens as (
     delete from card_tokens t using gone where t.merchant_id = ${merchant} and t.card_id = gone.id${inBucket('t')} returning t.token
   ), cards_gone as (
     delete from cards c using gone where c.merchant_id = ${merchant} and c.id = gone.id${inBucket('c')} returning c.id
   )`

const removalResult = `(select count(*)::int from cards_gone) as cards, (select count(*)::int from tokens) as tokens,
  coalesce((select jsonb_agg(to_jsonb(gone)) from gone), '[]') as gone`

interface Removal extends RemovedCards {
  /** The removed rows without the number, to compare with what others have written meanwhile. */
  readonly gone: readonly JsonObject[]
}

const cardPage = sql<RowKey, readonly [string, string, number]>(
  'card.page',
  `select merchant_id as "merchantId", id from cards where (merchant_id, id) > ($1::uuid, $2::uuid) order by merchant_id, id limit $3`,
)

/**
 * Saved cards and chains keep a number until it has expired; running payments and plans keep it in any case. Recent use is checked first,
 * by the newest ids, because that settles cards with many payments quickly.
 */
const removeUnused = inForms<Removal, readonly [...Names, Date, string]>('card.remove-unused', (inBucket) => {
  const isNeeded = `p.updated_at >= $3 or (${keepReasonOf('p', undefined, inBucket)}) is not null`
  return `with card as materialized (
     select ${cardColumns('c')} from cards c join ${namedRows()} on c.merchant_id = named.merchant_id and c.id = named.id${inBucket('c')}
   )${removalText(
     `card.created_at < $3
     and not exists (select 1 from ${paymentsOf('card', inBucket)} and p.id >= $4)
     and not exists (select 1 from ${paymentsOf('card', inBucket)} and (${isNeeded}))
     and not exists (select 1 from ${paymentsTo('card', inBucket)} and (${isNeeded}))
     and (
       (make_date(card.expiry_year, card.expiry_month, 1) + interval '1 month') at time zone 'UTC' < $3
       or not exists (select 1 from card_tokens t where t.merchant_id = card.merchant_id and t.card_id = card.id${inBucket('t')})
         and not exists (select 1 from ${paymentsOf('card', inBucket)} and exists (
           select 1 from chains where chains.merchant_id = p.merchant_id and chains.first_payment = p.id${inBucket('chains')}))
     )`,
     inBucket,
   )}
   select ${removalResult}`
})

const { inBucket: ofOne } = oneServer

/** Of the named cards, those that no payment has any more. */
const removeNamed = sql<Removal & { readonly kept: readonly string[] }, readonly [string, readonly string[]]>(
  'card.remove-named',
  `with card as materialized (
     select ${cardColumns('c')} from cards c where c.merchant_id = $1 and c.id = any($2::uuid[])
   )${removalText(`not exists (select 1 from ${paymentsOf('card', ofOne, '$1')}) and not exists (select 1 from ${paymentsTo('card', ofOne, '$1')})`, ofOne, '$1')}
   select ${removalResult}, array(select id from card where id not in (select id from gone) order by id) as kept`,
)

const usedSince = inForms<{ readonly used: boolean }, readonly [readonly string[], string | null, Date | null]>(
  'card.used-since',
  (inBucket) => {
    const isLater = `p.updated_at >= coalesce($3::timestamptz, '-infinity')`
    return `select exists (
     select 1 from jsonb_to_recordset($2::jsonb) as card (merchant_id uuid, id uuid, bin text, last_four text, pan_length integer)
     where card.merchant_id = any($1::uuid[]) and (exists (select 1 from ${paymentsOf('card', inBucket)} and ${isLater})
       or exists (select 1 from ${paymentsTo('card', inBucket)} and ${isLater}))
   ) as used`
  },
)

interface CardPage extends RemovedCards {
  /** The last card that was read; null if there was none. */
  readonly last: string | null
}

export async function removeUnusedCards(
  client: PoolClient,
  { after, limit, before }: { readonly after: string; readonly limit: number; readonly before: Date },
): Promise<CardPage> {
  const [merchantId = firstId, id = firstId] = after === '' ? [] : after.split('/')
  const page = await query(client, cardPage, [merchantId, id, limit])
  const removed = { cards: 0, tokens: 0 }
  for (const bucket of await splitByBucket(client, page)) {
    const remove = () => queryForm(client, removeUnused, [...namesOf(bucket), before, paymentIdsBefore(before)])
    const { row, stands } = await removeUnlessUsed(client, namesOf(bucket)[0], remove, before)
    if (!stands) continue
    removed.cards += row.cards
    removed.tokens += row.tokens
  }
  const last = page.at(-1)
  return { ...removed, last: last === undefined ? null : `${last.merchantId}/${last.id}` }
}

/** `kept` are cards that a payment still has. */
export async function removeCards(
  client: PoolClient,
  merchantId: string,
  ids: readonly string[],
): Promise<RemovedCards & { readonly kept: readonly string[] }> {
  const remove = () => query(client, removeNamed, [merchantId, ids])
  const { row, stands } = await removeUnlessUsed(client, [merchantId], remove, null)
  return stands ? row : { cards: 0, tokens: 0, kept: ids }
}

/** Rolls back if one of the cards has been used since, or if that cannot be determined in time. */
async function removeUnlessUsed<Row extends Removal>(
  client: PoolClient,
  merchants: readonly string[],
  remove: () => Promise<readonly Row[]>,
  since: Date | null,
): Promise<{ readonly row: Row; readonly stands: boolean }> {
  await client.query('savepoint removal')
  const [row] = await remove()
  if (!row) throw new Error('A removal of cards tells what it did.')
  const isUsed = async (): Promise<boolean> =>
    (await queryForm(client, usedSince, [merchants, json(row.gone), since]))[0]?.used ?? true
  const stands = row.gone.length === 0 || ((await waitForWriters(client)) && !(await isUsed()))
  await client.query(stands ? 'release savepoint removal' : 'rollback to savepoint removal')
  return { row, stands }
}

const cardWriters = sql<{ readonly writer: string }, readonly [readonly string[] | null]>(
  'card.writers',
  `select virtualtransaction as writer from pg_locks
   where locktype = 'relation' and relation = 'cards'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
     and database = (select oid from pg_database where datname = current_database())
     and ($1::text[] is null or virtualtransaction = any($1))`,
)

const waitMs = 1000
const betweenLooksMs = 20

/** Limited in time, because a writer may itself be waiting for this removal if it uses one of the cards. */
async function waitForWriters(client: PoolClient): Promise<boolean> {
  let writing = await listWritersAmong(client, null)
  for (let waited = 0; writing.length > 0 && waited < waitMs; waited += betweenLooksMs) {
    await sleep(betweenLooksMs)
    writing = await listWritersAmong(client, writing)
  }
  return writing.length === 0
}

const listWritersAmong = async (client: PoolClient, known: readonly string[] | null): Promise<readonly string[]> =>
  (await query(client, cardWriters, [known])).map(({ writer }) => writer)

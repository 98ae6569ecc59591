/**
 * Removes card numbers and the tokens that they were saved under.
 *
 * A simultaneous payment inserts its card only if it is missing, and might end up without one. Before it commits, a removal therefore waits
 * until every transaction that was writing cards when it began has ended; later writers wait for the removal. If the writers take too long,
 * the cards stay this time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../contracts/records.ts'
import { firstId, paymentIdsBefore } from '../database/id-bounds.ts'
import { json } from '../database/insertion.ts'
import { type PoolClient, query, type Statement, sql } from '../database/pool.ts'
import { keepReasonOf } from './still-needed.ts'

interface RemovedCards {
  readonly cards: number
  readonly tokens: number
}

/** The payments with a card, found by the card mask, which is indexed; `card` is the alias of a row of `cards`. */
const paymentsOf = (card: string, merchant = `${card}.merchant_id`): string =>
  `payments p where p.merchant_id = ${merchant} and p.card_id = ${card}.id
     and p.card_mask = ${card}.bin || repeat('*', ${card}.pan_length - length(${card}.bin || ${card}.last_four)) || ${card}.last_four`

/** The payments whose recipient has the card. */
const paymentsTo = (card: string, merchant = `${card}.merchant_id`): string =>
  `payments p where p.merchant_id = ${merchant} and p.facts ? 'payeeCardId' and p.facts->>'payeeCardId' = ${card}.id::text`

/** Without the card number, which a removal has no use for. */
const cardColumns = 'merchant_id, id, bin, last_four, pan_length, expiry_month, expiry_year, created_at'

const removalText = (condition: string, merchant = 'gone.merchant_id'): string =>
  `, gone as materialized (select ${cardColumns} from card where ${condition}), tokens as (
     delete from card_tokens t using gone where t.merchant_id = ${merchant} and t.card_id = gone.id returning t.token
   ), cards_gone as (
     delete from cards c using gone where c.merchant_id = ${merchant} and c.id = gone.id returning c.id
   )`

const removalResult = `(select count(*)::int from cards_gone) as cards, (select count(*)::int from tokens) as tokens,
  coalesce((select jsonb_agg(to_jsonb(gone)) from gone), '[]') as gone`

interface Removal extends RemovedCards {
  /** The removed rows without the number, to compare with what others have written meanwhile. */
  readonly gone: readonly JsonObject[]
}

/**
 * Saved cards and chains keep a number until it has expired; running payments and plans keep it in any case. Recent use is checked first,
 * by the newest ids, because that settles cards with many payments quickly.
 */
const removeUnused = sql<Removal & { readonly last: string | null }, readonly [string, string, number, Date, string]>(
  'card.remove-unused',
  `with card as materialized (
     select ${cardColumns} from cards where (merchant_id, id) > ($1::uuid, $2::uuid) order by merchant_id, id limit $3
   )${removalText(`created_at < $4
     and not exists (select 1 from ${paymentsOf('card')} and p.id >= $5)
     and not exists (select 1 from ${paymentsOf('card')} and (p.updated_at >= $4 or (${keepReasonOf('p')}) is not null))
     and not exists (select 1 from ${paymentsTo('card')} and (p.updated_at >= $4 or (${keepReasonOf('p')}) is not null))
     and (
       make_date(expiry_year, expiry_month, 1) + interval '1 month' < $4
       or not exists (select 1 from card_tokens t where t.merchant_id = card.merchant_id and t.card_id = card.id)
         and not exists (select 1 from ${paymentsOf('card')} and exists (
           select 1 from chains where chains.merchant_id = p.merchant_id and chains.first_payment = p.id))
     )`)}
   select ${removalResult}, (select merchant_id || '/' || id from card order by merchant_id desc, id desc limit 1) as last`,
)

/** Of the named cards, those that no payment has any more. */
const removeNamed = sql<Removal & { readonly kept: readonly string[] }, readonly [string, readonly string[]]>(
  'card.remove-named',
  `with card as materialized (
     select ${cardColumns} from cards where merchant_id = $1 and id = any($2::uuid[])
   )${removalText(`not exists (select 1 from ${paymentsOf('card', '$1')}) and not exists (select 1 from ${paymentsTo('card', '$1')})`, '$1')}
   select ${removalResult}, array(select id from card where id not in (select id from gone) order by id) as kept`,
)

const usedSince = sql<{ readonly used: boolean }, readonly [string | null, Date | null]>(
  'card.used-since',
  `select exists (
     select 1 from jsonb_populate_recordset(null::cards, $1) as card
     where exists (select 1 from ${paymentsOf('card')} and p.updated_at >= coalesce($2::timestamptz, '-infinity'))
       or exists (select 1 from ${paymentsTo('card')} and p.updated_at >= coalesce($2::timestamptz, '-infinity'))
   ) as used`,
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
  const { row, stands } = await removeUnlessUsed(
    client,
    removeUnused,
    [merchantId, id, limit, before, paymentIdsBefore(before)],
    before,
  )
  return { cards: stands ? row.cards : 0, tokens: stands ? row.tokens : 0, last: row.last }
}

/** `kept` are cards that a payment still has. */
export async function removeCards(
  client: PoolClient,
  merchantId: string,
  ids: readonly string[],
): Promise<RemovedCards & { readonly kept: readonly string[] }> {
  const { row, stands } = await removeUnlessUsed(client, removeNamed, [merchantId, ids], null)
  return stands ? row : { cards: 0, tokens: 0, kept: ids }
}

/** Rolls back if one of the cards has been used since, or if that cannot be determined in time. */
async function removeUnlessUsed<Row extends Removal, Params extends readonly unknown[]>(
  client: PoolClient,
  statement: Statement<Row, Params>,
  params: Params,
  since: Date | null,
): Promise<{ readonly row: Row; readonly stands: boolean }> {
  await client.query('savepoint removal')
  const [row] = await query(client, statement, params)
  if (!row) throw new Error('A removal of cards tells what it did.')
  const stands = row.gone.length === 0 || ((await waitForWriters(client)) && !(await isUsed(client, row.gone, since)))
  await client.query(stands ? 'release savepoint removal' : 'rollback to savepoint removal')
  return { row, stands }
}

const isUsed = async (client: PoolClient, cards: readonly JsonObject[], since: Date | null): Promise<boolean> =>
  (await query(client, usedSince, [json(cards), since]))[0]?.used ?? true

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
  let writing = await writersAmong(client, null)
  for (let waited = 0; writing.length > 0 && waited < waitMs; waited += betweenLooksMs) {
    await sleep(betweenLooksMs)
    writing = await writersAmong(client, writing)
  }
  return writing.length === 0
}

const writersAmong = async (client: PoolClient, known: readonly string[] | null): Promise<readonly string[]> =>
  (await query(client, cardWriters, [known])).map(({ writer }) => writer)

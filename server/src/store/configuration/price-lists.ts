/** Price lists on PostgreSQL. Their days never overlap: changes of one merchant's lists follow each other. */
import { z } from 'zod'
import { type PriceList, type PriceTerms, pricedKinds, regions } from '#domain/pricing/price-list.ts'
import { json } from '../database/insertion.ts'
import { type PoolClient, type Queryable, query, sql } from '../database/pool.ts'

export interface StoredPriceList extends PriceList {
  readonly merchantId: string
  readonly madeBy: string
  readonly madeAt: Date
  /** The reserve of the days up to this one was released. */
  readonly releasedTo: string | null
}

// The store writes amounts as text; only valid terms are stored.
const minor = z.string().transform(BigInt)
const storedTerms = z.object({
  country: z.string(),
  region: z.array(z.string()),
  rules: z.array(
    z.object({
      kinds: z.array(z.enum(pricedKinds)),
      midIds: z.array(z.string()),
      networks: z.array(z.string()),
      regions: z.array(z.enum(regions)),
      currency: z.string().nullable(),
      fromMinor: minor.nullable(),
      toMinor: minor.nullable(),
      fixedMinor: minor,
      share: z.number(),
      minimumMinor: minor,
    }),
  ),
  monthly: z.array(z.object({ currency: z.string(), amountMinor: minor })),
  reserve: z.object({ share: z.number(), days: z.number() }).nullable(),
})

interface Columns {
  readonly merchantId: string
  readonly id: string
  readonly validFrom: string
  readonly validTo: string | null
  readonly terms: unknown
  readonly madeBy: string
  readonly madeAt: Date
  readonly releasedTo: string | null
}

const columns = `merchant_id as "merchantId", id, valid_from::text as "validFrom", valid_to::text as "validTo", terms, made_by as "madeBy",
  made_at as "madeAt", released_to::text as "releasedTo"`

const allLists = sql<Columns, readonly []>(
  'price-list.current',
  `select ${columns} from price_lists order by merchant_id, valid_from`,
)
const listsOfMerchant = sql<Columns, readonly [string]>(
  'price-list.of-merchant',
  `select ${columns} from price_lists where merchant_id = $1 order by valid_from desc`,
)
const lockMerchant = sql<Record<never, never>, readonly [string]>(
  'price-list.lock',
  `select pg_advisory_xact_lock(hashtextextended('price list ' || $1, 0))`,
)
const insertList = sql<Record<never, never>, readonly unknown[]>(
  'price-list.insert',
  `insert into price_lists (merchant_id, id, valid_from, valid_to, terms, made_by, made_at) values ($1, $2, $3, $4, $5, $6, $7)`,
)
const endList = sql<{ id: string }, readonly [string, string, string]>(
  'price-list.end',
  'update price_lists set valid_to = $3 where merchant_id = $1 and id = $2 returning id',
)
const keepReleased = sql<{ id: string }, readonly [string, string, string, string | null]>(
  'price-list.keep-released',
  `update price_lists set released_to = $3 where merchant_id = $1 and id = $2 and released_to is not distinct from $4::date returning id`,
)

/** Also those of the past: a late charge or reserve needs the list of its day. */
export const listAllPriceLists = async (on: Queryable): Promise<readonly StoredPriceList[]> =>
  (await query(on, allLists, [])).map(listFrom)

export const priceListStore = (on: Queryable) => ({
  listOf: async (merchantId: string): Promise<readonly StoredPriceList[]> =>
    (await query(on, listsOfMerchant, [merchantId])).map(listFrom),
  insert: async (list: StoredPriceList): Promise<void> => {
    const { merchantId, id, validFrom, validTo, madeBy, madeAt } = list
    await query(on, insertList, [merchantId, id, validFrom, validTo, json(writtenTerms(list)), madeBy, madeAt])
  },
  end: async (merchantId: string, id: string, validTo: string): Promise<boolean> =>
    (await query(on, endList, [merchantId, id, validTo])).length === 1,
  /** False if another process has released these days meanwhile. */
  markReleased: async ({ merchantId, id, releasedTo }: StoredPriceList, to: string): Promise<boolean> =>
    (await query(on, keepReleased, [merchantId, id, to, releasedTo])).length === 1,
})

/** Until the transaction of the client ends, no other transaction changes the lists of this merchant. */
export const lockPriceLists = async (client: PoolClient, merchantId: string): Promise<void> => {
  await query(client, lockMerchant, [merchantId])
}

const listFrom = ({ terms, ...row }: Columns): StoredPriceList => ({ ...row, ...storedTerms.parse(terms) })

/** Amounts as text, as JSON and the audit log have them. */
export const writtenTerms = ({ country, region, rules, monthly, reserve }: PriceTerms) => ({
  country,
  region: [...region],
  rules: rules.map(({ fromMinor, toMinor, fixedMinor, minimumMinor, ...rule }) => ({
    ...rule,
    kinds: [...rule.kinds],
    midIds: [...rule.midIds],
    networks: [...rule.networks],
    regions: [...rule.regions],
    fromMinor: fromMinor === null ? null : String(fromMinor),
    toMinor: toMinor === null ? null : String(toMinor),
    fixedMinor: String(fixedMinor),
    minimumMinor: String(minimumMinor),
  })),
  monthly: monthly.map(({ currency, amountMinor }) => ({ currency, amountMinor: String(amountMinor) })),
  reserve: reserve && { share: reserve.share, days: reserve.days },
})

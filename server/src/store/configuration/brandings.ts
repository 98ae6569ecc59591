/** The appearance of the hosted page by merchant, on PostgreSQL. Chapter 30 §7.1. */
import {
  type BrandColours,
  type BrandTemplate,
  isTemplate,
  type LogoType,
  ownTemplate,
} from '#domain/checkout/branding.ts'
import { type Queryable, query, sql } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'

export interface BrandingRecord {
  readonly merchantId: string
  readonly template: BrandTemplate
  readonly colours: BrandColours
  /** The content is read by its hash. */
  readonly logo: { readonly hash: string; readonly type: LogoType } | null
  readonly changedAt: Date
  readonly changedBy: string
}

interface Logo {
  readonly type: LogoType
  readonly content: Buffer
}

interface Brandings {
  find(merchantId: string): Promise<BrandingRecord | null>
  /** Of any merchant. */
  findLogo(hash: string): Promise<Logo | null>
  /** `content` is given only if the logo has changed. */
  put(branding: BrandingRecord, content?: Buffer): Promise<void>
  remove(merchantId: string): Promise<boolean>
}

interface Row {
  template: string
  heading: string | null
  background: string | null
  button: string | null
  logo_type: LogoType | null
  logo_hash: string | null
  changed_at: Date
  changed_by: string
}

const findBranding = sql<Row, readonly [string]>(
  'branding.find',
  `select template, heading, background, button, logo_type, logo_hash, changed_at, changed_by
   from merchant_brandings where merchant_id = $1`,
)

const findLogo = sql<Logo, readonly [string]>(
  'branding.logo',
  'select logo_type as type, logo as content from merchant_brandings where logo_hash = $1 limit 1',
)

const putLook = sql<
  Record<never, never>,
  readonly [string, string | null, string | null, string | null, Date, string, BrandTemplate]
>(
  'branding.put',
  `insert into merchant_brandings (merchant_id, heading, background, button, changed_at, changed_by, template)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (merchant_id) do update
     set heading = $2, background = $3, button = $4, changed_at = $5, changed_by = $6, template = $7`,
)

const putLogo = sql<Record<never, never>, readonly [string, LogoType | null, string | null, Buffer | null]>(
  'branding.put-logo',
  'update merchant_brandings set logo_type = $2, logo_hash = $3, logo = $4 where merchant_id = $1',
)

const removeBranding = sql<{ merchant_id: string }, readonly [string]>(
  'branding.remove',
  'delete from merchant_brandings where merchant_id = $1 returning merchant_id',
)

export const brandingStore = (pool: Queryable): Brandings => ({
  find: async (merchantId) => {
    const [row] = await query(pool, findBranding, [merchantId])
    return row ? brandingFrom(merchantId, row) : null
  },
  findLogo: async (hash) => (await query(pool, findLogo, [hash]))[0] ?? null,
  put: ({ merchantId, template, colours, logo, changedAt, changedBy }, content) =>
    inTransaction(pool, async (client) => {
      const { heading, background, button } = colours
      await query(client, putLook, [merchantId, heading, background, button, changedAt, changedBy, template])
      if (logo === null) await query(client, putLogo, [merchantId, null, null, null])
      else if (content) await query(client, putLogo, [merchantId, logo.type, logo.hash, content])
    }),
  remove: async (merchantId) => (await query(pool, removeBranding, [merchantId])).length === 1,
})

const brandingFrom = (merchantId: string, row: Row): BrandingRecord => ({
  merchantId,
  // A template that only a newer release knows is shown as the default template.
  template: isTemplate(row.template) ? row.template : ownTemplate,
  colours: { heading: row.heading, background: row.background, button: row.button },
  logo: row.logo_hash === null || row.logo_type === null ? null : { hash: row.logo_hash, type: row.logo_type },
  changedAt: row.changed_at,
  changedBy: row.changed_by,
})

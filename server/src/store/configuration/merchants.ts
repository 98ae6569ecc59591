/** Merchants: configuration rows and their sealed secrets. */
import type { Merchant } from '#domain/merchant.ts'
import type { Commissions } from '#domain/money/commission.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion, json } from '../database/insertion.ts'
import type { Queryable } from '../database/pool.ts'
import { query, sql } from '../database/pool.ts'

export interface MerchantRow extends Merchant {
  readonly passwordSealed: Buffer
  readonly previousPasswordSealed: Buffer | null
  readonly previousPasswordUntil: Date | null
  /** A JSON list of secrets, sealed as one text. */
  readonly webhookSecretsSealed: Buffer
}

interface Columns {
  id: string
  name: string
  title: string
  key: string
  test_key: string
  password_sealed: Buffer
  previous_password_sealed: Buffer | null
  previous_password_until: Date | null
  webhook_secrets_sealed: Buffer
  contact_email: string | null
  notification_url: string | null
  test_notification_url: string | null
  allowed_ips: string[]
  status: 'active' | 'blocked'
  test_only: boolean
  mpi_service: 'none' | 'sandbox' | 'external'
  default_currency: string | null
  time_zone: string
  debit_commission: StoredCommissions
  rate_per_second: number | null
  vat_percent: string | null
}

// biome-ignore format: a list of names.
const merchantColumns = columnsOf<Columns>()([
  'id', 'name', 'title', 'key', 'test_key', 'password_sealed', 'previous_password_sealed', 'previous_password_until',
  'webhook_secrets_sealed', 'contact_email', 'notification_url', 'test_notification_url', 'allowed_ips', 'status',
  'test_only', 'mpi_service', 'default_currency', 'time_zone', 'debit_commission', 'rate_per_second', 'vat_percent',
])

/** By currency. Minor units are text, because JSON numbers cannot hold every integer. */
type StoredCommissions = Readonly<Record<string, { readonly fixed_minor: string; readonly percent: string }>>

// biome-ignore format: a table is read in columns.
const merchantInsertion = insertion<MerchantRow & { createdAt: Date }>('merchants', [
  ['id',                     (merchant) => merchant.id],
  ['name',                   (merchant) => merchant.name],
  ['title',                  (merchant) => merchant.title],
  ['key',                    (merchant) => merchant.key],
  ['test_key',               (merchant) => merchant.testKey],
  ['password_sealed',        (merchant) => merchant.passwordSealed],
  ['webhook_secrets_sealed', (merchant) => merchant.webhookSecretsSealed],
  ['contact_email',          (merchant) => merchant.contactEmail],
  ['notification_url',       (merchant) => merchant.notificationUrl],
  ['test_notification_url',  (merchant) => merchant.testNotificationUrl],
  ['allowed_ips',            (merchant) => merchant.allowedIps],
  ['status',                 (merchant) => merchant.status],
  ['test_only',              (merchant) => merchant.testOnly],
  ['mpi_service',            (merchant) => merchant.mpiService],
  ['default_currency',       (merchant) => merchant.defaultCurrency],
  ['time_zone',              (merchant) => merchant.timeZone],
  ['debit_commission',       (merchant) => json(storedCommissions(merchant.debitCommission))],
  ['rate_per_second',        (merchant) => merchant.ratePerSecond],
  ['vat_percent',            (merchant) => merchant.vatPercent],
  ['created_at',             (merchant) => merchant.createdAt],
])

const listMerchants = sql<Columns, readonly []>(
  'merchant.list',
  `select ${merchantColumns()} from merchants order by name`,
)
/** Payments reference only the merchant's key, so `no key update` does not block them. */
const lockMerchant = sql<{ id: string }, readonly [string]>(
  'merchant.lock-settings',
  'select id from merchants where id = $1 for no key update',
)
const addMerchant = sql<Record<never, never>, readonly unknown[]>('merchant.add', merchantInsertion.text(1))
const changeMerchant = sql<Record<never, never>, readonly unknown[]>(
  'merchant.change',
  `update merchants set title = $2, contact_email = $3, notification_url = $4, test_notification_url = $5, allowed_ips = $6,
     status = $7, test_only = $8, mpi_service = $9, default_currency = $10, time_zone = $11, debit_commission = $12,
     rate_per_second = $13, vat_percent = $14
   where id = $1`,
)
const rotatePassword = sql<Record<never, never>, readonly [string, Buffer, Date]>(
  'merchant.rotate-password',
  `update merchants set previous_password_sealed = password_sealed, previous_password_until = $3, password_sealed = $2
   where id = $1`,
)
const replaceWebhookSecrets = sql<Record<never, never>, readonly [string, Buffer]>(
  'merchant.replace-webhook-secrets',
  'update merchants set webhook_secrets_sealed = $2 where id = $1',
)

export const merchantStore = (pool: Queryable) => ({
  list: async (): Promise<readonly MerchantRow[]> => (await query(pool, listMerchants, [])).map(merchantFrom),
  /** Call inside a transaction, then read and change what belongs to the merchant: no change of another person is overwritten. */
  lock: async (id: string): Promise<void> => {
    await query(pool, lockMerchant, [id])
  },
  add: async (merchant: MerchantRow, createdAt: Date): Promise<void> => {
    await query(pool, addMerchant, merchantInsertion.values({ ...merchant, createdAt }))
  },
  change: async (merchant: Merchant): Promise<void> => {
    await query(pool, changeMerchant, [
      merchant.id,
      merchant.title,
      merchant.contactEmail,
      merchant.notificationUrl,
      merchant.testNotificationUrl,
      merchant.allowedIps,
      merchant.status,
      merchant.testOnly,
      merchant.mpiService,
      merchant.defaultCurrency,
      merchant.timeZone,
      json(storedCommissions(merchant.debitCommission)),
      merchant.ratePerSecond,
      merchant.vatPercent,
    ])
  },
  /** The old password verifies requests until `until`. */
  rotatePassword: async (id: string, sealed: Buffer, until: Date): Promise<void> => {
    await query(pool, rotatePassword, [id, sealed, until])
  },
  replaceWebhookSecrets: async (id: string, sealed: Buffer): Promise<void> => {
    await query(pool, replaceWebhookSecrets, [id, sealed])
  },
})

function merchantFrom(row: Columns): MerchantRow {
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    key: row.key,
    testKey: row.test_key,
    passwordSealed: row.password_sealed,
    previousPasswordSealed: row.previous_password_sealed,
    previousPasswordUntil: row.previous_password_until,
    webhookSecretsSealed: row.webhook_secrets_sealed,
    contactEmail: row.contact_email,
    notificationUrl: row.notification_url,
    testNotificationUrl: row.test_notification_url,
    allowedIps: row.allowed_ips,
    status: row.status,
    testOnly: row.test_only,
    mpiService: row.mpi_service,
    defaultCurrency: row.default_currency,
    timeZone: row.time_zone,
    debitCommission: commissionsFrom(row.debit_commission),
    ratePerSecond: row.rate_per_second,
    vatPercent: row.vat_percent,
  }
}

const storedCommissions = (commissions: Commissions): StoredCommissions =>
  Object.fromEntries(
    [...commissions].map(([currency, { fixedMinor, percent }]) => [
      currency,
      { fixed_minor: String(fixedMinor), percent },
    ]),
  )

const commissionsFrom = (stored: StoredCommissions): Commissions =>
  new Map(
    Object.entries(stored).map(([currency, { fixed_minor, percent }]) => [
      currency,
      { fixedMinor: BigInt(fixed_minor), percent },
    ]),
  )

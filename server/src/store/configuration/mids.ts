/** MIDs and the mappings that let merchants use them. */
import type { PagePayerField } from '#domain/checkout/payer-fields.ts'
import type { Mode } from '#domain/merchant.ts'
import type { Limit, LinkTarget, MerchantMapping, Mid, MidAction, PaymentMode, Wallet } from '#domain/mid.ts'
import { columnsOf } from '../database/columns.ts'
import { type Column, insertion } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface MidRow extends Mid {
  /** The connector's credentials as JSON, sealed as one text. */
  readonly credentialsSealed: Buffer
}

/** By currency; money is text, because it may exceed the range of JSON numbers. */
type StoredAmounts = Readonly<Record<string, string>>

interface MidColumns {
  id: string
  name: string
  connector: string
  credentials_sealed: Buffer
  side: Mode
  enabled: boolean
  payment_mode: PaymentMode
  currencies: string[]
  networks: string[]
  brands: string[]
  cards: boolean
  actions: MidAction[]
  wallets: Wallet[]
  payer_fields: PagePayerField[]
  moto_enabled: boolean
  card_on_file_enabled: boolean
  zero_amount: boolean
  card_flow: boolean
  accepts_decrypted: boolean
  override_link_target: LinkTarget | null
  descriptor: string
  day_limit_amounts: StoredAmounts
  day_limit_count: number | null
  month_limit_amounts: StoredAmounts
  month_limit_count: number | null
  cut_off: string
  time_zone: string
  auto_capture_hours: number | null
}

// biome-ignore format: a list of names.
const midColumns = columnsOf<MidColumns>()([
  'id', 'name', 'connector', 'credentials_sealed', 'side', 'enabled', 'payment_mode', 'currencies', 'networks',
  'brands', 'cards', 'actions', 'wallets', 'payer_fields', 'moto_enabled', 'card_on_file_enabled', 'zero_amount', 'card_flow',
  'accepts_decrypted', 'override_link_target', 'descriptor', 'day_limit_amounts', 'day_limit_count',
  'month_limit_amounts', 'month_limit_count', 'cut_off', 'time_zone', 'auto_capture_hours',
])

/** The columns that an operator may change. `name`, `connector` and `side` identify a MID; a different one is a new MID. */
// biome-ignore format: a table is read in columns.
const changeable: readonly Column<Mid>[] = [
  ['enabled',              (mid) => mid.enabled],
  ['payment_mode',         (mid) => mid.paymentMode],
  ['currencies',           (mid) => mid.currencies],
  ['networks',             (mid) => mid.networks],
  ['brands',               (mid) => mid.brands],
  ['cards',                (mid) => mid.cards],
  ['actions',              (mid) => mid.actions],
  ['wallets',              (mid) => mid.wallets],
  ['payer_fields',         (mid) => mid.payerFields],
  ['moto_enabled',         (mid) => mid.motoEnabled],
  ['card_on_file_enabled', (mid) => mid.cardOnFileEnabled],
  ['zero_amount',          (mid) => mid.zeroAmount],
  ['card_flow',            (mid) => mid.cardFlow],
  ['accepts_decrypted',    (mid) => mid.acceptsDecrypted],
  ['override_link_target', (mid) => mid.overrideLinkTarget],
  ['descriptor',           (mid) => mid.descriptor],
  ['day_limit_amounts',    (mid) => storedAmounts(mid.dayLimit)],
  ['day_limit_count',      (mid) => mid.dayLimit.count],
  ['month_limit_amounts',  (mid) => storedAmounts(mid.monthLimit)],
  ['month_limit_count',    (mid) => mid.monthLimit.count],
  ['cut_off',              (mid) => mid.cutOff],
  ['time_zone',            (mid) => mid.timeZone],
  ['auto_capture_hours',   (mid) => mid.autoCaptureHours],
]

const midInsertion = insertion<MidRow & { createdAt: Date }>('mids', [
  ['id', (mid) => mid.id],
  ['name', (mid) => mid.name],
  ['connector', (mid) => mid.connector],
  ['side', (mid) => mid.mode],
  ['credentials_sealed', (mid) => mid.credentialsSealed],
  ['created_at', (mid) => mid.createdAt],
  ...changeable,
])

const listMids = sql<MidColumns, readonly []>('mid.list', `select ${midColumns()} from mids order by name`)
const lockMid = sql<{ id: string }, readonly [string]>(
  'mid.lock-settings',
  'select id from mids where id = $1 for no key update',
)
const addMid = sql<Record<never, never>, readonly unknown[]>('mid.add', midInsertion.text(1))
const changeMid = sql<Record<never, never>, readonly unknown[]>(
  'mid.change',
  `update mids set ${changeable.map(([name], index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
)
const changeCredentials = sql<Record<never, never>, readonly [string, Buffer]>(
  'mid.change-credentials',
  'update mids set credentials_sealed = $2 where id = $1',
)

export const midStore = (pool: Queryable) => ({
  list: async (): Promise<readonly MidRow[]> => (await query(pool, listMids, [])).map(midFrom),
  /** Call inside a transaction before reading, as for a merchant. */
  lock: async (id: string): Promise<void> => {
    await query(pool, lockMid, [id])
  },
  add: async (mid: MidRow, createdAt: Date): Promise<void> => {
    await query(pool, addMid, midInsertion.values({ ...mid, createdAt }))
  },
  change: async (mid: Mid): Promise<void> => {
    await query(pool, changeMid, [mid.id, ...changeable.map(([, value]) => value(mid))])
  },
  changeCredentials: async (id: string, sealed: Buffer): Promise<void> => {
    await query(pool, changeCredentials, [id, sealed])
  },
})

function midFrom(row: MidColumns): MidRow {
  return {
    id: row.id,
    name: row.name,
    connector: row.connector,
    credentialsSealed: row.credentials_sealed,
    mode: row.side,
    enabled: row.enabled,
    paymentMode: row.payment_mode,
    currencies: row.currencies,
    networks: row.networks,
    brands: row.brands,
    cards: row.cards,
    actions: row.actions,
    wallets: row.wallets,
    payerFields: row.payer_fields,
    motoEnabled: row.moto_enabled,
    cardOnFileEnabled: row.card_on_file_enabled,
    zeroAmount: row.zero_amount,
    cardFlow: row.card_flow,
    acceptsDecrypted: row.accepts_decrypted,
    overrideLinkTarget: row.override_link_target,
    descriptor: row.descriptor,
    dayLimit: limitFrom(row.day_limit_amounts, row.day_limit_count),
    monthLimit: limitFrom(row.month_limit_amounts, row.month_limit_count),
    cutOff: row.cut_off,
    timeZone: row.time_zone,
    autoCaptureHours: row.auto_capture_hours,
  }
}

interface MappingColumns {
  merchant_id: string
  id: string
  mid_id: string
  channel: string | null
  priority: number
  weight: number
  day_limit_amounts: StoredAmounts
  day_limit_count: number | null
  week_limit_amounts: StoredAmounts
  week_limit_count: number | null
  enabled: boolean
}

// biome-ignore format: a list of names.
const mappingColumns = columnsOf<MappingColumns>()([
  'merchant_id', 'id', 'mid_id', 'channel', 'priority', 'weight', 'day_limit_amounts', 'day_limit_count',
  'week_limit_amounts', 'week_limit_count', 'enabled',
])

// biome-ignore format: a table is read in columns.
const mappingInsertion = insertion<MerchantMapping>('merchant_mappings', [
  ['merchant_id',      (mapping) => mapping.merchantId],
  ['id',               (mapping) => mapping.id],
  ['mid_id',           (mapping) => mapping.midId],
  ['channel',          (mapping) => mapping.channel],
  ['priority',         (mapping) => mapping.priority],
  ['weight',           (mapping) => mapping.weight],
  ['day_limit_amounts', (mapping) => storedAmounts(mapping.dayLimit)],
  ['day_limit_count',  (mapping) => mapping.dayLimit.count],
  ['week_limit_amounts', (mapping) => storedAmounts(mapping.weekLimit)],
  ['week_limit_count', (mapping) => mapping.weekLimit.count],
  ['enabled',          (mapping) => mapping.enabled],
])

const listMappings = sql<MappingColumns, readonly []>(
  'merchant-mapping.list',
  `select ${mappingColumns()} from merchant_mappings`,
)
const putMapping = sql<Record<never, never>, readonly unknown[]>(
  'merchant-mapping.put',
  `${mappingInsertion.text(1)}
   on conflict (merchant_id, id) do update set channel = excluded.channel, priority = excluded.priority, weight = excluded.weight,
     day_limit_amounts = excluded.day_limit_amounts, day_limit_count = excluded.day_limit_count,
     week_limit_amounts = excluded.week_limit_amounts, week_limit_count = excluded.week_limit_count, enabled = excluded.enabled`,
)
const removeMapping = sql<Record<never, never>, readonly [string, string]>(
  'merchant-mapping.remove',
  'delete from merchant_mappings where merchant_id = $1 and id = $2',
)

export const merchantMappingStore = (pool: Queryable) => ({
  list: async (): Promise<readonly MerchantMapping[]> => (await query(pool, listMappings, [])).map(mappingFrom),
  put: async (mapping: MerchantMapping): Promise<void> => {
    await query(pool, putMapping, mappingInsertion.values(mapping))
  },
  remove: async (merchantId: string, id: string): Promise<void> => {
    await query(pool, removeMapping, [merchantId, id])
  },
})

const mappingFrom = (row: MappingColumns): MerchantMapping => ({
  merchantId: row.merchant_id,
  id: row.id,
  midId: row.mid_id,
  channel: row.channel,
  priority: row.priority,
  weight: row.weight,
  dayLimit: limitFrom(row.day_limit_amounts, row.day_limit_count),
  weekLimit: limitFrom(row.week_limit_amounts, row.week_limit_count),
  enabled: row.enabled,
})

const storedAmounts = ({ amounts }: Limit): StoredAmounts =>
  Object.fromEntries(Object.entries(amounts).map(([currency, minor]) => [currency, String(minor)]))

const limitFrom = (amounts: StoredAmounts, count: number | null): Limit => ({
  amounts: Object.fromEntries(Object.entries(amounts).map(([currency, minor]) => [currency, BigInt(minor)])),
  count,
})

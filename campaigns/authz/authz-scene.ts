/** Two merchants on one instance: the victim with one entity of every kind, and the intruder who knows all of the victim's ids. */
import { randomUUID } from 'node:crypto'
import { Apm } from '../../server/test/apm.ts'
import { newSchedule, type Pair, startChain } from '../../server/test/chains.ts'
import { CheckoutClient } from '../../server/test/pages/checkout.ts'
import { merchantId, panelOf } from '../../server/test/panel/admin.ts'
import { createEntities, type Params } from '../../server/test/panel/admin-entities.ts'
import { insertExportSchedule } from '../../server/test/panel/export-schedule.ts'
import { openShop, type Shop } from '../../server/test/shop.ts'

const victim = 'demo'
export const intruder = 'demo-dms'

export interface AuthzScene extends AsyncDisposable {
  readonly shop: Shop
  readonly apm: Apm
  readonly checkout: CheckoutClient
  readonly own: Params
  readonly foreign: Params
  /** What merchants name in their requests. */
  readonly entities: VictimEntities
  /** Texts that only the victim may read. */
  readonly secretTexts: readonly string[]
  /** A fingerprint of the victim's rows in each table, and of what the acquirer executed. */
  state(): Promise<ReadonlyMap<string, string>>
}

export interface VictimEntities {
  readonly sale: string
  readonly order: string
  readonly hold: string
  readonly apmSale: string
  readonly apmOrder: string
  readonly checkoutPayment: string
  readonly checkoutOrder: string
  readonly cardToken: string
  readonly chain: Pair
  readonly scheduleId: string
}

export async function openAuthzScene(): Promise<AuthzScene> {
  const shop = await openShop()
  const victimId = await merchantId(shop, victim)
  const intruderId = await merchantId(shop, intruder)
  const idsOf = await createEntities(shop, [intruderId, victimId])
  const [apm, checkout] = [new Apm(shop), new CheckoutClient(shop)]
  const entities = await createVictimEntities(shop, apm, checkout)
  const foreign = { ...idsOf(victimId), ...(await createPanelEntities(shop, victimId, entities)) }
  await shop.service.awaitIdle()
  return {
    shop,
    apm,
    checkout,
    own: idsOf(intruderId),
    foreign,
    entities,
    secretTexts: await secretTextsOf(shop, victimId, entities),
    state: () => stateOf(shop, victimId, foreign['userId'] ?? ''),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

async function createVictimEntities(shop: Shop, apm: Apm, checkout: CheckoutClient): Promise<VictimEntities> {
  const sale = await shop.sale({ order_id: 'VICTIM-1', req_token: 'Y' })
  const hold = await shop.sale({ order_id: 'VICTIM-2', auth: 'Y' })
  const apmSale = await apm.sale({ order_id: 'VICTIM-3' })
  const paid = await checkout.makePayment({ order: { number: 'VICTIM-4' } })
  const scheduleId = await newSchedule(shop)
  const chain = await startChain(shop, { order_id: 'VICTIM-5', schedule_id: scheduleId })
  return {
    sale: sale.body.trans_id,
    order: 'VICTIM-1',
    hold: hold.body.trans_id,
    apmSale: apmSale.body.trans_id,
    apmOrder: 'VICTIM-3',
    checkoutPayment: paid.payment.id,
    checkoutOrder: 'VICTIM-4',
    cardToken: sale.body.card_token,
    chain,
    scheduleId,
  }
}

/** Entities that belong to a user of the victim, and those that only the panel names. */
async function createPanelEntities(
  shop: Shop,
  victimId: string,
  { hold, scheduleId, chain }: VictimEntities,
): Promise<Params> {
  const { pool } = shop.base
  const browser = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [victimId] })
  const begun = await browser.post('/exports', { filter: {} })
  const filter = await browser.post('/saved-filters', { name: 'Mine', page: 'payments', filter: {} })
  const [alertId, workId] = [randomUUID(), randomUUID()]
  await pool.query(
    `insert into alerts (id, kind, merchant_id, text, raised_at) values ($1, 'late-success', $2, 'of the victim', now())`,
    [alertId, victimId],
  )
  await pool.query(
    `insert into long_work (user_id, id, kind, request, state, total, created_at, ended_at)
     values ($1, $2, 'resend', '{}', 'done', 0, now(), now())`,
    [browser.person.id, workId],
  )
  const sessions = await browser.get('/sessions')
  return {
    paymentId: hold,
    userId: browser.person.id,
    sessionId: sessions.body.sessions[0].id,
    exportId: begun.body.id,
    ...(await insertExportSchedule(shop, browser.person.id)),
    filterId: filter.body?.id ?? randomUUID(),
    alertId,
    workId,
    scheduleId,
    subscriptionId: chain.recurring_token,
  }
}

async function secretTextsOf(shop: Shop, victimId: string, entities: VictimEntities): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ id: string }>(
    `select id::text from payments where merchant_id = $1 union all select order_id from payments where merchant_id = $1
     union all select id::text from callbacks where merchant_id = $1`,
    [victimId],
  )
  const { key, test_key } = shop.merchant(victim)
  return [
    ...new Set([
      victimId,
      key,
      test_key,
      entities.cardToken,
      entities.chain.recurring_token,
      ...rows.map(({ id }) => id),
    ]),
  ]
}

/** The audit log grows with every request, and summaries are counted by a worker at its own time. */
const changedByOthers = ['audit_log', 'payment_summaries', 'payment_summary_open']

async function stateOf(shop: Shop, victimId: string, userId: string): Promise<ReadonlyMap<string, string>> {
  const { pool } = shop.base
  const { rows: columns } = await pool.query<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = current_schema() and column_name in ('merchant_id', 'user_id') and table_name <> all ($1) order by 1, 2`,
    [changedByOthers],
  )
  const state = new Map<string, string>()
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await pool.query<{ print: string }>(
      `select coalesce(md5(string_agg(kept::text, ',' order by kept::text)), '') as print from "${table}" kept where "${column}" = $1`,
      [column === 'user_id' ? userId : victimId],
    )
    state.set(table, rows[0]?.print ?? '')
  }
  for (const [table, id] of [['merchants', victimId] as const, ['users', userId] as const]) {
    const { rows } = await pool.query<{ row: string }>(`select kept::text as row from ${table} kept where id = $1`, [
      id,
    ])
    state.set(table, rows[0]?.row ?? '')
  }
  const executed = await (await fetch(`${shop.sandbox.url}/ledger`)).text()
  const { rows: payments } = await pool.query<{ id: string }>('select id from payments where merchant_id = $1', [
    victimId,
  ])
  const known = new Set(payments.map(({ id }) => id))
  // The format of the sandbox.
  const { entries } = JSON.parse(executed) as { entries: { payment_id: string }[] }
  state.set('what the acquirer executed', JSON.stringify(entries.filter(({ payment_id }) => known.has(payment_id))))
  return state
}

/** Tables of the victim that have changed. */
export const changedTables = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] => [...after.keys()].filter((table) => before.get(table) !== after.get(table))

/** One entity of every kind that addresses of the admin API name, for each of two merchants. */
import { randomUUID } from 'node:crypto'
import type { Shop } from '../shop.ts'
import { makeUser } from './admin.ts'

export type Params = Readonly<Record<string, string>>

/** Returns the path parameters for addresses of a merchant. */
export async function createEntities(
  shop: Shop,
  merchantIds: readonly string[],
): Promise<(merchantId: string) => Params> {
  const idsByMerchant = new Map<string, Params>()
  for (const id of merchantIds) idsByMerchant.set(id, await createEntitiesOf(shop, id))
  return (id) => idsByMerchant.get(id) ?? { ...idsByMerchant.get(merchantIds[0] ?? ''), merchantId: id }
}

async function createEntitiesOf(shop: Shop, merchantId: string): Promise<Params> {
  const { pool, ids } = shop.base
  const { rows } = await pool.query<{ name: string }>('select name from merchants where id = $1', [merchantId])
  const sale = await shop.sale({ order_id: `THING-${merchantId}` }, { merchant: rows[0]?.name ?? '' })
  await shop.service.idle()
  const user = await makeUser(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [merchantId] })
  const approvalId = ids.next()
  await pool.query(
    `insert into approvals (id, kind, merchant_id, subject, request, reason, asked_by, asked_at, expires_at, state)
     values ($1, 'password-reveal', $2, $3, '{}', 'why', $4, now(), now() + interval '1 day', 'waiting')`,
    [approvalId, merchantId, `merchant ${merchantId}`, user.id],
  )
  const formId = ids.next()
  await pool.query(
    `insert into sdk_forms (id, merchant_id, form_id, version, state, template, uploaded_at, changed_at, changed_by)
     values ($1, $2, $3, 1, 'draft', '<p>Pay</p>', now(), now(), 'a test')`,
    [formId, merchantId, `form-${merchantId}`],
  )
  await pool.query(
    `insert into routing_sets (id, merchant_id, version, rules, note, drafted_by, published_by, published_at)
     values ($1, null, 1, '[]', '', 'a test', 'a test', now()) on conflict do nothing`,
    [ids.next()],
  )
  const first = async (text: string): Promise<string> => {
    const found = await pool.query<{ id: string }>(text, [merchantId])
    return found.rows[0]?.id ?? randomUUID()
  }
  return {
    merchantId,
    paymentId: sale.body.trans_id,
    callbackId: await first('select id from callbacks where merchant_id = $1 limit 1'),
    mappingId: await first('select id from merchant_mappings where merchant_id = $1 limit 1'),
    midId: await first('select mid_id as id from merchant_mappings where merchant_id = $1 limit 1'),
    userId: user.id,
    approvalId,
    alertId: randomUUID(),
    fileId: randomUUID(),
    differenceId: randomUUID(),
    disputeId: randomUUID(),
    ruleSet: 'global',
    ruleVersion: '1',
    role: 'support',
    brand: 'visa',
    protocol: 'S2S_CARD',
    mode: 'live',
    wallet: 'walletapay',
    passkeyId: 'none',
    fingerprint: '0'.repeat(64),
    domain: 'shop.example',
    form: formId,
    task: 'merchant',
    currency: 'BTC',
  }
}

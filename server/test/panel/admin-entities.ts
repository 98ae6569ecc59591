/** One entity of every kind that addresses of the admin API name, for each of two merchants. */
import { randomUUID } from 'node:crypto'
import { secret } from '#domain/secret.ts'
import { plainRequest } from '#server/payments/sessions/plain-request.ts'
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
  await shop.service.awaitIdle()
  const user = await makeUser(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [merchantId] })
  const service = await makeUser(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [merchantId] })
  const keyId = ids.next()
  await pool.query('update users set is_service = true where id = $1', [service.id])
  await pool.query(
    `insert into service_keys (id, user_id, key_hash, created_at, created_by, expires_at)
     values ($1, $2, sha256(convert_to($3, 'UTF8')), now(), 'a test', now() + interval '1 day')`,
    [keyId, service.id, keyId],
  )
  const approvalId = ids.next()
  await pool.query(
    `insert into approvals (id, kind, merchant_id, subject, request, reason, asked_by, asked_at, expires_at, state)
     values ($1, 'password-reveal', $2, $3, '{}', 'why', $4, now(), now() + interval '1 day', 'waiting')`,
    [approvalId, merchantId, `merchant ${merchantId}`, user.id],
  )
  const [signUpLinkId, signUpId] = [ids.next(), ids.next()]
  await pool.query(
    `insert into sign_up_links (id, code_hash, role, merchant_ids, domains, needs_approval, note, uses, created_by, created_at, expires_at)
     values ($1, sha256(convert_to($1::uuid::text, 'UTF8')), 'merchant-viewer', array[$2::uuid], '{}', true, '', 5, 'a test', now(), now() + interval '1 day')`,
    [signUpLinkId, merchantId],
  )
  await pool.query(
    `insert into sign_ups (id, link_id, code_hash, email, name, password_hash, created_at, expires_at, confirmed_at)
     values ($1, $2, sha256(convert_to($1::uuid::text, 'UTF8')), $3, 'New', 'x', now(), now() + interval '1 day', now())`,
    [signUpId, signUpLinkId, `new-${signUpId}@example.com`],
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
    serviceAccountId: service.id,
    keyId,
    signUpLinkId,
    signUpId,
    approvalId,
    alertId: randomUUID(),
    channelId: randomUUID(),
    ...(await createFinanceEntities(shop, merchantId, sale.body.trans_id)),
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

/** A dispute with a file of evidence, and a settlement file of the payment's MID with a difference. */
async function createFinanceEntities(
  { base: { pool, ids, vault } }: Shop,
  merchantId: string,
  paymentId: string,
): Promise<Params> {
  const [disputeId, fileId, settlementId, differenceId] = [ids.next(), ids.next(), ids.next(), ids.next()]
  await pool.query(
    `insert into disputes (merchant_id, id, payment_id, mid_id, reference, reason_code, amount_minor, currency, amount_decimals, stage, opened_at,
       changed_at)
     select merchant_id, $2::uuid, id, mid_id, 'CB', '4837', 100, currency, 2, 'chargeback', now(), now() from payments where id = $1`,
    [paymentId, disputeId],
  )
  await vault.prepareScope(merchantId)
  await pool.query(
    `insert into dispute_files (merchant_id, dispute_id, id, name, type, size, sha256, sealed, added_by, added_at)
     values ($1, $2, $3, 'proof.pdf', 'application/pdf', 4, repeat('0', 64), $4, 'a test', now())`,
    [merchantId, disputeId, fileId, await vault.seal(merchantId, 'evidence', secret('JVBERg=='))],
  )
  await pool.query(
    `insert into settlement_files (id, mid_id, name, format, sha256, row_count, imported_by, imported_at)
     select $2::uuid, mid_id, 'march.csv', 'common', encode(sha256(convert_to($2::uuid::text, 'UTF8')), 'hex'), 0, 'a test', now() from payments where id = $1`,
    [paymentId, settlementId],
  )
  await pool.query(
    `insert into settlement_differences (id, mid_id, day, kind, currency, ours_minor, theirs_minor, merchant_id, payment_id, ref, file_id, found_at)
     select $2::uuid, mid_id, '2026-03-01', 'amount', currency, 1000, 900, merchant_id, id, $2::uuid::text, $3, now() from payments where id = $1`,
    [paymentId, differenceId, settlementId],
  )
  const [statementId, runId, linkId, terminalId] = [ids.next(), ids.next(), ids.next(), ids.next()]
  await pool.query(
    `insert into sessions (merchant_id, id, kind, operation, test, order_id, request, first_payment, expires_at, created_at, updated_at)
     values ($1, $2, 'terminal', 'purchase', false, 'MOTO-1', $3, $4, now(), now(), now())`,
    [
      merchantId,
      terminalId,
      plainRequest({ number: 'MOTO-1', amount: '1.00', currency: 'EUR', description: 'A call' }),
      ids.next(),
    ],
  )
  await pool.query(
    `insert into payment_links (merchant_id, id, code, test, currency, description, uses, created_by, created_at)
     values ($1, $2, $3, false, 'EUR', 'Invoice', 'single', 'a test', now())`,
    [merchantId, linkId, ids.random(12)],
  )
  await pool.query(
    `insert into payout_runs (id, currency, state, execute_on, holder, number, made_by, made_at, file)
     values ($1, 'EUR', 'sent', '2026-02-01', 'Operator', 'DE89370400440532013000', 'test', now(), '<Document/>')`,
    [runId],
  )
  await pool.query(
    `insert into statements (merchant_id, currency, first_day, last_day, id, opening_minor, sales_minor, refunds_minor, chargebacks_minor,
       payouts_minor, fees_minor, held_minor, released_minor, corrections_minor, paid_out_minor, closing_minor, reserve_minor, made_by, made_at)
     values ($1, 'EUR', '2026-01-01', '2026-01-31', $2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'test', now())`,
    [merchantId, statementId],
  )
  return {
    disputeId,
    fileId,
    settlementId,
    differenceId,
    statementId,
    runId,
    entryId: randomUUID(),
    linkId,
    terminalId,
  }
}

/** What an acquirer owes a merchant: payments, the rows of settlement files, and two people who resolve what differs. */
import assert from 'node:assert/strict'
import { pan10 } from '#domain/card.ts'
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { dayMs } from '#domain/time.ts'
import { decideDispute, merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'
import { base64 } from './month-files.ts'

export const receivableCurrencies = ['JPY', 'EUR', 'KWD'] as const
export type ReceivableCurrency = (typeof receivableCurrencies)[number]

export interface RowWish {
  readonly kind: string
  readonly paymentId: string
  readonly currency: string
  /** Negative if the acquirer takes money. */
  readonly minor: bigint
  readonly reference?: string
  readonly feeMinor?: bigint
}

interface FoundDifference {
  readonly id: string
  readonly kind: string
  readonly rowKind: string | null
  readonly movement: string | null
  readonly paymentId: string | null
  readonly ref: string | null
}

export interface ReceivableScene {
  readonly shop: Shop
  readonly merchantId: string
  readonly midId: string
  readonly finance: PanelClient
  readonly colleague: PanelClient
}

export async function openReceivable(): Promise<ReceivableScene> {
  const shop = await openShop({}, ['back office', 'chargebacks'])
  const { rows } = await shop.base.pool.query<{ id: string }>("select id from mids where name = 'sandbox-live'")
  return {
    shop,
    merchantId: await merchantId(shop, 'demo'),
    midId: rows[0]?.id ?? '',
    finance: await panelOf(shop, { role: 'finance' }),
    colleague: await panelOf(shop),
  }
}

const amountIn = (currency: string, minor: bigint): string => formatAmount(minor, currency, exponentOf(currency) ?? 2)

/** Of an amount in minor units; its expiry month decides the outcome. */
export async function pay({ shop }: ReceivableScene, currency: string, minor: bigint, month = '01'): Promise<string> {
  const { body } = await shop.sale({
    order_id: crypto.randomUUID(),
    order_amount: amountIn(currency, minor),
    order_currency: currency,
    card_exp_month: month,
  })
  assert.equal(body.result, month === '01' ? 'SUCCESS' : 'DECLINED', JSON.stringify(body))
  return body.trans_id
}

export async function payOutTo({ shop }: ReceivableScene, currency: string, minor: bigint, card: string) {
  const { key, password } = shop.merchant()
  const { body } = await shop.raw({
    action: 'CREDIT2CARD',
    client_key: key,
    card_number: card,
    order_id: crypto.randomUUID(),
    order_amount: amountIn(currency, minor),
    order_currency: currency,
    order_description: 'Winnings',
    hash: shop.sign(cardFormulas.credit, { pan10: pan10(card) }, password),
  })
  return { paymentId: String(body.trans_id), result: String(body.result) }
}

/** From one card to another: the money is never the merchant's. */
export async function transfer({ shop }: ReceivableScene, currency: string, minor: bigint): Promise<string> {
  const { key, password } = shop.merchant()
  const { body } = await shop.raw({
    action: 'CARD2CARD',
    client_key: key,
    payer_card_number: '4111111111111111',
    payer_card_exp_month: '01',
    payer_card_exp_year: '2038',
    payer_card_cvv2: '000',
    payee_card_number: '5555555555554444',
    order_id: crypto.randomUUID(),
    order_amount: amountIn(currency, minor),
    order_currency: currency,
    order_description: 'Gift',
    payer_ip: '203.0.113.7',
    term_url_3ds: 'https://shop.example.com/return',
    hash: shop.sign(cardFormulas.start, { email: undefined, pan10: '4111111111' }, password),
  })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  return body.trans_id
}

export async function refund({ finance, merchantId: whose }: ReceivableScene, paymentId: string, minor: bigint) {
  const wish = { amountMinor: String(minor), reason: 'returned' }
  return finance.post(`/merchants/${whose}/payments/${paymentId}/refund`, wish)
}

export async function chargeBack(scene: ReceivableScene, paymentId: string, minor: bigint): Promise<string> {
  const { finance, merchantId: whose } = scene
  const reference = `CB-${paymentId}`
  const wish = { reference, amountMinor: String(minor), bankDate: today(scene), reasonCode: '4837' }
  const { http, text } = await finance.post(`/merchants/${whose}/payments/${paymentId}/chargeback`, wish)
  assert.equal(http, 200, text)
  return reference
}

const today = ({ shop }: Pick<ReceivableScene, 'shop'>, days = 0): string =>
  new Date(shop.base.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)

let files = 0

/** Imports a file with these rows; returns its differences. */
export async function importRows(
  scene: ReceivableScene,
  rows: readonly RowWish[],
): Promise<readonly FoundDifference[]> {
  files += 1
  const lines = rows.map(({ kind, paymentId, currency, minor, reference = '', feeMinor = 0n }, index) => {
    const sums = [minor, feeMinor, minor - feeMinor].map((sum) => amountIn(currency, sum))
    return [`F${files}-${index}`, kind, paymentId, reference, currency, ...sums, today(scene)].join()
  })
  const heading = 'row,type,payment_id,reference,currency,gross,fee,net,date'
  const content = base64([heading, ...lines, `end,${lines.length}`, ''].join('\n'))
  const upload = { midId: scene.midId, name: `file-${files}.csv`, content }
  const { body, text } = await scene.finance.post('/settlements', upload)
  assert.equal(body.result, 'imported', text)
  return listDifferences(scene, `fileId=${body.file.id}`)
}

export async function listDifferences({ finance }: ReceivableScene, query = ''): Promise<readonly FoundDifference[]> {
  const { body, text } = await finance.get(`/settlements/differences?limit=200&reportedBy=acquirer&${query}`)
  assert.ok(body.differences, text)
  return body.differences
}

/** By two people. */
export async function resolve(scene: ReceivableScene, differenceId: string, over: object = { correct: true }) {
  const wish = { note: 'Agreed with the acquirer', ...over }
  const { http, body, text } = await scene.finance.post(`/settlements/differences/${differenceId}/resolve`, wish)
  assert.equal(http, 200, text)
  const approved = await scene.colleague.post(`/approvals/${body.approvalId}/approve`)
  assert.equal(approved.body.state, 'done', approved.text)
}

/** What the acquirer still owes for the merchant's transactions. */
export async function readReceivable({ finance, merchantId: whose }: ReceivableScene, currency: string) {
  const { accounts } = (await finance.get(`/merchants/${whose}/accounts`)).body
  const found = accounts.find((one: { currency: string }) => one.currency === currency)
  return BigInt(found?.receivableMinor ?? 0)
}

/** What the acquirer has paid or taken for no transaction of ours. */
export async function readUnassigned({ shop }: ReceivableScene, currency: string): Promise<bigint> {
  const { rows } = await shop.base.pool.query<{ sum: string }>(
    `select coalesce(sum(case when from_account = 'acquirer' then amount_minor when to_account = 'acquirer' then -amount_minor end), 0)::text as sum
     from book_entries where merchant_id is null and currency = $1`,
    [currency],
  )
  return BigInt(rows[0]?.sum ?? 0)
}

/** Its money returns to the merchant in our ledger, as two people record it. */
export async function win(scene: ReceivableScene, paymentId: string): Promise<void> {
  const { finance, colleague, merchantId: whose, shop } = scene
  const { rows } = await shop.base.pool.query<{ id: string }>('select id from disputes where payment_id = $1', [
    paymentId,
  ])
  await decideDispute(`/merchants/${whose}/disputes/${rows[0]?.id}`, 'won', [finance, colleague])
}

export const kinds = ['charge', 'refund', 'chargeback', 'payout'] as const
export type Kind = (typeof kinds)[number]
export const signs: Readonly<Record<Kind, bigint>> = { charge: 1n, refund: -1n, chargeback: -1n, payout: -1n }

export const saleMinor = 1000n
const payeeCard = '4601541833776519'

export interface Moved {
  readonly paymentId: string
  /** Of our transaction. */
  readonly minor: bigint
  /** A row of the payment's charge, which agrees. */
  readonly charge: readonly RowWish[]
}

/** A transaction that is settled by a row of the kind; the charge before it is settled as it should be. */
export async function move(scene: ReceivableScene, kind: Kind, currency: ReceivableCurrency): Promise<Moved> {
  if (kind === 'payout') {
    const { paymentId, result } = await payOutTo(scene, currency, saleMinor, payeeCard)
    assert.equal(result, 'SUCCESS')
    return { paymentId, minor: saleMinor, charge: [] }
  }
  const paymentId = await pay(scene, currency, saleMinor)
  if (kind === 'charge') return { paymentId, minor: saleMinor, charge: [] }
  const minor = 400n
  if (kind === 'refund') assert.equal((await refund(scene, paymentId, minor)).http, 200)
  else await chargeBack(scene, paymentId, minor)
  return { paymentId, minor, charge: [{ kind: 'charge', paymentId, currency, minor: saleMinor }] }
}

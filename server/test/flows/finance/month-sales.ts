/** The sales of a month, with what is given back of them, and what the operator charges for them. */
import assert from 'node:assert/strict'
import { decideDispute } from '../../panel/admin.ts'
import { type Currency, currencies, type Month, merchantAtAdyen, type Name, names } from './month-scene.ts'

const amounts: Readonly<Record<Currency, readonly string[]>> = {
  EUR: ['10.00', '33.33', '0.99'],
  JPY: ['1499', '70', '123456'],
  KWD: ['10.005', '1.234', '99.999'],
}

/** What is given back of an amount, in minor units: to the payer, and to the payer's bank. */
const refunds: Readonly<Record<string, string>> = { '33.33': '1111', '1499': '500', '1.234': '111' }
const chargebacks: Readonly<Record<string, string>> = { '10.00': '1000', '70': '70', '10.005': '10005' }

export async function sell(month: Month): Promise<void> {
  const { shop, finance, idOf, today, rowsOf } = month
  for (const name of names) {
    assert.equal((await finance.post(`/merchants/${idOf(name)}/price-lists`, priceList(today()))).http, 200)
    for (const currency of currencies) {
      const account = { holder: `Holder ${name}`, number: currency === 'EUR' ? 'DE89370400440532013000' : '12345678' }
      await enterAccount(month, name, currency, account)
    }
  }
  await shop.service.configuration.refresh()
  for (const name of names)
    for (const currency of currencies)
      for (const order_amount of amounts[currency]) {
        const { body } = await shop.sale({ order_amount, order_currency: currency }, { merchant: name })
        assert.equal(body.result, 'SUCCESS', `${name} ${order_amount} ${currency}`)
        const payment = `/merchants/${idOf(name)}/payments/${body.trans_id}`
        const [refunded, disputed] = [refunds[order_amount], chargebacks[order_amount]]
        if (refunded !== undefined) {
          const refund = await finance.post(`${payment}/refund`, { amountMinor: refunded, reason: 'returned' })
          assert.equal(refund.http, 200, refund.text)
        }
        if (disputed !== undefined) {
          const sale = { name, currency, paymentId: body.trans_id }
          if (name === merchantAtAdyen) await disputeAtAdyen(month, sale)
          else await disputeByHand(month, sale, disputed)
        }
      }
  for (const name of names) {
    const { body } = await shop.sale({ card_exp_month: '02' }, { merchant: name })
    assert.equal(body.result, 'DECLINED')
  }
  await month.adyen.enterReports()
  await shop.service.awaitIdle()
  const [{ fees } = { fees: '' }] = await rowsOf<{ fees: string }>(
    `select sum(amount_minor)::text as fees from ledger_entries where currency = 'EUR' and to_account = 'fees'`,
  )
  const held = await rowsOf<{ currency: string; held: string }>(
    `select currency, sum(amount_minor)::text as held from ledger_entries where to_account = 'reserve' group by 1 order by 1`,
  )
  // Per merchant: 0.50 + 1.67 + 0.05, 75 + 4 + 6173 and 0.500 + 0.062 + 5.000.
  assert.deepEqual(
    held.map((one) => `${one.currency} ${one.held}`),
    [`EUR ${3 * 222}`, `JPY ${3 * 6252}`, `KWD ${3 * 5562}`],
  )
  // Per merchant: 10.00 → 0.38, 33.33 → 0.67, 0.99 → 0.30 (minimum), a refund 0.10, a chargeback 15.00.
  assert.equal(fees, String(3 * (38 + 67 + 30 + 10 + 1500)))
}

/** The dispute of each merchant in these currencies is won: its money comes back in the ledger. */
const wonCurrencies: readonly Currency[] = ['EUR', 'KWD']

interface DisputedSale {
  readonly name: Name
  readonly currency: Currency
  readonly paymentId: string
}

/** Adyen reports both steps. */
async function disputeAtAdyen({ adyen }: Month, { currency, paymentId }: DisputedSale): Promise<void> {
  await adyen.dispute(paymentId, 'open')
  if (wonCurrencies.includes(currency)) await adyen.dispute(paymentId, 'won')
}

async function disputeByHand(month: Month, sale: DisputedSale, amountMinor: string): Promise<void> {
  const { finance, colleague, idOf, today, rowsOf } = month
  const { name, currency, paymentId } = sale
  const chargeback = { reference: `CB-${name}-${currency}`, amountMinor, bankDate: today(), reasonCode: '4837' }
  const answer = await finance.post(`/merchants/${idOf(name)}/payments/${paymentId}/chargeback`, chargeback)
  assert.equal(answer.http, 200, answer.text)
  if (!wonCurrencies.includes(currency)) return
  const [dispute] = await rowsOf<{ id: string }>('select id from disputes where payment_id = $1', [paymentId])
  await decideDispute(`/merchants/${idOf(name)}/disputes/${dispute?.id}`, 'won', [finance, colleague])
}

const priceList = (validFrom: string) => ({
  validFrom,
  country: 'DE',
  rules: [
    { kinds: ['sale'], currency: 'EUR', fixedMinor: '25', share: 12_500, minimumMinor: '30' },
    { kinds: ['sale'], share: 21_700 },
    { kinds: ['refund'], currency: 'EUR', fixedMinor: '10' },
    { kinds: ['chargeback'], currency: 'EUR', fixedMinor: '1500' },
  ],
  monthly: [{ currency: 'KWD', amountMinor: '125' }],
  reserve: { share: 50_000, days: 7 },
})

async function enterAccount(
  { finance, idOf, approve }: Month,
  name: Name,
  currency: Currency,
  account: object,
): Promise<void> {
  const path = `/merchants/${idOf(name)}/payout-accounts/${currency}`
  const request = await finance.send('PUT', path, { ...account, reason: 'by signed letter' })
  assert.equal(request.http, 200, request.text)
  const approved = await approve(request.body.approvalId)
  assert.equal(approved.body.state, 'done', approved.text)
}

/** The transactions that GET_TRANS_DETAILS lists, and look-ups of payments other than plain sales. Chapter 10 §5.3, §7.10. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openAccount } from '../../account.ts'
import { assertViolations, says } from '../../refusals.ts'
import { type As, openShop, type RequestFields, type SignedBy } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const status = (transId: string, as: As & { signedBy?: SignedBy } = {}) =>
  shop.followUp('GET_TRANS_STATUS', transId, {}, as)
const details = (transId: string, as: As & { signedBy?: SignedBy } = {}) =>
  shop.followUp('GET_TRANS_DETAILS', transId, {}, as)

interface ListedTransaction {
  readonly type: string
  readonly status: string
  readonly amount: string
  readonly creditvoid_id?: string
}

async function transactionsOf(transId: string): Promise<readonly ListedTransaction[]> {
  return (await details(transId)).body.transactions
}

const brief = (listed: readonly ListedTransaction[]) =>
  listed.map(({ type, status, amount }) => `${type} ${status} ${amount}`)

test('transactions are listed oldest first; refunds have the creditvoid_id of their callbacks', async () => {
  const { trans_id } = (await shop.sale({ auth: 'Y' })).body
  await shop.followUp('CAPTURE', trans_id, { amount: '8.00' })
  await shop.followUp('CREDITVOID', trans_id, { amount: '3.00' })
  await shop.followUp('CREDITVOID', trans_id, { amount: '5.00' })
  const listed = await transactionsOf(trans_id)
  assert.deepEqual(brief(listed), [
    'AUTH success 10.00',
    'CAPTURE success 8.00',
    'REFUND success 3.00',
    'REFUND success 5.00',
  ])
  const refundIds = (await shop.callbacks(trans_id)).map(({ fields }) => fields['creditvoid_id'])
  assert.deepEqual(
    listed.map((one) => one.creditvoid_id),
    refundIds,
  )
  assert.deepEqual(
    refundIds.map((id) => typeof id),
    ['undefined', 'undefined', 'string', 'string'],
  )
})

/** The good card with an expiry of chapter 10 §12, the action, and the resulting list. */
// biome-ignore format: a table is read in columns.
const lists: readonly (readonly [expiry: RequestFields, action: string, listed: readonly string[]])[] = [
  [{ auth: 'Y' },                                        'CREDITVOID', ['AUTH success 10.00', 'REVERSAL success 10.00']],
  [{ auth: 'Y', card_exp_month: '03' },                  'CAPTURE',    ['AUTH success 10.00', 'CAPTURE fail 10.00']],
  [{},                                                   'VOID',       ['SALE success 10.00', 'VOID success 10.00']],
  [{ card_exp_month: '04', card_exp_year: '2039' },      'CREDITVOID', ['SALE success 10.00', 'REFUND fail 10.00']],
  [{ card_exp_month: '09', card_exp_year: '2039' },      'CREDITVOID', ['SALE success 10.00', 'REFUND waiting 10.00']],
  [{ card_exp_month: '10', card_exp_year: '2039' },      'CREDITVOID', ['SALE success 10.00', 'REFUND undefined 10.00']],
  [{ card_exp_month: '02' },                             'VOID',       ['SALE fail 10.00']],
  [{ card_exp_month: '04' },                             'VOID',       ['SALE undefined 10.00']],
]

for (const [over, action, listed] of lists) {
  test(`details list ${listed.join(', ')}`, async () => {
    const { trans_id } = (await shop.sale(over)).body
    await shop.followUp(action, trans_id)
    const found = await transactionsOf(trans_id)
    assert.deepEqual(brief(found), listed)
    for (const { type, creditvoid_id } of found)
      assert.equal(creditvoid_id !== undefined, type === 'REFUND' || type === 'REVERSAL', type)
  })
}

test('a transaction that is still being sent shows as undefined', async () => {
  const { trans_id } = (await shop.sale({ card_exp_month: '04' })).body
  await shop.base.pool.query("update transactions set state = 'sent', ask_at = null where payment_id = $1", [trans_id])
  assert.deepEqual(brief(await transactionsOf(trans_id)), ['SALE undefined 10.00'])
})

test("dates are in the merchant's time zone", async () => {
  const merchant = await openAccount(shop, { merchant: { timeZone: 'Pacific/Kiritimati' } })
  const { body } = await shop.sale({}, { merchant })
  const { rows } = await shop.base.pool.query('select created_at from transactions where payment_id = $1', [
    body.trans_id,
  ])
  const local = new Date(rows[0].created_at.getTime() + 14 * 3_600_000).toISOString()
  const shown = local.slice(0, 19).replace('T', ' ')
  assert.equal(body.trans_date, shown)
  assert.equal((await details(body.trans_id, { merchant })).body.transactions[0].date, shown)
})

test('unknown values of a payment are left out, also from the hash', async () => {
  const { key, password } = shop.merchant()
  const nobody = {
    payer_first_name: undefined,
    payer_last_name: undefined,
    payer_email: undefined,
    payer_phone: undefined,
  }
  const hash = shop.sign(cardFormulas.start, { pan10: '4111111111' }, password)
  const { body } = await shop.sale({ action: 'DEBIT', client_key: key, ...nobody, hash })
  const as = { signedBy: { email: undefined } }
  for (const answer of [await status(body.trans_id, as), await shop.byOrder(body.order_id, as)])
    assert.equal(answer.body.status, 'SETTLED')
  const { body: answer } = await details(body.trans_id, as)
  assert.deepEqual(
    ['name', 'mail', 'ip'].filter((name) => name in answer),
    ['ip'],
  )
})

test('a payout is looked up by Formula 6 and Formula 7, which never cover the e-mail', async () => {
  const { key, password } = shop.merchant()
  const order = { order_id: 'PAYOUT', order_amount: '10.00', order_currency: 'EUR', order_description: 'Winnings' }
  const pan10 = '4601546519'
  const hash = shop.sign(cardFormulas.credit, { pan10 }, password)
  const payout = { card_number: '4601541833776519', payer_email: 'doe@example.com', ...order }
  const { body } = await shop.raw({ action: 'CREDIT2CARD', client_key: key, ...payout, hash })
  assert.equal(body.status, 'SETTLED')
  const signedBy = { email: undefined, pan10 }
  for (const answer of [await status(body.trans_id, { signedBy }), await shop.byOrder('PAYOUT', { signedBy })])
    assert.equal(answer.body.status, 'SETTLED')
  assertViolations(await status(body.trans_id, { signedBy: { pan10 } }), [`hash: ${says.wrongHash}`])
  assertViolations(await shop.byOrder('PAYOUT', { signedBy: { pan10 } }), [`hash: ${says.wrongHash}`])
  const { body: answer } = await details(body.trans_id, { signedBy })
  assert.deepEqual(brief(answer.transactions), ['CREDIT success 10.00'])
  assert.deepEqual([answer.card, answer.amount, answer.currency], ['460154******6519', '10.00', 'EUR'])
})

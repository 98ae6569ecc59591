/** What the payer saw is what is charged. Chapter 30 §7.10, chapter 70 §8, decisions/payment-links#shown-amount. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sessionStore } from '#server/store/sessions/sessions.ts'
import { assertSingleError, CheckoutClient } from '../../pages/checkout.ts'
import { Payer, visaCard } from '../../pages/hosted-page.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const owner: PanelClient = await panelOf(shop)
const demo = await merchantId(shop, 'demo')

const setVat = (percent: string | null): Promise<void> =>
  shop.configure(`update merchants set vat_percent = $1 where name = 'demo'`, [percent])
const shownBy = async (payer: Payer) => {
  const { total_amount, currency } = await payer.session()
  return { amount: total_amount, currency }
}
function assertChanged(answer: Answer, ...rows: readonly string[]): void {
  assert.equal(answer.http, 409, answer.text)
  assert.equal(answer.body.error_message, 'Amount or currency is not that of the session.')
  assert.deepEqual(
    answer.body.errors.map(({ error_message: text }: { error_message: string }) => text),
    rows,
  )
}
const paymentsOf = async (payer: Payer): Promise<readonly { amount_minor: string }[]> => {
  const { id } = await payer.checkout.byToken(payer.token)
  const { rows } = await shop.base.pool.query('select amount_minor::text from payments where session_id = $1', [id])
  return rows
}

test('an attempt is charged if the page showed the amount, VAT included, and refused if it has changed since', async () => {
  await setVat('19')
  const payer = await Payer.at(shop, { vat_calc: true })
  const shown = await shownBy(payer)
  assert.deepEqual(shown, { amount: '11.90', currency: 'EUR' })
  await setVat('25')
  const refused = await payer.pay({ shown })
  const attempts = await paymentsOf(payer)
  const paid = await payer.pay({ shown: await shownBy(payer) })
  await setVat(null)
  assertChanged(refused, 'shown.amount: The session has 12.50.')
  assert.deepEqual(attempts, [])
  assert.equal(paid.body.result, 'success')
  assert.deepEqual(await paymentsOf(payer), [{ amount_minor: '1250' }])
})

test('an attempt in another currency than the page showed is refused', async () => {
  const payer = await Payer.at(shop)
  assertChanged(
    await payer.pay({ shown: { amount: '10.00', currency: 'USD' } }),
    'shown.currency: The session has EUR.',
  )
  assertChanged(await payer.pay({ shown: { currency: 'EUR' } }), 'shown.amount: The session has 10.00.')
})

test('a repeated attempt gets its answer, whatever the amount is now', async () => {
  await setVat('19')
  const payer = await Payer.at(shop, { vat_calc: true })
  const attempt = { attempt_id: randomUUID(), shown: await shownBy(payer) }
  const first = await payer.pay(attempt)
  await setVat('25')
  const again = await payer.pay(attempt)
  await setVat(null)
  assert.deepEqual([again.http, again.body.payment_id], [200, first.body.payment_id])
})

test('a payer may type the amount of a transfer, but not its currency', async () => {
  const payer = await Payer.at(shop, { operation: 'transfer', order: { amount: '-1' }, payee: { name: 'John Doe' } })
  const transfer = { amount: '12.50', payee: { name: 'John Doe' }, payee_card: { number: '5555555555554444' } }
  assertChanged(await payer.pay({ ...transfer, shown: { currency: 'USD' } }), 'shown.currency: The session has EUR.')
  assert.equal((await payer.pay({ ...transfer, shown: { currency: 'EUR' } })).body.result, 'success')
})

test('a page that does not name the amount pays a session that nobody changed, after a decline too, and no other', async () => {
  const payer = await Payer.at(shop)
  assert.equal((await payer.pay({ card: visaCard('02/38') })).body.result, 'decline')
  assert.equal((await payer.pay()).body.result, 'success')

  const changed = await Payer.at(shop)
  const session = await changed.checkout.byToken(changed.token)
  const { request } = session
  await sessionStore(shop.base.pool).change(
    session,
    { ...request, order: { ...request.order, amount: '99.00' } },
    shop.base.clock.now(),
  )
  assertChanged(await changed.pay())
  assert.deepEqual(await paymentsOf(changed), [])
  assert.equal((await changed.pay({ shown: await shownBy(changed) })).body.result, 'success')
})

async function openLink(): Promise<string> {
  const wish = { amountMinor: null, currency: 'EUR', description: 'Invoice 118' }
  const { http, body, text } = await owner.post(`/merchants/${demo}/payment-links`, wish)
  assert.equal(http, 200, text)
  return new URL(body.url).pathname
}
async function visit(path: string, amount: string): Promise<Payer> {
  const body = new URLSearchParams({ amount })
  const reply = await fetch(`${shop.url}${path}`, { method: 'POST', redirect: 'manual', body })
  const [, token] = /\/auth\/(.+)$/.exec(reply.headers.get('location') ?? '') ?? []
  assert.ok(token, `leads to the page: ${reply.status}`)
  return new Payer(new CheckoutClient(shop), token)
}

test('visitors of a link pay what each of them typed, and one of them pays', async () => {
  const path = await openLink()
  const [first, second] = [await visit(path, '10'), await visit(path, '999')]
  assert.deepEqual(
    [await shownBy(first), await shownBy(second)].map(({ amount }) => amount),
    ['10.00', '999.00'],
  )
  const paid = await first.pay({ shown: { amount: '10.00', currency: 'EUR' } })
  assert.equal(paid.body.result, 'success')
  assert.equal(
    (await shop.base.pool.query('select 1 from payments where id = $1 and amount_minor = 1000', [paid.body.payment_id]))
      .rowCount,
    1,
  )
  assert.equal((await first.checkout.lastCallback(paid.body.payment_id)).fields['order_amount'], '10.00')
  assertSingleError(await second.pay({ shown: { amount: '999.00', currency: 'EUR' } }), 100000, 'Session is complete.')
  assert.equal((await paymentsOf(second)).length, 1)
})

test('visitors of a link who pay at the same moment make one payment', async () => {
  const path = await openLink()
  const amounts = ['1.00', '2.00', '3.00', '4.00']
  const payers = await Promise.all(amounts.map((amount) => visit(path, amount)))
  const answers = await Promise.all(
    payers.map((payer, index) => payer.pay({ shown: { amount: amounts[index], currency: 'EUR' } })),
  )
  const paid = answers.flatMap(({ body }, index) => (body.result === 'success' ? [amounts[index]] : []))
  assert.equal(paid.length, 1)
  const [payer] = payers
  assert.ok(payer)
  assert.deepEqual(await paymentsOf(payer), [{ amount_minor: paid[0]?.replace('.', '').replace(/^0+/, '') }])
})

test('while one visitor is at the bank, another sees the amount that is being paid', async () => {
  const path = await openLink()
  const [first, second] = [await visit(path, '10'), await visit(path, '999')]
  const away = await first.pay({ card: visaCard('05/38'), shown: { amount: '10.00', currency: 'EUR' } })
  assert.equal(away.body.result, 'redirect')
  assert.deepEqual(await shownBy(second), { amount: '10.00', currency: 'EUR' })
  assert.equal((await first.cancelStep()).body.state, 'ready')
  assert.deepEqual(await shownBy(second), { amount: '999.00', currency: 'EUR' })
})

test('a visitor who comes back from the bank declined goes on with the own amount', async () => {
  const path = await openLink()
  await visit(path, '10')
  const second = await visit(path, '20')
  const { body } = await second.pay({ card: visaCard('06/38'), shown: { amount: '20.00', currency: 'EUR' } })
  const reply = await second.checkout.comeBack({ payment: { id: body.payment_id } })
  const [, token] = /\/auth\/([\w-]+)/.exec(`${reply.headers.get('location')}${await reply.text()}`) ?? []
  assert.ok(token)
  assert.deepEqual(await shownBy(new Payer(second.checkout, token)), { amount: '20.00', currency: 'EUR' })
})

test('an amount that no method takes is refused on the link, also for a second visitor', async () => {
  const path = await openLink()
  await visit(path, '10')
  await shop.configure(`update mids set day_limit_amounts = '{"EUR": "5000"}'`)
  const body = new URLSearchParams({ amount: '60' })
  const reply = await fetch(`${shop.url}${path}`, { method: 'POST', redirect: 'manual', body })
  await shop.configure(`update mids set day_limit_amounts = '{}'`)
  assert.equal(reply.status, 409)
  assert.match(await reply.text(), /could not be started/)
})

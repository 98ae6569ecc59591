/** Debits of S2S APM in one and in two steps: commission, completion, expiry, and crashes. Chapter 20 §12, §15. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { Apm } from '../../apm.ts'
import { crashBeforeArrival, crashDuring } from '../../crash.ts'
import { assertRefused, readEffects } from '../../payments.ts'
import { type Answer, openShop } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
beforeEach(() => setCommission({ EUR: { fixed_minor: '20', percent: '3.5' } }))
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const minute = 60_000

const setCommission = (commission: object): Promise<void> =>
  shop.configure("update merchants set debit_commission = $1 where name = 'demo'", [JSON.stringify(commission)])

const complete = (transId: string): Promise<Answer> => apm.followUp('DEBIT2VIRTUAL_COMPLETE', transId)
const notCompletable = (answer: Answer): void => assertRefused(answer, 100000, 'Payment can not be completed.')
const statusOf = async (transId: string): Promise<string> => (await apm.status(transId)).body.status

/** As `action result status`, in the order of their arrival. */
async function readCallbacks(transId: string): Promise<readonly string[]> {
  const callbacks = await apm.callbacks(transId)
  return callbacks.map(({ fields }) => `${fields['action']} ${fields['result']} ${fields['status']}`)
}

const money = ({ amount, commission, total_amount }: Readonly<Record<string, string>>) => [
  amount,
  commission,
  total_amount,
]

test('a debit in one step charges the commission on top', async () => {
  const { body } = await apm.debit()
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
  assert.deepEqual(money(body), ['10.00', '0.55', '10.55'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1055'])
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> settled 1055'])
})

const head = 'action result status order_id trans_id trans_date descriptor amount currency commission total_amount'

// biome-ignore format: a table is read in columns.
const answers: readonly (readonly [trigger: string, answer: string, more: string])[] = [
  // Chapter 20 §12.3  answer                more fields
  ['success',        'SUCCESS SETTLED',    ''],
  ['fail',           'DECLINED DECLINED',  ' decline_reason'],
  ['redirect',       'SUCCESS REDIRECT',   ' redirect_url redirect_params redirect_method'],
  ['undefined',      'UNDEFINED PREPARE',  ''],
]

for (const [trigger, expected, more] of answers) {
  test(`${trigger}: ${expected} in one step and in two, field by field`, async () => {
    const over = { identifier: `${trigger}@example.com` }
    const calculated = (await apm.calculate(over)).body
    assert.deepEqual([calculated.action, Object.keys(calculated).join(' ')], ['DEBIT2VIRTUAL_CALC', head])
    for (const { body } of [await apm.debit(over), await complete(calculated.trans_id)]) {
      assert.equal(`${body.result} ${body.status}`, expected)
      assert.equal(Object.keys(body).join(' '), `${head}${more}`)
    }
    assert.equal((await complete((await apm.calculate()).body.trans_id)).body.action, 'DEBIT2VIRTUAL_COMPLETE')
  })
}

test('without a commission for the currency it is zero', async () => {
  await setCommission({ USD: { fixed_minor: '20', percent: '3.5' } })
  assert.deepEqual(money((await apm.debit()).body), ['10.00', '0.00', '10.00'])
})

test('a calculation returns the commission without asking the provider', async () => {
  const { body } = await apm.calculate()
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'PREPARE'])
  assert.deepEqual(money(body), ['10.00', '0.55', '10.55'])
  assert.deepEqual(await readEffects(shop, body.trans_id), [])
  assert.deepEqual(await readCallbacks(body.trans_id), ['DEBIT2VIRTUAL_CALC SUCCESS PREPARE'])
})

test('the completion debits the calculated amounts, even if the commission has changed meanwhile', async () => {
  const { body } = await apm.calculate()
  await setCommission({ EUR: { fixed_minor: '9900', percent: '0' } })
  const { body: completed } = await complete(body.trans_id)
  assert.deepEqual([completed.result, completed.status, completed.trans_id], ['SUCCESS', 'SETTLED', body.trans_id])
  assert.deepEqual(money(completed), ['10.00', '0.55', '10.55'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1055'])
  assert.deepEqual(await readCallbacks(body.trans_id), [
    'DEBIT2VIRTUAL_CALC SUCCESS PREPARE',
    'DEBIT2VIRTUAL SUCCESS SETTLED',
  ])
})

test('of concurrent completions one debits, and every other one is refused', async () => {
  const { body } = await apm.calculate()
  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(body.trans_id)))
  const [won, ...lost] = answers.toSorted((one, other) => one.http - other.http)
  assert.equal(won?.body.status, 'SETTLED')
  assert.equal(lost.length, 7)
  for (const answer of lost) notCompletable(answer)
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1055'])
})

test('a completion that the provider declines ends the payment', async () => {
  const { body } = await apm.calculate({ identifier: 'fail@example.com' })
  const { body: completed } = await complete(body.trans_id)
  assert.deepEqual([completed.result, completed.status], ['DECLINED', 'DECLINED'])
  notCompletable(await complete(body.trans_id))
  assert.deepEqual(await readEffects(shop, body.trans_id), [])
})

test('a debit in one step cannot be completed', async () => {
  for (const identifier of ['success@example.com', 'undefined@example.com']) {
    notCompletable(await complete((await apm.debit({ identifier })).body.trans_id))
  }
})

test('a calculation that is not completed in 30 minutes is DECLINED, Expired, and called back', async () => {
  const { body } = await apm.calculate()
  await shop.advance(29 * minute)
  assert.equal(await statusOf(body.trans_id), 'PREPARE')
  await shop.advance(minute)
  const { body: looked } = await apm.status(body.trans_id)
  assert.deepEqual([looked.status, looked.decline_reason], ['DECLINED', 'Expired'])
  assert.deepEqual(await readCallbacks(body.trans_id), [
    'DEBIT2VIRTUAL_CALC SUCCESS PREPARE',
    'DEBIT2VIRTUAL_CALC DECLINED DECLINED',
  ])
  notCompletable(await complete(body.trans_id))
  assert.deepEqual(await readEffects(shop, body.trans_id), [])
})

test('a calculation that was completed in time does not expire', async () => {
  const { body } = await apm.calculate()
  await shop.advance(29 * minute)
  await complete(body.trans_id)
  await shop.advance(2 * minute)
  assert.equal(await statusOf(body.trans_id), 'SETTLED')
  const { rows } = await shop.base.pool.query('select from deferred_commands where payment_id = $1', [body.trans_id])
  assert.equal(rows.length, 0)
})

test('of a completion and an expiry at the same moment exactly one takes effect', async () => {
  for (const early of [0, 1, 2]) {
    const { body } = await apm.calculate()
    await shop.advance(30 * minute - early)
    const [answer] = await Promise.all([complete(body.trans_id), shop.advance(early)])
    await shop.service.awaitIdle()
    const done = answer.http === 200
    assert.equal(await statusOf(body.trans_id), done ? 'SETTLED' : 'DECLINED')
    assert.deepEqual(await readEffects(shop, body.trans_id), done ? ['debit 1055'] : [])
    assert.equal((await readCallbacks(body.trans_id)).length, 2)
  }
})

test('a reversal without an amount also refunds the commission', async () => {
  const { body } = await apm.debit()
  await apm.followUp('CREDITVOID', body.trans_id)
  assert.equal(await statusOf(body.trans_id), 'REVERSAL')
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1055', 'reverse 1055'])
})

test('refunds count against the total: refunding the amount leaves the commission', async () => {
  const { body } = await apm.debit()
  const tooMuch = 'Not acceptable to request the reversal for amount bigger than payment amount.'
  assertRefused(await apm.followUp('CREDITVOID', body.trans_id, { amount: '10.56' }), 208008, tooMuch)
  await apm.followUp('CREDITVOID', body.trans_id, { amount: '10.00' })
  assert.equal(await statusOf(body.trans_id), 'SETTLED')
  await apm.followUp('CREDITVOID', body.trans_id, { amount: '0.55' })
  assert.equal(await statusOf(body.trans_id), 'REVERSAL')
})

test('after a crash during a calculation it can still be completed', async () => {
  await crashDuring(shop, () => apm.calculate({ order_id: 'CRASHED-CALC' }))
  await shop.service.awaitIdle()
  const { body } = await apm.byOrder('CRASHED-CALC')
  assert.equal(body.status, 'PREPARE')
  assert.deepEqual(await readCallbacks(body.trans_id), ['DEBIT2VIRTUAL_CALC SUCCESS PREPARE'])
  assert.equal((await complete(body.trans_id)).body.status, 'SETTLED')
})

test('a completion that never reached the acquirer is sent again unchanged, once', async () => {
  const { body } = await apm.calculate()
  await crashBeforeArrival(shop, () => complete(body.trans_id))
  await shop.service.awaitIdle()
  assert.equal(await statusOf(body.trans_id), 'SETTLED')
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1055'])
})

test('a completion whose answer was lost is resolved, and executed once', async () => {
  const { body } = await apm.calculate()
  await crashDuring(shop, () => complete(body.trans_id))
  await shop.service.awaitIdle()
  assert.equal(await statusOf(body.trans_id), 'SETTLED')
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1055'])
})

test('a secret parameter is stored nowhere in readable form', async () => {
  const accountNumber = 'GB33BUKB20201555555555'
  const { body } = await apm.calculate({ 'parameters[account_number]': accountNumber, 'parameters[hint]': 'green' })
  await complete(body.trans_id)
  const { rows } = await shop.base.pool.query<{ text: string }>(
    `select payments::text as text from payments where id = $1
     union all select transactions::text from transactions where payment_id = $1
     union all select callbacks::text from callbacks where payment_id = $1`,
    [body.trans_id],
  )
  assert.ok(rows.some(({ text }) => text.includes('green')))
  assert.deepEqual(
    rows.filter(({ text }) => text.includes(accountNumber)),
    [],
  )
})

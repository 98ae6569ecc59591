/** CREDIT2VIRTUAL and CREDIT2CRYPTO as the merchant sees them. Chapter 20 §10, §11, §18. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { apmFormulas } from '#domain/signature/signature.ts'
import { Apm } from '../../apm.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const head = 'action result status order_id trans_id trans_date'
const holder = (name: string): RequestFields => ({ 'parameters[account_holder]': `${name} Doe` })
const address = (start: string): RequestFields => ({ 'parameters[address]': `${start}${'a1'.repeat(15)}` })

async function readCallbacks(transId: string): Promise<readonly string[]> {
  const callbacks = await apm.callbacks(transId, { formula: apmFormulas.payoutCallback })
  return callbacks.map(({ fields }) => `${fields['result']} ${fields['status']}`)
}

// biome-ignore format: a table is read in columns.
const payouts: readonly (readonly [action: 'payout' | 'cryptoPayout', over: RequestFields, answer: string, fields: string, callbacks: readonly string[]])[] = [
  // request                          answer               fields                                        callbacks, the last ones within 40 s
  ['payout',       {},                'SUCCESS SETTLED',   'amount currency',                            ['SUCCESS SETTLED']],
  ['payout',       holder('FAIL'),    'DECLINED DECLINED', 'amount currency decline_reason',             ['DECLINED DECLINED']],
  ['payout',       { 'parameters[email]': 'fail@gmail.com' },       'DECLINED DECLINED', 'amount currency decline_reason', ['DECLINED DECLINED']],
  ['payout',       { 'parameters[payee_email]': 'fail@gmail.com' }, 'DECLINED DECLINED', 'amount currency decline_reason', ['DECLINED DECLINED']],
  ['payout',       holder('WAIT'),    'UNDEFINED PREPARE', 'amount currency',                            ['UNDEFINED PREPARE', 'SUCCESS SETTLED']],
  ['cryptoPayout', {},                'INIT PENDING',      'descriptor amount currency',                 ['INIT PENDING', 'SUCCESS SETTLED']],
  ['cryptoPayout', address('FAIL'),   'DECLINED DECLINED', 'descriptor amount currency decline_reason',  ['DECLINED DECLINED']],
  ['cryptoPayout', address('WAIT'),   'INIT PENDING',      'descriptor amount currency',                 ['INIT PENDING', 'SUCCESS SETTLED']],
]

for (const [action, over, answer, fields, callbacks] of payouts) {
  test(`${action} ${JSON.stringify(over)}: ${answer}, then ${callbacks.join(', ')}`, async () => {
    const { body } = await apm[action](over)
    assert.equal(`${body.result} ${body.status}`, answer)
    assert.equal(Object.keys(body).join(' '), `${head} ${fields}`)
    await shop.advance(40_000)
    assert.deepEqual(await readCallbacks(body.trans_id), callbacks)
  })
}

test('a payout is made once, also if its request is repeated under the same key', async () => {
  const headers = { 'idempotency-key': 'payout-1' }
  const order = apm.order()
  const [first, second] = [await apm.payout(order, { headers }), await apm.payout(order, { headers })]
  assert.equal(second.text, first.text)
  assert.equal((await shop.readExecuted(first.body.trans_id)).length, 1)
})

test('a payout is signed by S4 and by no other formula', async () => {
  const order = apm.order()
  const { hash } = apm.sign('SALE', order)
  assertViolations(await apm.payout({ ...order, hash }), [`hash: ${says.wrongHash}`])
})

test('a payout cannot be captured, voided or completed', async () => {
  const { body } = await apm.payout()
  assertRefused(
    await apm.followUp('CAPTURE', body.trans_id),
    208003,
    'Not acceptable to request the capture for payment not in pending status.',
  )
  assertRefused(await apm.followUp('VOID', body.trans_id), 100000, 'Void is not allowed.')
  assertRefused(await apm.followUp('DEBIT2VIRTUAL_COMPLETE', body.trans_id), 100000, 'Payment can not be completed.')
})

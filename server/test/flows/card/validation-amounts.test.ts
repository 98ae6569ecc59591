/** The formats of amounts, and where zero is allowed. Chapter 10 §2.1, §7.1.5. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const notValid = [`order_amount: ${says.notValid}`]
const zeroRows = [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]

/** The amount that is sent, the amount in the answer, and the minor units that the acquirer gets. */
// biome-ignore format: a table is read in columns.
const acceptedAmounts: readonly (readonly [sent: string, currency: string, shown: string, minor: string])[] = [
  ['0.02',            'EUR', '0.02',            '2'],
  ['10.00',           'EUR', '10.00',           '1000'],
  ['10.5',            'EUR', '10.50',           '1050'],
  ['10',              'EUR', '10.00',           '1000'],
  ['999999999999.99', 'EUR', '999999999999.99', '99999999999999'],
  ['100.999',         'KWD', '100.999',         '100999'],
  ['100.9',           'KWD', '100.900',         '100900'],
  ['100',             'KWD', '100.000',         '100000'],
  ['100.999',         'BHD', '100.999',         '100999'],
  ['100.9999',        'CLF', '100.9999',        '1009999'],
  ['100.9999',        'UYW', '100.9999',        '1009999'],
  ['1000',            'JPY', '1000',            '1000'],
  ['1000.00',         'JPY', '1000.00',         '1000'],
  ['100',             'UGX', '100',             '100'],
  ['100.00',          'UGX', '100.00',          '100'],
  ['100',             'KRW', '100',             '100'],
  ['100.00',          'KRW', '100.00',          '100'],
  ['100',             'CLP', '100',             '100'],
  ['100.00',          'CLP', '100.00',          '100'],
  ['1000',            'ISK', '1000',            '1000'],
  ['1000.00',         'XOF', '1000.00',         '1000'],
]

for (const [sent, currency, shown, minor] of acceptedAmounts) {
  test(`${sent} ${currency} is charged as ${minor} minor units and shown as ${shown}, everywhere`, async () => {
    const answer = await shop.sale({ order_amount: sent, order_currency: currency })
    assertViolations(answer, [])
    const { trans_id, amount } = answer.body
    assert.equal(amount, shown)
    assert.deepEqual(
      (await shop.readExecuted(trans_id)).map((entry) => String(entry.amount)),
      [minor],
    )

    const [callback] = await shop.callbacks(trans_id)
    const details = await shop.followUp('GET_TRANS_DETAILS', trans_id)
    assert.equal(callback?.fields['amount'], shown)
    assert.equal(details.body.amount, shown)
    assert.equal(details.body.transactions[0].amount, shown)
  })
}

const exponentZero = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')

test('an amount in a currency without decimals has none or two zeros, and is echoed as sent', async () => {
  for (const currency of exponentZero) {
    const { body } = await shop.sale({ order_amount: '100.00', order_currency: currency })
    assert.deepEqual([body.result, body.amount], ['SUCCESS', '100.00'], currency)
    assertViolations(await shop.sale({ order_amount: '100.01', order_currency: currency }), notValid)
    assertViolations(await shop.sale({ order_amount: '100.0', order_currency: currency }), notValid)
  }
})

test('an amount has at most the three or four decimals of its currency', async () => {
  const decimals = { BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3, CLF: 4, UYW: 4, USD: 2 }
  for (const [currency, count] of Object.entries(decimals))
    assertViolations(
      await shop.sale({ order_amount: `1.${'1'.repeat(count + 1)}`, order_currency: currency }),
      notValid,
    )
})

const malformedAmounts = [
  '10,00',
  '1 000',
  '1e3',
  '+10',
  '010',
  '00',
  '.5',
  '5.',
  '1.2.3',
  '0x10',
  '١٠',
  'ten',
  ' 10',
  '10 ',
  '1000000000000',
]

for (const sent of malformedAmounts) {
  test(`"${sent}" is refused as an amount`, async () =>
    assertViolations(await shop.sale({ order_amount: sent }), notValid))
}

for (const sent of ['0', '0.00', '-1', '-0.01', '0.000']) {
  test(`a plain SALE of ${sent} is refused under both names`, async () => {
    assertViolations(await shop.sale({ order_amount: sent }), zeroRows)
  })
}

test('a missing amount is reported as blank and as zero', async () => {
  assertViolations(await shop.sale({ order_amount: undefined }), [`order_amount: ${says.blank}`, ...zeroRows])
  assertViolations(await shop.sale({ order_amount: ' ' }), [`order_amount: ${says.blank}`, ...zeroRows])
})

for (const action of ['DEBIT', 'CREDIT2CARD', 'CARD2CARD']) {
  test(`${action} of zero, below zero or without an amount is refused like a plain SALE`, async () => {
    const over = { action, payee_card_number: '4601541833776519' }
    for (const order_amount of ['0', '-1']) assertViolations(await shop.sale({ ...over, order_amount }), zeroRows)
    assertViolations(await shop.sale({ ...over, order_amount: '0', auth: 'Y' }), zeroRows)
    const missing = await shop.sale({ ...over, order_amount: undefined })
    assertViolations(missing, [`order_amount: ${says.blank}`, ...zeroRows])
  })
}

test('without a known currency only the format of the amount is checked, and the currency has its own row', async () => {
  const currency = { order_currency: 'ZZZ' }
  const row = `order_currency: ${says.notValid}`
  assertViolations(await shop.sale({ ...currency, order_amount: '1.234567' }), [row])
  assertViolations(await shop.sale({ ...currency, order_amount: 'x' }), [...notValid, row])
  assertViolations(await shop.sale({ ...currency, order_amount: '0' }), [...zeroRows, row])
})

test('zero with auth=Y is held if a MID supports it, and returned in full format', async () => {
  for (const over of [{ auth: 'Y' }, { action: 'AUTH' }]) {
    const { body } = await shop.sale({ ...over, order_amount: '0' })
    assert.deepEqual([body.result, body.status, body.amount], ['SUCCESS', 'PENDING', '0.00'])
  }
})

test('zero with auth=Y is refused with 204005 if no MID supports it', async () => {
  await shop.configure("update mids set zero_amount = false where name like 'sandbox-no-moto-%'")
  const answer = await shop.sale({ auth: 'Y', order_amount: '0.00' }, { merchant: 'demo-no-moto' })
  assertRefused(answer, 204005, 'Payment action not supported.')
})

test('with auth=Y a negative amount or one with too many decimals is still refused', async () => {
  assertViolations(await shop.sale({ auth: 'Y', order_amount: '-1' }), zeroRows)
  assertViolations(await shop.sale({ auth: 'Y', order_amount: '0.000' }), notValid)
})

test('later amounts of a payment have the format of its order', async () => {
  const { body } = await shop.sale({ auth: 'Y', order_amount: '1000.00', order_currency: 'JPY' })
  const captured = await shop.followUp('CAPTURE', body.trans_id, { amount: '400' })
  assert.equal(captured.body.amount, '400.00')
  const whole = await shop.sale({ auth: 'Y', order_amount: '1000', order_currency: 'JPY' })
  const all = await shop.followUp('CAPTURE', whole.body.trans_id, { amount: '400.00' })
  assert.equal(all.body.amount, '400')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeAmount } from './exchange.ts'
import { decisionText, openTestAcquirer } from './testing/test-acquirer.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  // legs      paid                                settled
  [ 'single',  1000n,                 'USD',       '11.00 EUR' ],
  [ 'single',  1000n,                 'EUR',       '11.00 USD' ],
  [ 'single',  1000n,                 'JPY',       '1100.00 EUR' ],
  [ 'single',  1005n,                 'KWD',       '1.11 EUR' ],
  [ 'double',  1005n,                 'GBP',       '10.05 EUR' ],
  [ 'double',  1_500_000_000_000_000_000n, 'ETH',  '1.50 EUR' ],
] as const

for (const [legs, amount, currency, settled] of cases) {
  test(`a ${legs} exchange of ${amount} minor units ${currency} settles as ${settled}, half up`, () => {
    const exchange = exchangeAmount(legs, amount, currency)
    assert.equal(`${exchange?.settlementAmount} ${exchange?.settlementCurrency}`, settled)
    assert.equal(exchange?.currency, currency)
  })
}

test('a currency of unknown decimals is not exchanged', () =>
  assert.equal(exchangeAmount('single', 1n, 'XXXXXX'), undefined))

test('expiry 11/2040 exchanges the money once, 12/2040 twice, and refunds are in the currency that was paid', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const once = await acquirer.first('sale', '4111111111111111', '11/2040')
  const { exchange_rate, exchange_rate_base, exchange_currency, exchange_amount } = once.body
  assert.deepEqual(
    [exchange_rate, exchange_rate_base, exchange_currency, exchange_amount],
    ['1.1000', undefined, 'EUR', '10.00'],
  )

  const twice = await acquirer.first('authorize', '5555555555554444', '12/2040')
  assert.deepEqual([twice.body.exchange_rate, twice.body.exchange_rate_base], ['1.2500', '0.8000'])
  assert.deepEqual((await acquirer.status(twice.id)).body, twice.body)

  const refund = await acquirer.later('refund', once, '400')
  assert.equal(decisionText(refund), 'approved')
  assert.equal(refund.body.exchange_rate, undefined)
})

test('a payment that is not exchanged says nothing of it', async (t) => {
  const acquirer = await openTestAcquirer(t)
  const { body } = await acquirer.first('sale', '4111111111111111', '01/2038')
  assert.deepEqual(
    Object.keys(body).filter((name) => /exchange|settlement/.test(name)),
    [],
  )
})

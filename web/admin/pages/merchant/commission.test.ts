import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commissionFault, commissionFrom, commissionText } from './commission.ts'

const commission = { EUR: { fixed: '0.30', percent: '1.5' }, JPY: { fixed: '30', percent: '0' } }

test('a commission is written as lines and read back unchanged', () => {
  const text = commissionText(commission)
  assert.equal(text, 'EUR 0.30 1.5\nJPY 30 0')
  assert.deepEqual(commissionFrom(` ${text}\n\n`), commission)
  assert.deepEqual(commissionFrom(''), {})
})

test('a line that cannot be read is named', () => {
  assert.equal(commissionFault('eur 0.30 1.5'), null)
  assert.equal(
    commissionFault('EUR 0.30 1.5\nUSD five'),
    '"USD five" is not valid. Enter a currency, a fixed amount and a percentage, such as EUR 0.30 1.5.',
  )
})

/** Chapter 70 §3: every movement of what a merchant is owed is in exactly one line of its statement. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changeOf, type Movement, owedOf, sumsOf } from './statement.ts'

const movement = (from: Movement['from'], to: Movement['to'], amountMinor: bigint): Movement => ({
  from,
  to,
  amountMinor,
})

test('each movement is in its own line', () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    ['payer',       'settled',      { salesMinor: 5n },       5n],
    ['held',        'settled',      { salesMinor: 5n },       5n],
    ['settled',     'payer',        { salesMinor: -5n },      -5n],
    ['settled',     'refunded',     { refundsMinor: 5n },     -5n],
    ['settled',     'charged_back', { chargebacksMinor: 5n }, -5n],
    ['charged_back', 'settled',     { chargebacksMinor: -5n }, 5n],
    ['settled',     'payee',        { payoutsMinor: 5n },     -5n],
    ['payable',     'fees',         { feesMinor: 5n },        -5n],
    ['fees',        'payable',      { feesMinor: -5n },       5n],
    ['payable',     'reserve',      { heldMinor: 5n },        -5n],
    ['reserve',     'payable',      { releasedMinor: 5n },    5n],
    ['payable',     'corrections',  { correctionsMinor: -5n }, -5n],
    ['corrections', 'payable',      { correctionsMinor: 5n }, 5n],
    ['payable',     'paid_out',     { paidOutMinor: 5n },     -5n],
    ['paid_out',    'payable',      { paidOutMinor: -5n },    5n],
    ['payer',       'held',         {},                       0n],
    ['payer',       'payee',        {},                       0n],
  ] as const
  for (const [from, to, line, change] of cases) {
    const sums = sumsOf([movement(from, to, 5n)])
    const changed = Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n))
    assert.deepEqual(changed, line, `${from} to ${to}`)
    assert.equal(changeOf(sums), change, `${from} to ${to}`)
  }
})

test('the lines add up to what the accounts say, whatever happened', () => {
  const pairs = [
    ['payer', 'held'],
    ['payer', 'settled'],
    ['held', 'settled'],
    ['held', 'payer'],
    ['settled', 'payer'],
    ['settled', 'refunded'],
    ['settled', 'charged_back'],
    ['charged_back', 'settled'],
    ['settled', 'payee'],
    ['payer', 'payee'],
    ['payable', 'fees'],
    ['payable', 'reserve'],
    ['reserve', 'payable'],
    ['payable', 'corrections'],
    ['corrections', 'payable'],
    ['payable', 'paid_out'],
    ['paid_out', 'payable'],
  ] as const
  const one = fc
    .tuple(fc.constantFrom(...pairs), fc.bigInt(1n, 10n ** 12n))
    .map(([[from, to], amount]) => movement(from, to, amount))
  fc.assert(fc.property(fc.array(one), (movements) => changeOf(sumsOf(movements)) === owedOf(movements)))
})

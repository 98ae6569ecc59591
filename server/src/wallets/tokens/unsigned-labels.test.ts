import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unsignedLabels } from './unsigned-labels.ts'

const a = (displayName: unknown, network: unknown = 'Visa') =>
  JSON.stringify({ paymentMethod: { displayName, network } })

test('wallet A provides the name of the card and its network', () => {
  assert.deepEqual(unsignedLabels('walletapay', a('Visa 0018')), { displayName: 'Visa 0018', networkLabel: 'Visa' })
})

test('wallet B provides them beside the token', () => {
  const text = JSON.stringify({ paymentMethodData: { description: 'Visa •••• 0018', info: { cardNetwork: 'VISA' } } })
  assert.deepEqual(unsignedLabels('walletbpay', text), { displayName: 'Visa •••• 0018', networkLabel: 'VISA' })
})

// biome-ignore format: a table is read in columns.
const nothing = [
  ['absent',                   undefined],
  ['no text',                  17],
  ['empty',                    ''],
  ['too long',                 'x'.repeat(65)],
  ['a card number',            '4111111111111111'],
  ['a spaced card number',     'Visa 4111 1111 1111 1111'],
  ['one in other digits',      '٤١١١١١١١١١١١١١١١'],
  ['half of a pair',           'Visa \ud800'],
  ['something that controls',  'Visa\u001b[31m'],
] as const

for (const [what, displayName] of nothing) {
  test(`a name that is ${what} is ignored`, () => {
    assert.equal(unsignedLabels('walletapay', a(displayName)).displayName, null)
  })
}

test('any text can be read, and no label ever contains twelve digits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('walletapay', 'walletbpay'),
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((s) => a(s)),
      ),
      (wallet, text) => {
        for (const label of Object.values(unsignedLabels(wallet, text)))
          assert.ok(label === null || (label.match(/\d/g) ?? []).length < 12)
      },
    ),
  )
})

/**
 * A value that a payer can see signs nothing that a merchant sends or receives: every pair of such a value and another formula, with the
 * boundaries between the values moved, values repeated and left out, in both orders and in both cases of letters.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formulas, type NamedFormula } from './formula-table.ts'
import type { Digest } from './signature.ts'

// Without small letters `up( … ) . PASSWORD` and `up( … . PASSWORD )` are the same text.
const passwords = ['13a4822c5907ed235f3a068c76184fc3', '13A4822C5907ED235F3A068C76184FC3']
const digests: readonly Digest[] = ['md5', 'sha256']

/** A payer who chose the digits of the order number, and knows all of this. */
const seen: Readonly<Record<string, string>> = {
  email: 'd@x.io',
  pan10: '4111111111',
  trans_id: '01a1f58e-082d-7653-bba7-710f7d279c75',
  payment_id: '01a1f58e-082d-7653-bba7-710f7d279c75',
  order_id: 'INV-9417',
  order_number: 'INV-9417',
  order_amount: '1.00',
  order_currency: 'USD',
  order_description: 'Shoes',
  outcome: 'failure',
}

/** The values that a formula covers, in their order. C1 covers every parameter, of which a return has these two. */
const valuesOf = ({ terms }: NamedFormula): readonly (readonly [string, string])[] =>
  (terms ?? ['order_id', 'trans_id']).map((term) => [term, seen[term] ?? ''])

type Forgery = Readonly<Record<string, string>>

/** As it is and reversed, in each case of letters. */
const forms = (text: string): readonly string[] =>
  [text, [...text].toReversed().join('')].flatMap((one) => [one, one.toUpperCase()])

/**
 * What somebody who knows the values of one formula may send under the names of another: the known values, or none; with a run of
 * neighbouring values, also repeated and in the other order, in place of one of them; and with all of them cut in two at each boundary and
 * beside it, in place of two.
 */
function forgeries({ terms }: NamedFormula, visible: NamedFormula): readonly Forgery[] {
  const names = terms ?? ['a', 'b']
  const values = valuesOf(visible).map(([, value]) => value)
  const runs = values.flatMap((_, from) =>
    values.slice(from).map((__, length) => values.slice(from, from + length + 1)),
  )
  const inOne = new Set(
    runs.flatMap((run) => [run, run.toReversed(), [...run, ...run]].flatMap((one) => forms(one.join('')))),
  )
  const boundaries = values.map((_, index) => values.slice(0, index).join('').length)
  const inTwo = [values, values.toReversed()].flatMap((order) =>
    forms(order.join('')).flatMap((text) =>
      boundaries.flatMap((at) => [at - 1, at, at + 1].map((cut) => [text.slice(0, cut), text.slice(cut)] as const)),
    ),
  )
  const known = Object.fromEntries(names.map((name) => [name, seen[name] ?? '']))
  return [known, {}].flatMap((base) =>
    names.flatMap((name, index) => [
      ...[...inOne].map((text) => ({ ...base, [name]: text })),
      ...names
        .slice(index + 1)
        .flatMap((other) => inTwo.map(([first, rest]) => ({ ...base, [name]: first, [other]: rest }))),
    ]),
  )
}

/** The names of all formulas that a value of this one signs as well. */
function signedBy(visible: NamedFormula): readonly string[] {
  const others = formulas.filter(({ name, seenBy }) => name !== visible.name && seenBy !== 'payer')
  const hashes = (formula: NamedFormula, values: Readonly<Record<string, string>>): readonly string[] =>
    passwords.flatMap((password) => digests.map((digest) => formula.hash(values, { password, digest })))
  const wanted = new Set(hashes(visible, Object.fromEntries(valuesOf(visible))))
  return others
    .filter((other) =>
      forgeries(other, visible).some((values) => hashes(other, values).some((hash) => wanted.has(hash))),
    )
    .map(({ name }) => name)
}

describe('what payers see', () => {
  for (const visible of formulas.filter(({ seenBy }) => seenBy === 'payer'))
    test(`${visible.name} signs no request and no callback`, () => assert.deepEqual(signedBy(visible), []))

  test('is the return alone, and by mapping option the returns of earlier releases', () => {
    const by = (who: NamedFormula['seenBy']) => formulas.filter(({ seenBy }) => seenBy === who).map(({ name }) => name)
    assert.deepEqual(by('payer'), ['return'])
    assert.deepEqual(by('payer by option'), ['card.return', 'apm.callback', 'checkout.return'])
  })
})

describe('the danger of the mapping option: the search finds what the earlier formulas sign', () => {
  const formula = (name: string): NamedFormula => formulas.find((one) => one.name === name) ?? assert.fail(name)

  test('S2S CARD', () => assert.deepEqual(signedBy(formula('card.return')), ['card.follow-up', 'card.by-order']))
  test('Checkout, the payout and the callback among them', () => {
    const found = signedBy(formula('checkout.return'))
    for (const name of ['checkout.card-credit', 'checkout.session', 'checkout.callback'])
      assert.ok(found.includes(name), name)
  })
  test('S2S APM, with a password without small letters', () => {
    const found = signedBy(formula('apm.callback'))
    for (const name of ['apm.payout', 'apm.by-order', 'apm.payout-callback']) assert.ok(found.includes(name), name)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldView } from '../page-api.ts'
import { groupsOf, sharesLine } from './field-groups.ts'

const field = (name: string): FieldView => ({
  name,
  required: true,
  title: null,
  type: 'text',
  min: null,
  max: null,
  pattern: null,
  values: [],
  default: null,
})

const namesOf = (fields: readonly FieldView[]) => fields.map(({ name }) => name)

test('a transfer has the amount first, then the payer’s card and the recipient’s, each under its heading', () => {
  const fields = ['card.number', 'card.cvv', 'customer.name', 'payee_card.number', 'payee.name', 'amount'].map(field)
  assert.deepEqual(
    groupsOf(fields, 'transfer').map(({ legend, fields: own }) => [legend, namesOf(own)]),
    [
      [null, ['amount']],
      ['payerCard', ['card.number', 'card.cvv', 'customer.name']],
      ['payee', ['payee_card.number', 'payee.name']],
    ],
  )
})

test('any other form has one group, in the order of the server', () => {
  const fields = ['card.number', 'payee.name'].map(field)
  assert.deepEqual(groupsOf(fields, 'credit'), [{ legend: null, fields }])
})

test('a field shares its line only with its partner', () => {
  const all = ['billing_address.city', 'billing_address.zip', 'billing_address.phone'].map(field)
  assert.deepEqual(
    namesOf(all).map((name) => sharesLine(name, all)),
    [true, true, false],
  )
})

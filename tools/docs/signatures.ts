/** The signature formulas of the reference, with the hash of one example each. */

import { formulaNamed, type NamedFormula } from '#domain/signature/formula-table.ts'
import { writeFormula } from '#domain/signature/hash-explanation.ts'
import { apmFormulas, cardFormulas, checkoutFormulas, signedTreeBytes, signTree } from '#domain/signature/signature.ts'
import { treePartsOf } from '../client/base-parts.ts'
import { code, table } from './markdown.ts'

/** The input of every example; the documentation prints it beside the tables. */
const example = {
  password: '13a4822c5907ed235f3a068c76184fc3',
  email: 'doe@example.com',
  payer_email: 'doe@example.com',
  pan10: '4111111111',
  card_token: 'f5d6a0ab6fcfb6487a39e8256e50fff3c95aaa97a8dd5d2e3d7e2d1d0c5b1a2f',
  trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  payment_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  schedule_id: '57fddecf-17b9-4d38-9320-a670f0c29ec0',
  order_id: 'ORDER-12345',
  order_number: 'ORDER-12345',
  'order.number': 'ORDER-12345',
  identifier: 'success@example.com',
  order_amount: '10.00',
  'order.amount': '10.00',
  amount: '10.00',
  order_currency: 'EUR',
  'order.currency': 'EUR',
  order_description: 'Shoes',
  'order.description': 'Shoes',
  status: 'SETTLED',
  recurring_init_trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
  recurring_token: '9a4f6f0e-5b1c-4b8a-8f0a-2f6f3d1c7e55',
} as const

export const cardSignatures = (): string =>
  formulaTable(Object.entries(cardFormulas).map(([name, formula]) => [`card.${name}`, `H(${writeFormula(formula)})`]))

export const apmSignatures = (): string =>
  formulaTable(Object.entries(apmFormulas).map(([name, formula]) => [`apm.${name}`, `H(${writeFormula(formula)})`]))

export const checkoutSignatures = (): string =>
  formulaTable(
    Object.entries(checkoutFormulas).map(([name, terms]) => [
      `checkout.${name}`,
      `sha1(H(up( ${[...terms, 'PASSWORD'].join(' . ')} )))`,
    ]),
  )

/** A callback with a nested parameter, whose names are partly whole numbers. */
const exampleCallback = {
  action: 'SALE',
  result: 'SUCCESS',
  status: 'SETTLED',
  order_id: example.order_id,
  trans_id: example.trans_id,
  amount: example.order_amount,
  currency: example.order_currency,
  custom_data: { size: '42', '10': 'blue', '2': 'red' },
}

/** The general callback value by value, so that a developer can compare each step. */
export function callbackSignature(): string {
  const { password } = example
  const parts = treePartsOf(exampleCallback, password)
  const steps = table(
    ['Part, in this order', 'In the text'],
    parts.map(({ name, bytes }) => [code(name), code(bytes.toString())]),
  )
  const text = signedTreeBytes(exampleCallback, password).toString()
  const hash = signTree(exampleCallback, { password, digest: 'md5' })
  return `${steps}\n\nJoined: \`${text}\`. Its md5, the \`hash\` of the callback: \`${hash}\`.`
}

function formulaTable(rows: readonly (readonly [name: string, formula: string])[]): string {
  return table(
    ['No.', 'Name', 'Signs', 'Formula', 'Example, md5'],
    rows.map(([key, formula]) => {
      const known = requireFormula(key)
      const signed = known.hash(example, { password: example.password, digest: 'md5' })
      return [known.number, code(known.name), known.usedFor, code(formula), code(signed)]
    }),
  )
}

function requireFormula(name: string): NamedFormula {
  const formula = formulaNamed(name)
  if (!formula) throw new Error(`The command line does not know the formula "${name}".`)
  return formula
}

/**
 * Answers and callback of Checkout as JSON Schemas. The real presenters run on a payment of which everything is known, which shows every
 * member and its type, and on one of which only the order is known, which shows the members that are always sent.
 */
import { defaultMapping } from '#domain/mapping.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import type { Status, TransactionState, TransactionType } from '#domain/payment/payment.ts'
import { bareFacts, fullFacts } from '#domain/payment/testing/example-facts.ts'
import { checkoutCallbackFields } from '#server/protocols/checkout/callback.ts'
import {
  acceptedAnswer,
  captureAnswer,
  recurringAnswer,
  statusAnswer,
  voidAnswer,
} from '#server/protocols/checkout/present.ts'
import type { Schema } from './value-schemas.ts'

type Presenter = (facts: PaymentFacts) => object

/** The outcomes that show every member between them. */
// biome-ignore format: a table is read in columns.
const outcomes: readonly (readonly [TransactionType, TransactionState, Status])[] = [
  ['SALE',       'success', 'SETTLED'],
  ['SALE',       'fail',    'DECLINED'],
  ['3DS',        'waiting', '3DS'],
  ['CAPTURE',    'fail',    'PENDING'],
  ['REFUND',     'success', 'REFUND'],
  ['CHARGEBACK', 'success', 'CHARGEBACK'],
]

function schemaOf(present: Presenter, over: Readonly<Record<string, Schema>> = {}): Schema {
  const shown = [fullFacts, { ...fullFacts, consent: { id: 'consent', state: 'active' } as const }].flatMap((facts) =>
    kindsOf(facts).flatMap((one) => outcomesOf(one).map((ended) => membersOf(present(ended)))),
  )
  const bare = outcomesOf(bareFacts).map((ended) => membersOf(present(ended)))
  const members = Object.assign({}, ...shown.toReversed())
  const required = Object.keys(members).filter((name) => [...shown, ...bare].every((one) => name in one))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, valueSchema(value)])),
      ...over,
    },
    required,
  }
}

const kindsOf = (facts: PaymentFacts): readonly PaymentFacts[] => [facts, { ...facts, kind: 'transfer' }]

const outcomesOf = (facts: PaymentFacts): readonly PaymentFacts[] =>
  outcomes.map(([type, state, status]) => ({
    ...facts,
    status,
    transaction: { id: facts.id, type, state, amountMinor: 400n, at: facts.createdAt, creditvoidId: null },
  }))

const membersOf = (answer: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined))

function valueSchema(value: unknown): Schema {
  if (typeof value !== 'object' || value === null) return { type: typeof value }
  const members = Object.entries(membersOf(value))
  return { type: 'object', properties: Object.fromEntries(members.map(([name, inner]) => [name, valueSchema(inner)])) }
}

const mapping = { ...defaultMapping('CHECKOUT'), merchantId: '' }
const orderStatuses = [
  'prepare',
  '3ds',
  'redirect',
  'pending',
  'settled',
  'reversal',
  'refund',
  'void',
  'chargeback',
  'decline',
]
const outcomeNames = ['SUCCESS', 'FAIL', 'UNDEFINED']
const orderStatus: Schema = { type: 'string', enum: orderStatuses }
const outcome: Schema = { type: 'string', enum: outcomeNames }
const freeForm: Schema = { type: 'object' }

const onSchedule: Schema = {
  schedule_id: { type: 'string', description: 'With a schedule.' },
  schedule_start_date: { type: 'string', format: 'date', description: 'As sent.' },
  payment_schedule_amount: { type: 'string', description: 'As sent.' },
  first_recurring_date: { type: 'string', format: 'date', description: 'As for a payment made today.' },
}

const describeOpened = (name: string, description: string, more: Schema = {}): Schema => ({
  type: 'object',
  properties: { [name]: { type: 'string', description }, ...more, ...onSchedule },
  required: [name, ...Object.keys(more)],
})

const accepted = schemaOf(acceptedAnswer, { result: { type: 'string', const: 'accepted' } })
const status = schemaOf((facts) => statusAnswer(facts, mapping), { status: orderStatus })

/** By the name of the endpoint. */
export const checkoutAnswers: Readonly<Record<string, Schema>> = {
  session: describeOpened('redirect_url', 'Send the payer there.'),
  'session-token': describeOpened('token', 'For your server: the header `Token`.', {
    client_token: { type: 'string', description: 'For the page: the hosted fields. It can only collect card data.' },
  }),
  status: {
    anyOf: [
      { title: 'One payment', ...status },
      { title: 'With `size`', type: 'array', items: status },
    ],
  },
  capture: schemaOf(captureAnswer, { status: orderStatus, trans_status: outcome }),
  refund: accepted,
  void: schemaOf(voidAnswer, { status: outcome, payment_status: orderStatus }),
  recurring: schemaOf(recurringAnswer, { status: { type: 'string', enum: ['settled', 'pending', 'declined'] } }),
  retry: accepted,
  'card-credit': accepted,
}

const key = { password: 'password', digest: 'md5' } as const
const types = [
  'sale',
  '3ds',
  'redirect',
  'init',
  'capture',
  'void',
  'refund',
  'recurring',
  'debit',
  'credit',
  'transfer',
  'chargeback',
]

export const checkoutCallback: Schema = {
  ...schemaOf((facts) => checkoutCallbackFields(facts, mapping, key), {
    order_status: orderStatus,
    type: { type: 'string', enum: types },
    status: { type: 'string', enum: ['success', 'fail', 'waiting', 'undefined'] },
    custom_data: freeForm,
  }),
  description: 'The operator may add report fields.',
  additionalProperties: true,
}

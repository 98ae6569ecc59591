/** Our operations over the package's flows. */
import type { Answer, FollowUp, Order, Outcome, StatusQuery } from '../connector.ts'
import { refusedSend } from '../outcome.ts'
import { outcomeOf } from './answer.ts'
import { brandMethodOf } from './messages/brand.ts'
import { captureMessage, getMessage, refundGetMessage, refundMessage, voidMessage } from './messages/later-step.ts'
import { chargeMessage, isStoring, secretText } from './messages/order.ts'
import { paymentMethodOf } from './messages/payment-method.ts'
import { type FlowReading, type FlowRequest, type PrismLink, performWithToken } from './perform.ts'
import { ownCustomerId, prepareCharge, withAccessToken } from './prepare.ts'
import type { Prepared } from './prepared.ts'
import { repeatCharge } from './repeat-charge.ts'
import { isRepeat } from './stored-credential.ts'
import type { AcquirerRow } from './table/row.ts'
import type { PrismFlow } from './transformer/protocol.ts'

export async function charge(operation: 'sale' | 'authorize', order: Order, link: PrismLink): Promise<Outcome> {
  const { row } = link
  if (isRepeat(order)) return repeatCharge(operation, order, link)
  const paymentMethod = row.methods ? brandMethodOf(order, row.methods) : paymentMethodOf(order, row.abilities)
  if (paymentMethod === null || order.amountMinor === null) return refusedSend(takenBy(row, order))
  const prepared = forStoring(row, order, await prepareCharge(link, order))
  const message = chargeMessage(order, {
    isCaptured: operation === 'sale',
    prepared,
    ownThreeDs: row.redirects === true && link.credentials.three_ds === 'always',
    terms: row,
  })
  const withMethod =
    prepared.cardToken === undefined
      ? { ...message, paymentMethod }
      : { ...message, connectorToken: secretText(prepared.cardToken) }
  const reading = await performWithToken(link, {
    flow: prepared.cardToken === undefined ? 'authorize' : 'token_authorize',
    message: withMethod,
    idempotencyKey: order.transactionId,
    money: {
      amountMinor: order.amountMinor,
      currency: order.currency,
      readBack: row.readBack[operation] ?? row.readBack.sale,
    },
  })
  return outcomeOf(operation, reading, row)
}

function takenBy({ methods }: AcquirerRow, { wallet }: Order): string {
  if (methods) return `This acquirer takes the brands ${methods.join(', ')}`
  return wallet ? 'This acquirer does not take this wallet' : 'This acquirer takes cards with an amount'
}

/** Some acquirers store a card under an id of the payer only, and take ours. */
const forStoring = ({ abilities }: AcquirerRow, order: Order, prepared: Prepared): Prepared =>
  isStoring(order) && abilities.includes('stores-under-our-id')
    ? { ...prepared, customerId: prepared.customerId ?? ownCustomerId(order) }
    : prepared

const laterSteps = {
  capture: ['capture', captureMessage],
  reverse: ['void', voidMessage],
  refund: ['refund', refundMessage],
} as const satisfies Record<string, readonly [PrismFlow, unknown]>

export async function runLaterStep(
  operation: keyof typeof laterSteps,
  step: FollowUp,
  link: PrismLink,
): Promise<Outcome> {
  if (step.reference === null) return refusedSend('The acquirer gave no reference of the payment')
  const [flow, messageOf] = laterSteps[operation]
  const { amountMinor, currency } = step
  const readBack = operation === 'reverse' ? undefined : link.row.readBack[operation]
  const reading = await performWithToken(link, {
    flow,
    message: messageOf(step, await withAccessToken(link)),
    idempotencyKey: step.transactionId,
    // A release names no amount at most acquirers.
    ...(operation !== 'reverse' && { money: { amountMinor, currency, readBack } }),
  })
  const outcome = outcomeOf(operation, reading, link.row)
  const isWhole = operation === 'capture' && amountMinor === step.first.amountMinor
  return isWhole && outcome.result === 'approved' && isPartial(reading)
    ? { result: 'unknown', reason: 'The acquirer captured another amount.', facts: outcome.facts }
    : outcome
}

/** The acquirer has captured a part of the hold. */
const isPartial = (reading: FlowReading): boolean =>
  reading.kind === 'read' && String(Reflect.get(Object(reading.answer), 'statusName')).startsWith('PARTIAL_')

/** Asks by the acquirer's reference, or by ours where the acquirer goes by that. Without either it would list everything. */
export async function findOutcome(query: StatusQuery, link: PrismLink): Promise<Answer> {
  const { operation, reference, first } = query
  const { row } = link
  if (operation === 'refund') {
    if (reference === null || !row.abilities.includes('refund-get')) return { result: 'cannot-be-asked' }
    return ask(query, link, {
      flow: 'refund_get',
      message: refundGetMessage(query, reference, await withAccessToken(link)),
    })
  }
  const isFirst = operation === 'sale' || operation === 'authorize'
  const id = (isFirst ? reference : first.reference) ?? (row.abilities.includes('get-by-reference') ? '' : null)
  if (id === null || !row.abilities.includes('get')) return { result: 'cannot-be-asked' }
  const answer = await ask(query, link, { flow: 'get', message: getMessage(query, id, await withAccessToken(link)) })
  if (id === '' && !isNamed(answer)) return notFound
  return isFirst ? answer : laterAnswer(query, answer)
}

/** Asked by our reference, an acquirer that does not know it may answer in the form of a decline. Its own reference says that it does. */
const isNamed = (answer: Answer): boolean => answer.result !== 'declined' || answer.facts.reference !== undefined

const notFound: Answer = { result: 'unknown', reason: 'The acquirer did not find our reference.', facts: {} }

/** The payment's own state answers for a later step only if the step was about all of its money. */
const laterAnswer = ({ operation, amountMinor, first }: StatusQuery, answer: Answer): Answer =>
  answer.result === 'approved' && (operation !== 'capture' || amountMinor === first.amountMinor)
    ? { result: 'approved', facts: {} }
    : { result: 'cannot-be-asked' }

async function ask(query: StatusQuery, link: PrismLink, request: FlowRequest): Promise<Answer> {
  const reading = await performWithToken(link, request)
  const answer = outcomeOf(query.operation, reading, link.row)
  // Only whole captures are asked about, and a part does not tell which one it is.
  if (answer.result === 'approved' && isPartial(reading)) return { result: 'cannot-be-asked' }
  // A question that was refused says nothing about the transaction.
  if (reading.kind !== 'read' || answer.result === 'not-executed')
    return {
      result: 'unknown',
      reason: `The acquirer answered ${reading.kind === 'not-built' ? 'nothing' : reading.status}.`,
      facts: {},
    }
  return answer
}

/**
 * POST /api/v1/processing/{purchase,debit}/card: the merchant's server pays with the values that the hosted fields collected. Chapter 30
 * §8.4.
 */

import { errors, violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { invalid, RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionOperation } from '../../../contracts/session-records.ts'
import type { PaymentWithTransaction } from '../../../payments/outcome/perform.ts'
import type { OfferedMethod } from '../../../payments/sessions/offer.ts'
import { payeeOf, payerOf } from '../../../payments/sessions/people.ts'
import { refuseOtherAmount } from '../../../payments/sessions/session-amount.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { PaidWith, SessionAttempt } from '../../../payments/sessions/session-payment.ts'
import { postalAddress } from '../../checkout/person-params.ts'
import { checkoutEmail, currency, pastDay, printable } from '../../checkout/text-formats.ts'
import { orderAmount } from '../../checkout/words.ts'
import type { ValueTree } from '../../kit/bodies/value-tree.ts'
import * as format from '../../kit/values/formats.ts'
import { jsonFlag, orNumber } from '../../kit/values/json-params.ts'
import { optional, readParams, stateRule, type Values } from '../../kit/values/params.ts'
import { soundValue } from '../../kit/values/read.ts'
import type { HostedPageParts } from '../parts.ts'
import { payerReading } from '../payer-reading.ts'
import { awaitUntilDeadline } from '../payment/attempt-deadline.ts'
import { browserInfo } from '../payment/browser-info.ts'
import { checkNumber, codeFor, savedCardPaid } from '../payment/entered-card.ts'
import { declineMessage, resultOf } from '../payment/outcome.ts'
import { admitAttempt, readContextAfter } from '../payment/page-payment.ts'
import { networkOfCard } from '../session/networks.ts'
import { languageFor } from '../session/page-session.ts'
import { composeParameters } from '../session/session-return.ts'

const { length } = limits

export const processingParams = {
  name: stateRule(
    'yes, unless the session has `customer.name`',
    optional(printable(length.customerNameLow, length.customerName)),
  ),
  with_hosted_fields: jsonFlag,
  email: optional(checkoutEmail),
  birth_date: optional(pastDay),
  // The specification's second name of `birth_date`. Chapter 30 §8.4.
  birth_day: optional(pastDay),
  billing_address: postalAddress,
  selected_language: stateRule('no; it wins over `billing_address.language`', optional(format.text(length.method))),
  card_token: stateRule(
    "no; one of the session's `card_token`, of which only the code is then collected",
    optional(format.cardToken),
  ),
  browser_info: browserInfo,
  order_amount: orNumber(
    stateRule('no; recommended: another amount than the session has is refused', optional(format.text(length.orderId))),
  ),
  order_currency: stateRule('no; recommended: another currency than the session has is refused', optional(currency)),
}

/** The members of the answer. */
export const processingAnswer = {
  result:
    '`success`: settled or authorised. `decline`: rejected; collect again and repeat the call. `redirect`: send the payer to `redirect_url`. `waiting`, `undefined`: the outcome is not known yet; wait for the callback or query the status, and do not charge again',
  order_amount: 'the amount that the session has, as in callbacks: compare it with your order',
  order_currency: 'its currency',
  public_id: "the payment's identifier, `payment_id` of all other calls",
  redirect_url:
    'with `redirect`: an address of the service, to be opened by GET once, at the top level. With `success`: `success_url` of the session, otherwise `return_url`, without parameters',
  return_url_query_params:
    'an object with `payment_id`, `trans_id`, `order_id` and `hash`, and what the mapping adds to returns: the query parameters of a return to the merchant',
  decline_message: 'with `decline`: the reason for the payer, in the selected language',
} as const

type Input = Values<typeof processingParams>
type ProcessingAnswer = Partial<Readonly<Record<keyof typeof processingAnswer, unknown>>>

interface Processing {
  readonly operation: SessionOperation
  readonly context: SessionContext
  readonly body: ValueTree
  readonly requestId: string
  /** A repeated call finds its attempt by this id. */
  readonly attemptId: string
}

export async function processCard(parts: HostedPageParts, processing: Processing): Promise<object> {
  const { operation, context, attemptId } = processing
  const { session } = context
  if (session.operation !== operation) throw new RefusedError(errors.operationMismatch)
  const input = inputOf(parts, processing)
  const { payerSessions } = parts.operations
  const before = await payerSessions.recall(session, attemptId)
  if (before) return composeAnswer(parts, before, context, input)

  admitAttempt(context)
  refuseOtherOrder(context, input)
  const attempt = await prepareAttempt(parts, processing, input).catch((error: unknown) =>
    refuseRunningAttempt(parts, context, error),
  )
  const result = await awaitUntilDeadline(parts, payerSessions.pay(context, attempt), () =>
    payerSessions.recall(session, attemptId),
  )
  return composeAnswer(parts, result, context, input)
}

/** The payer may have changed the session, if the mapping lets the token alone change it. */
function refuseOtherOrder({ session: { request }, crypto }: SessionContext, input: Input): void {
  const { amount, currency } = request.order
  const named = { amount: input.order_amount ?? amount, currency: input.order_currency ?? currency }
  refuseOtherAmount(named, { amount, currency }, { amount: 'order_amount', currency: 'order_currency', crypto })
}

/**
 * Of two simultaneous calls only one gets the code; the other must be refused because of the running attempt, not because of the missing
 * code.
 */
async function refuseRunningAttempt(parts: HostedPageParts, before: SessionContext, error: unknown): Promise<never> {
  const isMissing = error instanceof RefusedError && error.refusal === errors.cardDataMissing
  if (isMissing) admitAttempt(await readContextAfter(parts, before))
  throw error
}

function inputOf(parts: HostedPageParts, { context: { session, merchant, crypto }, body }: Processing): Input {
  const reading = { ...payerReading(parts, merchant, body), crypto }
  const input = soundValue(readParams(processingParams, body, reading))
  if (input.name === undefined && session.request.customer['name'] === undefined) {
    throw invalid({ param: 'name', text: violations.blank })
  }
  return input
}

async function prepareAttempt(
  parts: HostedPageParts,
  { context, requestId, attemptId }: Processing,
  input: Input,
): Promise<SessionAttempt> {
  const { session, merchant } = context
  const { request } = session
  const { methods, refusal } = await parts.operations.sessions.offer(merchant, session)
  const [method] = methods
  if (!method) throw new RefusedError(refusal ?? errors.noMid)
  return {
    id: attemptId,
    method,
    paidWith: await payWith(parts, context, method, input.card_token),
    // Values of the call override the session's, because they are newer.
    payer: payerOf({
      customer: { ...request.customer, ...customerIn(input) },
      billingAddress: { ...request.billingAddress, ...input.billing_address },
    }),
    payee: payeeOf(request),
    payeeCard: null,
    amount: null,
    payerIp: request.customerIp ?? '',
    language: languageOf(context, input),
    consent: null,
    browser: input.browser_info,
    requestId,
  }
}

const customerIn = ({ name, email, birth_date, birth_day }: Input): Readonly<Record<string, string>> => {
  const birth = birth_date ?? birth_day
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(birth === undefined ? {} : { birth_date: birth }),
  }
}

const languageOf = (context: SessionContext, { selected_language, billing_address }: Input): string =>
  languageFor(context, selected_language ?? billing_address['language']).code

/** With a saved card only the value of the code's frame is used. */
async function payWith(
  { operations, configuration }: HostedPageParts,
  { session, merchant }: SessionContext,
  method: OfferedMethod,
  token: string | undefined,
): Promise<PaidWith> {
  const { payerSessions, sessions } = operations
  if (token !== undefined) {
    const cards = await sessions.listSavedCards(merchant, session)
    const code = (await payerSessions.takeCode(session)) ?? undefined
    return codeCollected(() => savedCardPaid(session, cards, token, { code, expiry: undefined }))
  }
  const { number, expiry } = await payerSessions.readCollected(session)
  if (!number || !expiry) throw new RefusedError(errors.cardDataMissing)
  checkNumber(number, 'card', method, configuration)
  const code = (await payerSessions.takeCode(session)) ?? undefined
  return codeCollected(() => ({
    kind: 'card',
    number,
    expiry,
    code: codeFor(session, networkOfCard(number), code, 'cvv'),
  }))
}

/** A code that is missing or belongs to another card is reported as card data not collected yet. */
function codeCollected(paid: () => PaidWith): PaidWith {
  try {
    return paid()
  } catch (error) {
    const isCode = error instanceof RefusedError && error.violations.some(({ param }) => param === 'cvv')
    throw isCode ? new RefusedError(errors.cardDataMissing) : error
  }
}

async function composeAnswer(
  parts: HostedPageParts,
  step: PaymentWithTransaction,
  before: SessionContext,
  input: Input,
): Promise<ProcessingAnswer> {
  const { payment } = step
  const context = await readContextAfter(parts, before)
  const { urls } = context.session.request
  const result = resultOf(step)
  const redirect =
    result === 'redirect' ? payment.facts.redirect?.url : result === 'success' ? (urls.success ?? urls.return) : null
  return {
    result,
    order_amount: orderAmount(parts.operations.facts({ payment })),
    order_currency: payment.currency,
    public_id: payment.id,
    ...(redirect === null || redirect === undefined ? {} : { redirect_url: redirect }),
    return_url_query_params: await composeParameters(parts, context),
    ...(result === 'decline' ? { decline_message: declineMessage(payment, context, languageOf(context, input)) } : {}),
  }
}

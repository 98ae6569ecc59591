/**
 * The parameters of a session in the order of chapter 30 §3.2, for the hosted page and, with the differences of §8.2, for hosted fields.
 *
 * A rule across parameters stands at the parameter under whose name it is reported.
 */

import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { amountSign } from '#domain/money/money.ts'
import { motoTypes } from '#domain/payment/moto.ts'
import { mayNumberOrder } from '#domain/uuid.ts'
import type { ValueTree } from '../kit/bodies/value-tree.ts'
import * as format from '../kit/values/formats.ts'
import { integer, jsonFlag, list, orNumber, withCheck } from '../kit/values/json-params.ts'
import { anyText, ignoredParam, object, optional, type Param, required } from '../kit/values/params.ts'
import { blank, soundResult } from '../kit/values/read.ts'
import type { BaseReading, ReadingContext } from '../kit/values/reading.ts'
import { flagIn, isSent, objectIn, sentIn, textIn } from '../kit/values/sent.ts'
import { optionalAmount } from './amount-params.ts'
import { customData, parameterBag } from './bag-params.ts'
import { fieldsCustomer, pageCustomer, payee, postalAddress } from './person-params.ts'
import { currency, dayFromToday, description, orderNumber } from './text-formats.ts'

const { checkout, length } = limits

const operationOf = ({ tree }: BaseReading): string | undefined => textIn(tree, 'operation')
const takesMoney = (reading: BaseReading): boolean => ['purchase', 'debit'].includes(operationOf(reading) ?? '')
const isPurchase = (reading: BaseReading): boolean => operationOf(reading) === 'purchase'
const startsChain = ({ tree }: BaseReading): boolean => flagIn(tree, 'recurring_init')
const orderIn = ({ tree }: BaseReading): ValueTree => objectIn(tree, 'order')

/** Crypto orders may leave the amount to the payer. */
function isCryptoOnly({ tree, brand }: ReadingContext): boolean {
  const sent = sentIn(tree, 'methods')
  const names = typeof sent === 'string' ? [sent] : Array.isArray(sent) ? sent : []
  return names.length > 0 && names.every((name) => typeof name === 'string' && brand(name)?.kind === 'crypto')
}

const order = object(
  {
    number: withCheck(orNumber(required(orderNumber)), (number, reading: BaseReading) =>
      operationOf(reading) === 'credit' && !mayNumberOrder(number, 'out') ? violations.ownIdentifier : null,
    ),
    amount: optionalAmount<ReadingContext>(
      {
        currency: (reading) => textIn(orderIn(reading), 'currency'),
        crypto: ({ crypto }) => crypto,
        mayBeZero: (reading) => startsChain(reading) && takesMoney(reading),
        mayBeOpen: (reading) => operationOf(reading) === 'transfer',
        mayBeAbsent: isCryptoOnly,
        alsoNamed: 'amount',
      },
      'yes, except for an open-amount crypto order',
    ),
    currency: required(currency),
    description: required(description),
  },
  { sent: 'yes', ifAbsent: 'read' },
)

/** Read only for operations that use it, and ignored for the others. */
const readWhere = <T>(
  isOf: (reading: BaseReading) => boolean,
  param: Param<T, BaseReading>,
  otherwise: T,
): Param<T, BaseReading> => ({
  ...param,
  read: (path, sent, reading) => (isOf(reading) ? param.read(path, sent, reading) : soundResult(otherwise)),
})

const notElsewhere = (isOf: (reading: BaseReading) => boolean): Param<boolean, BaseReading> =>
  withCheck(jsonFlag, (value, reading: BaseReading) => (value && !isOf(reading) ? violations.notValid : null))

/** A schedule parameter without a schedule is reported under `schedule_id`, so that one mistake gives one row. */
const scheduleId = (isNeeded: (reading: BaseReading) => boolean): Param<string | undefined, BaseReading> => ({
  words: { sent: 'no; only with `recurring_init: true`', holds: 'the UUID of a schedule' },
  read: (path, sent, reading) => {
    if (sent === undefined) return isNeeded(reading) ? blank(path) : soundResult(undefined)
    return chainSchedule.read(path, sent, reading)
  },
})

const chainSchedule = withCheck(optional(format.uuid), (_, reading: BaseReading) =>
  startsChain(reading) ? null : violations.notValid,
)

const hasPlan = ({ tree }: BaseReading): boolean =>
  ['schedule_start_date', 'payment_schedule_amount'].some((name) => isSent(tree, name))

const hasPlanOrConsent = (reading: BaseReading): boolean =>
  hasPlan(reading) || flagIn(reading.tree, 'recurring_consent_required')

const scheduleAmount = optionalAmount<BaseReading>(
  {
    currency: (reading) => textIn(orderIn(reading), 'currency'),
    // A free trial needs an amount for the payments after it.
    mayBeAbsent: (reading) => !isSent(reading.tree, 'schedule_id') || !isZero(textIn(orderIn(reading), 'amount')),
  },
  'no; yes with `schedule_id` and a zero amount',
)

const isZero = (amount: string | undefined): boolean => amount !== undefined && amountSign(amount) === 'zero'

const address = format.url(length.returnUrl)
const linkTargets = ['_self', '_parent', '_top', '_blank'] as const

const methods = list(format.text(length.method), limits.request.parameters)
const cardTokens = list(format.cardToken, checkout.cardTokens)

const commonParams = {
  merchant_key: anyText,
  operation: required(format.choice('purchase', 'debit', 'credit', 'transfer')),
  methods: readWhere(takesMoney, methods, []),
  channel_id: optional(format.channel),
  session_expiry: integer(checkout.sessionMinutesLow, checkout.sessionMinutesHigh, checkout.sessionMinutes),
  order,
  cancel_url: optional(address),
  success_url: optional(address),
  expiry_url: optional(address),
  error_url: optional(address),
  return_url: ignoredParam<string | undefined>(undefined),
  url_target: optional(format.choice(...linkTargets)),
  req_token: readWhere(takesMoney, jsonFlag, false),
  card_token: readWhere((reading) => operationOf(reading) !== 'transfer', cardTokens, []),
  recurring_init: notElsewhere(takesMoney),
  schedule_id: scheduleId(hasPlanOrConsent),
  schedule_start_date: optional(dayFromToday),
  payment_schedule_amount: scheduleAmount,
  recurring_consent_required: jsonFlag,
  auth: notElsewhere(isPurchase),
  moto_type: readWhere(takesMoney, optional(format.choice(...motoTypes)), undefined),
  vat_calc: notElsewhere(isPurchase),
  form_id: readWhere(isPurchase, optional(format.text(length.formId)), undefined),
  customer: pageCustomer,
  billing_address: postalAddress,
  payee,
  payee_billing_address: postalAddress,
  crypto: object({ network: optional(format.text(length.cryptoNetwork)) }, { sent: 'no', ifAbsent: 'skip' }),
  parameters: parameterBag,
  custom_data: customData,
  hash: anyText,
}

/** A name that is repeated keeps its place in the order. */
export const pageParams = { ...commonParams, success_url: required(address) }

export const fieldsParams = {
  ...commonParams,
  operation: required(format.choice('purchase', 'debit')),
  methods: ignoredParam<readonly string[]>([]),
  return_url: required(address),
  schedule_id: scheduleId(hasPlan),
  recurring_consent_required: ignoredParam(false),
  form_id: ignoredParam<string | undefined>(undefined),
  customer: fieldsCustomer,
}

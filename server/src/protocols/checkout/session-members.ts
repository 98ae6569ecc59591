/**
 * The parameters of a session in the order of chapter 30 §3.2, for the hosted page and, with the differences of §8.2, for hosted fields.
 *
 * A rule across parameters stands at the parameter under whose name it is reported.
 */

import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { amountSign } from '#domain/money/money.ts'
import { motoTypes } from '#domain/payment/moto.ts'
import type { ValueTree } from '../kit/bodies/value-tree.ts'
import * as format from '../kit/values/formats.ts'
import {
  anyText,
  flag,
  flagIn,
  ignored,
  integer,
  list,
  type Member,
  object,
  objectIn,
  optional,
  orNumber,
  required,
  ruled,
  sentIn,
  textIn,
} from '../kit/values/members.ts'
import { blank } from '../kit/values/params.ts'
import type { About } from './about.ts'
import { optionalAmount } from './amount-members.ts'
import { customData, parameterBag } from './bag-members.ts'
import { fieldsCustomer, pageCustomer, payee, postalAddress } from './person-members.ts'
import { channel, currency, dayFromToday, description, orderNumber } from './text-formats.ts'

const { checkout, length } = limits

const operationOf = ({ body }: About): string | undefined => textIn(body, 'operation')
const takesMoney = (about: About): boolean => ['purchase', 'debit'].includes(operationOf(about) ?? '')
const isPurchase = (about: About): boolean => operationOf(about) === 'purchase'
const startsChain = ({ body }: About): boolean => flagIn(body, 'recurring_init')
const orderIn = (body: ValueTree): ValueTree => objectIn(body, 'order')

/** Crypto orders may leave the amount to the payer. */
function isCryptoOnly({ body, brand }: About): boolean {
  const sent = sentIn(body, 'methods')
  const names = typeof sent === 'string' ? [sent] : Array.isArray(sent) ? sent : []
  return names.length > 0 && names.every((name) => typeof name === 'string' && brand(name)?.kind === 'crypto')
}

const order = object(
  {
    number: orNumber(required(orderNumber)),
    amount: optionalAmount<About>({
      currency: ({ body }) => textIn(orderIn(body), 'currency'),
      crypto: ({ crypto }) => crypto,
      mayBeZero: (about) => startsChain(about) && takesMoney(about),
      mayBeOpen: (about) => operationOf(about) === 'transfer',
      mayBeAbsent: isCryptoOnly,
      alsoNamed: 'amount',
      words: 'yes, except for an open-amount crypto order',
    }),
    currency: required(currency),
    description: required(description),
  },
  { sent: 'yes', ifAbsent: 'read' },
)

/** Only where the operation has a use for it; elsewhere it is not even looked at. */
const where = <T>(isOf: (about: About) => boolean, member: Member<T, About>, otherwise: T): Member<T, About> => ({
  ...member,
  read: (path, sent, about) => (isOf(about) ? member.read(path, sent, about) : { value: otherwise }),
})

const notElsewhere = (isOf: (about: About) => boolean): Member<boolean, About> =>
  ruled(flag, (value, about: About) => (value && !isOf(about) ? violations.notValid : null))

/** `schedule_id` is where a parameter that lacks its schedule is reported, so that one mistake is one row. */
const scheduleId = (lacksIt: (body: ValueTree) => boolean): Member<string | undefined, About> => ({
  words: { sent: 'no; only with `recurring_init: true`', holds: 'the UUID of a schedule' },
  read: (path, sent, about) => {
    if (sent === undefined) return lacksIt(about.body) ? blank(path) : { value: undefined }
    const isAllowed = (): string | null => (startsChain(about) ? null : violations.notValid)
    return ruled(optional(format.uuid), isAllowed).read(path, sent, about)
  },
})

const hasPlan = (body: ValueTree): boolean =>
  ['schedule_start_date', 'payment_schedule_amount'].some((name) => sentIn(body, name) !== undefined)

const hasPlanOrConsent = (body: ValueTree): boolean => hasPlan(body) || flagIn(body, 'recurring_consent_required')

const scheduleAmount = optionalAmount<About>({
  currency: ({ body }) => textIn(orderIn(body), 'currency'),
  // A trial that costs nothing needs a price for afterwards.
  mayBeAbsent: ({ body }) => sentIn(body, 'schedule_id') === undefined || !isZero(textIn(orderIn(body), 'amount')),
  words: 'no; yes with `schedule_id` and a zero amount',
})

const isZero = (amount: string | undefined): boolean => amount !== undefined && amountSign(amount) === 'zero'

const address = format.url(length.returnUrl)
const linkTargets = ['_self', '_parent', '_top', '_blank'] as const

const methods = list(format.text(length.method), limits.request.parameters)
const cardTokens = list(format.cardToken, checkout.cardTokens)

const common = {
  merchant_key: anyText,
  operation: required(format.choice('purchase', 'debit', 'credit', 'transfer')),
  methods: where(takesMoney, methods, []),
  channel_id: optional(channel),
  session_expiry: integer(checkout.sessionMinutesLow, checkout.sessionMinutesHigh, checkout.sessionMinutes),
  order,
  cancel_url: optional(address),
  success_url: optional(address),
  expiry_url: optional(address),
  error_url: optional(address),
  return_url: ignored<string | undefined>(undefined),
  url_target: optional(format.choice(...linkTargets)),
  req_token: where(takesMoney, flag, false),
  card_token: where((about) => operationOf(about) !== 'transfer', cardTokens, []),
  recurring_init: notElsewhere(takesMoney),
  schedule_id: scheduleId(hasPlanOrConsent),
  schedule_start_date: optional(dayFromToday),
  payment_schedule_amount: scheduleAmount,
  recurring_consent_required: flag,
  auth: notElsewhere(isPurchase),
  moto_type: where(takesMoney, optional(format.choice(...motoTypes)), undefined),
  vat_calc: notElsewhere(isPurchase),
  form_id: where(isPurchase, optional(format.text(length.formId)), undefined),
  customer: pageCustomer,
  billing_address: postalAddress,
  payee,
  payee_billing_address: postalAddress,
  crypto: object({ network: optional(format.text(length.cryptoNetwork)) }, { sent: 'no', ifAbsent: 'skip' }),
  parameters: parameterBag,
  custom_data: customData,
  hash: anyText,
}

/** What is named again keeps its place in the order. */
export const pageMembers = { ...common, success_url: required(address) }

export const fieldsMembers = {
  ...common,
  operation: required(format.choice('purchase', 'debit')),
  methods: ignored<readonly string[]>([]),
  return_url: required(address),
  schedule_id: scheduleId(hasPlan),
  recurring_consent_required: ignored(false),
  form_id: ignored<string | undefined>(undefined),
  customer: fieldsCustomer,
}

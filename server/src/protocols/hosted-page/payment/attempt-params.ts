/** The body of a payment call of the page. Chapter 30 §7.3, §7.10: the server repeats every check of the page. */

import { type Expiry, isExpired } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { parameterBag } from '../../checkout/bag-params.ts'
import { pageCustomer, postalAddress } from '../../checkout/person-params.ts'
import { printable } from '../../checkout/text-formats.ts'
import { plainJson } from '../../kit/bodies/json-body.ts'
import * as format from '../../kit/values/formats.ts'
import { jsonFlag } from '../../kit/values/json-params.ts'
import { type Format, object, optional, type Param, required, withWords } from '../../kit/values/params.ts'
import { fault, soundResult, violationResult } from '../../kit/values/read.ts'
import type { BaseReading, DatedReading } from '../../kit/values/reading.ts'
import { objectOf } from '../../kit/values/sent.ts'
import { browserInfo } from './browser-info.ts'

const { length } = limits

/** Checks only digits and length here, because the network is checked before the check digit. */
export const cardDigits: Format<Secret<string>, unknown> = withWords(
  `${length.checkoutCardNumberLow} to ${length.cardNumber} digits`,
  (sent) => {
    const digits = sent.replace(/[ -]/g, '')
    const isNumber = /^[0-9]+$/.test(digits) && digits.length >= length.checkoutCardNumberLow
    return isNumber && digits.length <= length.cardNumber
      ? soundResult(secret(digits))
      : violationResult(violations.notValid)
  },
)

/** `MM/YY`, also `MMYY`, `MM-YY` and `MM/YYYY`. */
export const expiryDate: Format<Expiry, Pick<DatedReading, 'today'>> = withWords(
  '`MM/YY`, also `MMYY`, `MM-YY` or `MM/YYYY`, not past',
  (sent, { today }) => {
    const [, month = '', year = ''] = /^(0?[1-9]|1[0-2]) ?[/-]? ?((?:20)?[0-9]{2})$/.exec(sent.trim()) ?? []
    const expiry = { month: Number(month), year: year.length === 4 ? Number(year) : 2000 + Number(year) }
    return month !== '' && !isExpired(expiry, today) ? soundResult(expiry) : violationResult(violations.notValid)
  },
)

/** A token is a JSON text, or the object itself. */
const walletToken: Param<Secret<string> | undefined, BaseReading> = {
  words: { sent: 'with a wallet', holds: 'the token that the wallet gave' },
  read: (path, sent, { format }) => {
    if (sent === undefined) return soundResult(undefined)
    if (typeof sent === 'string') return soundResult(secret(sent))
    const tree = objectOf(sent)
    return tree ? soundResult(secret(JSON.stringify(plainJson(tree)))) : fault(path, format.wrongType('object'))
  },
}

const card = object(
  { number: required(cardDigits), expiry: required(expiryDate), cvv: optional(format.verificationCode) },
  { sent: 'with a card that is entered', ifAbsent: 'skip' },
)

const skip = { sent: 'no', ifAbsent: 'skip' } as const

/** `amount` and `language` are only bounded here; the amount is parsed with the session's currency, and an unknown language means the default. */
export const attemptParams = {
  attempt_id: required(format.uuid),
  method: required(format.text(length.method)),
  card,
  card_token: optional(format.cardToken),
  cvv: optional(format.verificationCode),
  expiry: optional(expiryDate),
  wallet_token: walletToken,
  fields: parameterBag,
  customer: pageCustomer,
  billing_address: postalAddress,
  payee: object({ name: optional(printable(length.customerNameLow, length.customerName)) }, skip),
  payee_card: object({ number: required(cardDigits) }, skip),
  amount: optional(format.text(length.orderId)),
  shown: object(
    { amount: optional(format.text(length.orderId)), currency: required(format.text(length.method)) },
    skip,
  ),
  browser_info: browserInfo,
  terms: jsonFlag,
  consent: jsonFlag,
  language: optional(format.text(length.method)),
}

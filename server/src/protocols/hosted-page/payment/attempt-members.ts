/** The body of a payment call of the page. Chapter 30 §7.3, §7.10: the server repeats every check of the page. */
import { type Expiry, expired } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { About } from '../../checkout/about.ts'
import { parameterBag } from '../../checkout/bag-members.ts'
import { pageCustomer, postalAddress } from '../../checkout/person-members.ts'
import { printable } from '../../checkout/text-formats.ts'
import { plainJson } from '../../kit/bodies/json-body.ts'
import * as format from '../../kit/values/formats.ts'
import { flag, type Member, object, objectOf, optional, required } from '../../kit/values/members.ts'
import { type Format, fault, saying } from '../../kit/values/params.ts'
import { browserInfo } from './browser-info.ts'

const { length } = limits

/** Its network is looked at before its check digit is, so that only digits and their number count here. */
export const cardDigits: Format<Secret<string>, unknown> = saying(
  `${length.checkoutCardNumberLow} to ${length.cardNumber} digits`,
  (sent) => {
    const digits = sent.replace(/[ -]/g, '')
    const isNumber = /^[0-9]+$/.test(digits) && digits.length >= length.checkoutCardNumberLow
    return isNumber && digits.length <= length.cardNumber
      ? { value: secret(digits) }
      : { violation: violations.notValid }
  },
)

/** `MM/YY`, also `MMYY`, `MM-YY` and `MM/YYYY`. */
export const expiryDate: Format<Expiry, Pick<About, 'today'>> = saying(
  '`MM/YY`, also `MMYY`, `MM-YY` or `MM/YYYY`, not past',
  (sent, { today }: Pick<About, 'today'>) => {
    const [, month = '', year = ''] = /^(0?[1-9]|1[0-2]) ?[/-]? ?((?:20)?[0-9]{2})$/.exec(sent.trim()) ?? []
    const expiry = { month: Number(month), year: year.length === 4 ? Number(year) : 2000 + Number(year) }
    return month !== '' && !expired(expiry, today) ? { value: expiry } : { violation: violations.notValid }
  },
)

/** A token is a JSON text, or the object itself. */
const walletToken: Member<Secret<string> | undefined> = {
  words: { sent: 'with a wallet', holds: 'the token that the wallet gave' },
  read: (path, sent) => {
    if (sent === undefined) return { value: undefined }
    if (typeof sent === 'string') return { value: secret(sent) }
    const members = objectOf(sent)
    return members ? { value: secret(JSON.stringify(plainJson(members))) } : fault(path, violations.wrongType('object'))
  },
}

const card = object(
  { number: required(cardDigits), expiry: required(expiryDate), cvv: optional(format.verificationCode) },
  { sent: 'with a card that is entered', ifAbsent: 'skip' },
)

const skip = { sent: 'no', ifAbsent: 'skip' } as const

export const attemptMembers = {
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
  browser_info: browserInfo,
  terms: flag,
  consent: flag,
  language: optional(format.text(length.method)),
}

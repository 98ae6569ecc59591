/** The fields of a payer and of a payee, each format stated once. Chapter 10 §7.1.1, §7.5, §7.8, §7.9. */
import { limits } from '#domain/limits.ts'
import * as format from '../kit/values/formats.ts'
import { conditional, type Format, optional, prefixedParams, required } from '../kit/values/params.ts'

const length = limits.length

/** In the checking order of the chapter's table. */
const payerFormats = {
  first_name: format.text(length.personName),
  last_name: format.text(length.personName),
  middle_name: format.text(length.personName),
  birth_date: format.day,
  address: format.text(length.address),
  address2: format.text(length.address),
  house_number: format.text(length.houseNumber),
  country: format.country,
  state: format.text(length.state),
  city: format.text(length.city),
  district: format.text(length.district),
  zip: format.text(length.zip),
  email: format.email,
  phone: format.text(length.phone),
  phone_country_code: format.phoneCountryCode,
}

const { house_number: _, district: __, phone_country_code: ___, ...fewerFormats } = payerFormats
const payeeFormats = { ...fewerFormats, city: format.text(length.payeeCity) }

/** Fields that the Protocol Mapping may require: `m` in the chapter's table. */
const byMapping = (value: Format<string>) =>
  conditional(
    value,
    ({ mapping }, name) => (mapping.requiredPayerFields.includes(name) ? 'required' : 'optional'),
    'if the mapping requires it',
  )

/** SALE. A name that is repeated keeps its place in the order. */
export const payerParams = {
  ...prefixedParams('payer_', payerFormats, byMapping),
  payer_first_name: required(payerFormats.first_name),
  payer_last_name: required(payerFormats.last_name),
  payer_email: required(payerFormats.email),
  payer_phone: required(payerFormats.phone),
  payer_ip: required(format.ip),
}

/** DEBIT and CARD2CARD: the mapping's Required setting applies to SALE only. */
export const optionalPayerParams = prefixedParams('payer_', payerFormats, optional)

/** CARD2CARD and CREDIT2CARD. */
export const payeeParams = prefixedParams('payee_', payeeFormats, optional)

/** The sender of a payout: the payee's fields under the payer's names. */
export const payoutPayerParams = prefixedParams('payer_', payeeFormats, optional)

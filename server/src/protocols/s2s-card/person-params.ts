/** Payer and payee fields of DEBIT, CARD2CARD and CREDIT2CARD: all optional, with the limits of SALE. Chapter 10 §7.5, §7.8, §7.9. */
import { limits } from '#domain/limits.ts'
import * as format from '../kit/formats.ts'
import { optional } from '../kit/params.ts'

const length = limits.length

export const optionalPayerParams = {
  payer_first_name: optional(format.text(length.personName)),
  payer_last_name: optional(format.text(length.personName)),
  payer_middle_name: optional(format.text(length.personName)),
  payer_birth_date: optional(format.day),
  payer_address: optional(format.text(length.address)),
  payer_address2: optional(format.text(length.address)),
  payer_house_number: optional(format.text(length.houseNumber)),
  payer_country: optional(format.country),
  payer_state: optional(format.text(length.state)),
  payer_city: optional(format.text(length.city)),
  payer_district: optional(format.text(length.district)),
  payer_zip: optional(format.text(length.zip)),
  payer_email: optional(format.email),
  payer_phone: optional(format.text(length.phone)),
  payer_phone_country_code: optional(format.phoneCountryCode),
}

export const payeeParams = {
  payee_first_name: optional(format.text(length.personName)),
  payee_last_name: optional(format.text(length.personName)),
  payee_middle_name: optional(format.text(length.personName)),
  payee_birth_date: optional(format.day),
  payee_address: optional(format.text(length.address)),
  payee_address2: optional(format.text(length.address)),
  payee_country: optional(format.country),
  payee_state: optional(format.text(length.state)),
  payee_city: optional(format.text(length.payeeCity)),
  payee_zip: optional(format.text(length.zip)),
  payee_email: optional(format.email),
  payee_phone: optional(format.text(length.phone)),
}

/** The sender of a payout: the payee's set of fields, by the payer's names. */
export const payoutPayerParams = {
  payer_first_name: payeeParams.payee_first_name,
  payer_last_name: payeeParams.payee_last_name,
  payer_middle_name: payeeParams.payee_middle_name,
  payer_birth_date: payeeParams.payee_birth_date,
  payer_address: payeeParams.payee_address,
  payer_address2: payeeParams.payee_address2,
  payer_country: payeeParams.payee_country,
  payer_state: payeeParams.payee_state,
  payer_city: payeeParams.payee_city,
  payer_zip: payeeParams.payee_zip,
  payer_email: payeeParams.payee_email,
  payer_phone: payeeParams.payee_phone,
}

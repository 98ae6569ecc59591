/** The fields of a payer, in the order of the chapter's tables. Chapter 20 §6.1, §12.1. */
import { limits } from '#domain/limits.ts'
import * as format from '../kit/values/formats.ts'
import { prefixedParams } from '../kit/values/params.ts'
import { payerField } from './brand-params.ts'

const length = limits.length
const name = format.text(length.personName)
const address = format.text(length.address)

export const salePayerParams = prefixedParams(
  'payer_',
  {
    first_name: name,
    last_name: name,
    middle_name: name,
    state: format.text(length.state),
    district: format.text(length.district),
    zip: format.text(length.apmZip),
    phone: format.text(length.phone),
    address,
    address2: address,
    house_number: format.text(length.houseNumber),
    city: format.text(length.city),
    country: format.country,
    email: format.email,
    phone_country_code: format.phoneCountryCode,
    birth_date: format.day,
  },
  payerField('SALE'),
)

export const debitPayerParams = (action: 'DEBIT2VIRTUAL' | 'DEBIT2VIRTUAL_CALC') =>
  prefixedParams(
    'payer_',
    {
      address,
      first_name: name,
      last_name: name,
      middle_name: name,
      birth_date: format.day,
      address2: address,
      country: format.country,
      state: format.text(length.state),
      city: format.text(length.payeeCity),
      zip: format.text(length.zip),
      email: format.email,
      phone: format.text(length.phone),
    },
    payerField(action),
  )

/**
 * The payer's data from the sheet of wallet B: the billing address and the phone that the merchant's settings request. It is outside of the
 * signed token, so it counts as entered by the payer; values entered on the page and values of the merchant take precedence. An invalid
 * value is dropped: the payer cannot correct it, and it is no reason to refuse the payment. Chapter 40 §3, "additional parameters".
 */

import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'
import { isCountry } from '#domain/place/country.ts'
import { isSubdivision } from '#domain/place/subdivision.ts'
import type { Secret } from '#domain/secret.ts'
import { isStorable } from '#domain/storable-text.ts'
import { codePoints } from '../../kit/values/formats.ts'
import type { Persons } from './payer-fields.ts'

type SheetPerson = Pick<Persons, 'customer' | 'billingAddress'>

const { length } = limits

export const noPerson: SheetPerson = { customer: {}, billingAddress: {} }

const text = z
  .string()
  .transform((sent) => sent.replace(/\s+/g, ' ').trim())
  .catch('')

/** The wallet provider's names. */
const paymentData = z.object({
  paymentMethodData: z.object({
    info: z.object({
      billingAddress: z.object({
        name: text,
        address1: text,
        address2: text,
        address3: text,
        locality: text,
        administrativeArea: text,
        postalCode: text,
        countryCode: text,
        phoneNumber: text,
      }),
    }),
  }),
})

export function sheetPerson(token: Secret<string>): SheetPerson {
  const address = paymentData.safeParse(parseJson(token.reveal())).data?.paymentMethodData.info.billingAddress
  if (address === undefined) return noPerson
  const country = address.countryCode.toUpperCase()
  const lines = [address.address1, address.address2, address.address3].filter((line) => line !== '').join(', ')
  return {
    customer: fittingValues({
      name: [
        address.name,
        fits(address.name, length.customerName) && codePoints(address.name) >= length.customerNameLow,
      ],
    }),
    billingAddress: fittingValues({
      country: [country, isCountry(country)],
      state: [address.administrativeArea, isSubdivision(country, address.administrativeArea)],
      city: [address.locality, fits(address.locality, length.city)],
      address: [lines, fits(lines, length.address)],
      zip: [address.postalCode, fits(address.postalCode, length.zip)],
      phone: [
        address.phoneNumber,
        fits(address.phoneNumber, length.phone) && /^[0-9+()\-./ ]+$/.test(address.phoneNumber),
      ],
    }),
  }
}

const fits = (value: string, most: number): boolean =>
  value !== '' && codePoints(value) <= most && isStorable(value) && !/\p{Cc}/u.test(value)

const fittingValues = (
  parts: Readonly<Record<string, readonly [value: string, isFit: boolean]>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parts).flatMap(([name, [value, isFit]]) => (isFit ? [[name, value]] : [])))

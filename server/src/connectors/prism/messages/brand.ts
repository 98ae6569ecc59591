/**
 * Payment methods of the package for brands of the catalogue. The payer acts on a page of the acquirer or of the bank, or in an app that the
 * brand's identifier names.
 */
import type { JsonObject } from '../../../contracts/json.ts'
import type { Order } from '../../connector.ts'
import { enumValue } from '../transformer/protocol.ts'
import { secretText } from './order.ts'

type MethodOf = (order: Order) => JsonObject

/** Returns the payer's name at the brand, or the e-mail address if the merchant gave nothing else. */
const identifierOf = ({ brand, payer }: Order): string => brand?.identifier ?? payer.email ?? ''

const birthDateOf = ({ payer, parameters }: Order): string =>
  payer.birth_date ?? (typeof parameters.birth_date === 'string' ? parameters.birth_date : '')

/** By the code of the brand. */
export const brandMethods: Readonly<Record<string, MethodOf>> = {
  affirm: () => ({ affirm: {} }),
  alipay: () => ({ aliPayRedirect: {} }),
  bluecode: () => ({ bluecodeRedirect: {} }),
  blik: (order) => ({ blik: { blikCode: identifierOf(order) } }),
  'cash-voucher': () => ({ classicReward: {} }),
  'e-voucher': () => ({ eVoucher: {} }),
  eps: () => ({ eps: {} }),
  ideal: () => ({ ideal: {} }),
  interac: (order) => ({
    interac: {
      country: enumValue('CountryAlpha2', order.payer.country ?? 'CA'),
      email: secretText(identifierOf(order)),
    },
  }),
  'local-bank': () => ({ localBankRedirect: {} }),
  mifinity: (order) => ({
    mifinityRedirect: { dateOfBirth: secretText(birthDateOf(order)), languagePreference: 'en' },
  }),
  'open-banking': () => ({ openBanking: {} }),
  'paysafe-card': () => ({ paySafeCard: {} }),
  phonepe: () => ({ phonepeRedirect: {} }),
  'revolut-pay': () => ({ revolutPayRedirect: {} }),
  skrill: () => ({ skrillRedirect: {} }),
  tamara: () => ({ tamaraRedirect: {} }),
  trustly: () => ({ trustly: {} }),
  upi: (order) => ({ upiCollect: { vpaId: secretText(identifierOf(order)) } }),
}

/** Null where the acquirer does not have the brand. One that has a single method takes every brand for it: the operator's name of it is free. */
export function brandMethodOf(order: Order, methods: readonly string[]): JsonObject | null {
  const [only] = methods
  const code = order.brand?.code ?? ''
  const name = methods.includes(code) ? code : methods.length === 1 ? only : undefined
  return name === undefined || order.brand === null ? null : (brandMethods[name]?.(order) ?? null)
}

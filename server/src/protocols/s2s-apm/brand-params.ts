/** Parameters whose rules the brand states. Chapter 20 §5, §6.1. */

import {
  type Brand,
  type BrandAction,
  needsIdentifier,
  parameterRows,
  payerFieldsRequired,
  takesCryptoNetwork,
} from '#domain/brand/brand.ts'
import {
  type OrderOfParameters,
  type Parameters,
  readParameters,
  schemaViolation,
} from '#domain/brand/brand-parameters.ts'
import { cryptoOf } from '#domain/brand/crypto-currency.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import { amountSign, exponentOf } from '#domain/money/money.ts'
import { isCountry } from '#domain/place/country.ts'
import { hasTokenShape } from '../../wallets/tokens/token-shape.ts'
import { invalidText } from '../kit/bodies/value-tree.ts'
import { bagOf, hasShortTexts } from '../kit/values/bag.ts'
import * as format from '../kit/values/formats.ts'
import { conditional, type Format, optional, type Param, required, withWords } from '../kit/values/params.ts'
import { fault, faultyResult, type ReadResult, soundResult, violationResult } from '../kit/values/read.ts'
import type { ReadingContext } from '../kit/values/reading.ts'
import { textIn } from '../kit/values/sent.ts'

export const brandName = required(
  withWords(
    `the code or an alias of a [brand](brands.md), up to ${limits.length.brand} characters`,
    format.text(limits.length.brand),
  ),
)

/** Null for an unknown or disabled brand: step 10 refuses it, after all other checks have passed. Chapter 20 §1.1. */
export function brandIn({ tree, brand }: ReadingContext): Brand | null {
  const name = textIn(tree, 'brand')
  const known = name === undefined ? null : brand(name)
  return known?.enabled ? known : null
}

/** The payer's account at the provider. */
export function identifierOf(action: BrandAction): Param<string | undefined> {
  return {
    words: {
      sent: 'yes, unless the brand says otherwise',
      holds: `up to ${limits.length.identifier} characters, as the brand says`,
    },
    read: (name, sent, reading) => {
      const brand = brandIn(reading)
      const param = !brand || needsIdentifier(brand, action) ? required(identifier) : optional(identifier)
      const read = param.read(name, sent, reading)
      if (!read.ok) return read
      const row = brand?.identifierSchema ?? null
      const violation = schemaViolation(row, name, read.value ?? null, orderIn(reading))
      return violation ? faultyResult(violation) : read
    },
  }
}

const identifier = format.text(limits.length.identifier)

/** Ignored for brands of other kinds. */
export const cryptoNetwork: Param<string | undefined> = conditional(
  withWords(`a network that the brand takes, up to ${limits.length.cryptoNetwork} characters`, (sent, reading) => {
    const judged = format.text(limits.length.cryptoNetwork)(sent, reading)
    const brand = brandIn(reading)
    if (!judged.ok || !brand || takesCryptoNetwork(brand, sent)) return judged
    return violationResult(violations.notChoice)
  }),
  (reading) => (brandIn(reading)?.kind === 'crypto' ? 'optional' : 'ignored'),
  'no; only for brands of kind `crypto`',
)

/** Payer fields are optional, except those that the brand requires. */
export const payerField =
  (action: BrandAction) =>
  (value: Format<string>): Param<string | undefined> =>
    conditional(
      value,
      (reading, name) => {
        const brand = brandIn(reading)
        return brand && payerFieldsRequired(brand, action).includes(name) ? 'required' : 'optional'
      },
      'if the brand requires it',
    )

/** `parameters`, read by the rows of the brand; values without a row must be short and are passed on unchanged. */
export function brandParameters(action: BrandAction): Param<Parameters> {
  return {
    words: {
      sent: 'as the brand says',
      holds: 'an object with the parameters of the [brand](brands.md)',
      schema: { type: 'object' },
    },
    read: (name, sent, reading) => {
      const brand = brandIn(reading)
      const rows = brand ? parameterRows(brand, action) : []
      const bag = bagOf(sent)
      if (bag === invalidText || !hasShortTexts(omitRows(bag, rows))) return fault(name, violations.notValid)
      const read = readParameters(rows, bag ?? {}, orderIn(reading))
      if (!reading.checksTokens && walletIn(brand)) return withAnyToken(read, bag ?? {})
      if (read.violations.length > 0) return faultyResult(...read.violations)
      return isNoToken(brand, read.values) ? fault(tokenParam, violations.notValid) : soundResult(read.values)
    },
  }
}

export const tokenParam = 'parameters[paymentToken]'

/** True for valid JSON that is not a token of the wallet. Chapter 20 §6.4. */
function isNoToken(brand: Brand | null, { paymentToken }: Parameters): boolean {
  const wallet = walletIn(brand)
  return wallet !== undefined && typeof paymentToken === 'string' && !hasTokenShape(wallet, paymentToken)
}

const walletIn = (brand: Brand | null): Wallet | undefined => wallets.find((one) => one === brand?.code)

/** The token exactly as it was sent; only other parameters are violations. */
function withAnyToken(
  { values, violations: found }: ReturnType<typeof readParameters>,
  { paymentToken = null }: Parameters,
): ReadResult<Parameters> {
  const others = found.filter(({ param }) => param !== tokenParam)
  return others.length > 0 ? faultyResult(...others) : soundResult({ ...values, paymentToken })
}

/** Values with a row are excluded, because the row has its own bounds. */
const omitRows = (sent: Parameters | undefined, rows: readonly { readonly name: string }[]): Parameters =>
  Object.fromEntries(Object.entries(sent ?? {}).filter(([name]) => rows.every((row) => row.name !== name)))

/** The order's values for the conditions of rows; an invalid value counts as unknown, because its own parameter reports it. */
function orderIn(reading: ReadingContext): OrderOfParameters {
  const crypto = cryptoOf(brandIn(reading), reading.crypto)
  const valid = (name: string, isValid: (text: string) => boolean): string | null => {
    const text = textIn(reading.tree, name)
    return text !== undefined && isValid(text) ? text : null
  }
  return {
    currency: valid('order_currency', (text) => exponentOf(text, crypto) !== undefined),
    amount: valid('order_amount', (text) => amountSign(text) === 'positive'),
    payerCountry: valid('payer_country', isCountry),
    crypto,
  }
}

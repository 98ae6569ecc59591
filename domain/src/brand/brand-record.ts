/**
 * A brand as an operator writes it, in a file or in the panel, with the field names of chapter 20 §5.1, and the same record written out.
 * Every fault comes with the field it belongs to.
 *
 * Fields that the service sets (`built_in`, `version`, author and time) or derives (`terms_checkbox`, `document_brand`) are ignored, so
 * that a record that was written out can be read in again.
 */

import { isObject } from '../json.ts'
import { cryptoExponents, type Exponents, isoExponents } from '../money/currencies.ts'
import { parseAmount } from '../money/money.ts'
import { isCountry } from '../place/country.ts'
import { accept, refuse } from '../reading.ts'
import {
  type AmountLimit,
  type Brand,
  brandActions,
  brandKinds,
  documentOf,
  hasTermsCheckbox,
  pageModes,
  refundScopes,
  sandboxBehaviours,
  waitingStatuses,
} from './brand.ts'
import { brandFaults } from './brand-consistency.ts'
import { parameterRows, singleRow, titles, writtenRow } from './parameter-record.ts'
import {
  byName,
  distinct,
  flag,
  integer,
  list,
  type Members,
  matching,
  membersOf,
  oneOf,
  orEverything,
  type Reader,
  type RecordFault,
  text,
} from './record-reader.ts'
import { svgLogo } from './svg-logo.ts'

type BrandReading =
  | { readonly ok: true; readonly brand: Brand }
  | { readonly ok: false; readonly faults: readonly RecordFault[] }

/** `crypto` is the instance's table of crypto currencies. */
export function readBrand(value: unknown, crypto: Exponents = cryptoExponents): BrandReading {
  if (!isObject(value)) return { ok: false, faults: [{ field: 'brand', text: 'Must be an object.' }] }
  const faults: RecordFault[] = []
  const members = membersOf(value, '', faults)
  const brand = brandIn(members, crypto)
  members.close(['built_in', 'version', 'changed_by', 'changed_at', 'terms_checkbox', 'document_brand'])
  if (faults.length === 0) faults.push(...brandFaults(brand))
  return faults.length > 0 ? { ok: false, faults } : { ok: true, brand }
}

/** The record as an operator would write it, with the derived fields added. */
export function writtenBrand(brand: Brand): Readonly<Record<string, unknown>> {
  const rows = Object.entries(brand.parameters).map(([action, schema]) => [action, schema.map(writtenRow)])
  const named = Object.entries(brand).map(([name, value]) => [writtenNames[name] ?? snakeCase(name), value])
  return {
    ...Object.fromEntries(named),
    parameters: Object.fromEntries(rows),
    identifier_schema: brand.identifierSchema && writtenRow(brand.identifierSchema),
    terms_checkbox: hasTermsCheckbox(brand),
    document_brand: documentOf(brand, { card: false }),
  }
}

const writtenNames: Readonly<Record<string, string>> = { expiresAfterSeconds: 'expires_after' }
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const minute = 60
const expiryAtMost = 90 * 24 * 60 * minute
const namesAtMost = 300

const code = matching(/^[a-z0-9][a-z0-9_-]{0,35}$/, '1 to 36 lowercase letters, digits, hyphens and underscores')
const alias = matching(/^[!-~]{1,36}$/, '1 to 36 characters without blanks')
const connector = matching(/^(?:\*|[a-z0-9][a-z0-9_-]{0,63})$/, 'a connector id, or *')
const country = matching({ test: (sent: string) => sent === '*' || isCountry(sent) }, 'an ISO 3166-1 code, or *')
const payerField = matching(/^payer_[a-z0-9_]{1,40}$/, 'a payer field such as payer_email')
const action = oneOf(brandActions)
const names = (reader: Reader<string>, is: string) => distinct(list(reader, is, namesAtMost))

const currency = (crypto: Exponents): Reader<string> =>
  matching(
    { test: (sent: string) => sent === '*' || isoExponents.has(sent) || crypto.has(sent) },
    'a currency of ISO 4217 or of the crypto currency table, or *',
  )

function brandIn({ required, optional }: Members, crypto: Exponents): Brand {
  const ownCode = required('code', code, '')
  const kind = required('kind', oneOf(brandKinds), 'direct')
  const isCrypto = kind === 'crypto'
  const waits = isCrypto || kind === 'voucher' ? 'pending' : kind === 'redirect' ? 'redirect' : 'prepare'
  return {
    code: ownCode,
    aliases: optional('aliases', names(alias, 'aliases'), []),
    title: required('title', titles, {}),
    description: optional('description', text(1000), null),
    logo: optional('logo', svgLogo, null),
    kind,
    enabled: optional('enabled', flag, true),
    builtIn: false,
    testOnly: optional('test_only', flag, false),
    actions: required('actions', list(action, 'actions', brandActions.length), []),
    connectors: required('connectors', names(connector, 'connector ids'), []),
    currencies: required('currencies', orEverything(names(currency(crypto), 'currencies')), []),
    countries: optional('countries', orEverything(names(country, 'countries')), ['*']),
    amountLimits: optional('amount_limits', amountLimits(crypto), {}),
    identifier: optional('identifier', oneOf(['required', 'optional']), isCrypto ? 'optional' : 'required'),
    identifierSchema: optional('identifier_schema', singleRow, null),
    amountOptional: optional('amount_optional', flag, false),
    cryptoNetworks: optional('crypto_networks', names(text(50), 'networks'), null),
    payerRequired: optional('payer_required', byName(action, names(payerField, 'payer fields')), {}),
    parameters: optional('parameters', byName(action, parameterRows), {}),
    twoStage: optional('two_stage', oneOf(['no', 'by_connector']), 'no'),
    partialCapture: optional('partial_capture', flag, false),
    void: optional('void', flag, false),
    refund: optional('refund', oneOf(refundScopes), 'none'),
    waiting: optional('waiting', oneOf(waitingStatuses), waits),
    expiresAfterSeconds: required('expires_after', integer(minute, expiryAtMost), minute),
    pageMode: optional('page_mode', oneOf(pageModes), 'hidden'),
    pageOrder: optional('page_order', integer(0, 1_000_000), 1000),
    checkoutName: optional('checkout_name', text(64), ownCode),
    cascade: optional('cascade', flag, false),
    sandboxBehaviour: optional('sandbox_behaviour', oneOf(sandboxBehaviours), kind),
    version: 1,
  }
}

/** Amounts are written in their currency, and a minimum is at most the maximum. */
const amountLimits =
  (crypto: Exponents): Reader<Readonly<Record<string, AmountLimit>>> =>
  (value, path, faults) => {
    if (!isObject(value)) return refuse('an object of currencies')
    return accept(
      Object.fromEntries(
        Object.entries(value).map(([of, limit]) => [
          of,
          amountLimit(of, limit, { path: `${path}.${of}`, faults, crypto }),
        ]),
      ),
    )
  }

interface ReadAt {
  readonly path: string
  readonly faults: RecordFault[]
  readonly crypto: Exponents
}

function amountLimit(of: string, limit: unknown, { path, faults, crypto }: ReadAt): AmountLimit {
  const members = membersOf(limit, path, faults)
  const amount: Reader<string> = (sent) =>
    typeof sent === 'string' && typeof parseAmount(sent, of, crypto) !== 'string'
      ? accept(sent)
      : refuse(`an amount of ${of}, such as 10`)
  const [min, max] = [members.optional('min', amount, null), members.optional('max', amount, null)]
  members.close()
  const [low, high] = [min, max].map((sent) => (sent === null ? null : parseAmount(sent, of, crypto)))
  if (low && high && typeof low !== 'string' && typeof high !== 'string' && low.minor > high.minor)
    faults.push({ field: `${path}.min`, text: 'Must not be above max.' })
  return { min, max }
}

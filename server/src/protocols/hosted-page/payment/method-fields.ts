/**
 * The fields that the page shows: those that the method needs, without those that the merchant's request contains. Chapter 30 §7.3, chapter
 * 20 §5.2.
 *
 * A field is named by its path in the body of the payment call, so that the page, the validation and its violations use the same name.
 */

import { type BrandAction, needsIdentifier, parameterRows, payerFieldsRequired } from '#domain/brand/brand.ts'
import { type OrderOfParameters, readParameters } from '#domain/brand/brand-parameters.ts'
import type { ParameterRow } from '#domain/brand/parameter-row.ts'
import { violations } from '#domain/errors.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { isMoto } from '#domain/payment/moto.ts'
import { subdivisionsOf } from '#domain/place/subdivision.ts'
import type { SessionRecord, SessionRequest } from '../../../contracts/session-records.ts'
import type { OfferedMethod } from '../../../payments/sessions/offer.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { extrasOf } from '../../../payments/sessions/session-payment.ts'

export interface PageField {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** The title of a brand's own field, in the page's language if it is translated. */
  readonly title?: string
  readonly min?: number
  readonly max?: number
  readonly pattern?: string
  readonly values?: readonly string[]
}

type MethodContext = Pick<SessionContext, 'session' | 'crypto' | 'mapping'>

export function fieldsOf(context: MethodContext, method: OfferedMethod, language: string): readonly PageField[] {
  switch (method.kind) {
    case 'wallet':
      return []
    case 'card':
      return cardFields(context, method)
    case 'brand':
      return brandFields(context, method, language)
  }
}

const field = (name: string, type: string, required = true): PageField => ({ name, type, required })

/** Chapter 30 §4.9: a payout has no code; a transfer also needs the amount and the recipient. */
function cardFields(context: MethodContext, method: OfferedMethod): readonly PageField[] {
  const { operation, request } = context.session
  const card = [field('card.number', 'card-number'), field('card.expiry', 'expiry')]
  const code = field('card.cvv', 'code', !isMoto(request.motoType))
  const payer = () => payerFieldsFor(request, ['payer_first_name', ...cardPayerFields(context, method)])
  switch (operation) {
    case 'purchase':
    case 'debit':
      return [...card, code, ...payer()]
    case 'credit':
      return [...card, ...missingFields(request, ['payee.name'])]
    case 'transfer':
      return [field('amount', 'amount'), ...card, code, ...payer(), field('payee_card.number', 'card-number')]
  }
}

/** Lists what the mapping asks for, and what any MID that may take the payment needs: which one it will be is not known yet. */
const cardPayerFields = ({ mapping }: MethodContext, { mids }: OfferedMethod): readonly string[] => [
  ...mapping.requiredPayerFields,
  ...mids.flatMap(({ mid }) => mid.payerFields),
]

/** A saved card has its number and its holder. */
export const isOfHolder = ({ name }: PageField): boolean => name === 'customer.name' || name === 'payee.name'

/** In the order in which people write an address; a country decides whether a state follows it. */
// biome-ignore format: a table is read in columns.
const payerFields: readonly (readonly [payer: string, page: string, type: string])[] = [
  // payer field                   field of the page                      kind of input
  [ 'payer_first_name',            'customer.name',                       'name'     ],
  [ 'payer_last_name',             'customer.name',                       'name'     ],
  [ 'payer_email',                 'customer.email',                      'email'    ],
  [ 'payer_birth_date',            'customer.birth_date',                 'date'     ],
  [ 'payer_address',               'billing_address.address',             'text'     ],
  [ 'payer_house_number',          'billing_address.house_number',        'text'     ],
  [ 'payer_district',              'billing_address.district',            'text'     ],
  [ 'payer_city',                  'billing_address.city',                'text'     ],
  [ 'payer_zip',                   'billing_address.zip',                 'zip'      ],
  [ 'payer_country',               'billing_address.country',             'country'  ],
  [ 'payer_state',                 'billing_address.state',               'state'    ],
  [ 'payer_phone_country_code',    'billing_address.phone_country_code',  'phone-country-code' ],
  [ 'payer_phone',                 'billing_address.phone',               'phone'    ],
]

/** The fields of the page for these payer fields, less what the request has. A phone number needs its country code. Chapter 30 §3.4. */
function payerFieldsFor(request: SessionRequest, needed: readonly string[]): readonly PageField[] {
  const all = needed.includes('payer_phone') ? [...needed, 'payer_phone_country_code'] : needed
  const names = payerFields.filter(([payer]) => all.includes(payer)).map(([, page]) => page)
  return missingFields(request, names).filter((one) => isStateAsked(one, request))
}

const typeOf = (name: string): string => payerFields.find(([, page]) => page === name)?.[2] ?? 'name'

/** The fields among `names` that are missing in the request, without duplicates. */
const missingFields = (request: SessionRequest, names: readonly string[]): readonly PageField[] =>
  [...new Set(names)].filter((name) => valueIn(request, name) === undefined).map((name) => field(name, typeOf(name)))

function valueIn(request: SessionRequest, name: string): string | undefined {
  const [group = '', member = ''] = name.split('.')
  const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    customer: request.customer,
    billing_address: request.billingAddress,
    payee: request.payee,
  }
  return groups[group]?.[member]
}

export const brandActionOf = ({ operation }: Pick<SessionRecord, 'operation'>): BrandAction =>
  operation === 'debit' ? 'DEBIT2VIRTUAL' : 'SALE'

function brandFields(
  { session, crypto }: MethodContext,
  method: OfferedMethod,
  language: string,
): readonly PageField[] {
  const { brand } = method
  if (!brand) return []
  const { request } = session
  const action = brandActionOf(session)
  const extras = extrasOf(request.parameters, method)
  const needed = payerFieldsRequired(brand, action)
  const lacksIdentifier = needsIdentifier(brand, action) && typeof extras['identifier'] !== 'string'
  const { identifierSchema } = brand
  return [
    // Without an identifier format, the payer's e-mail identifies the payer at the provider.
    ...payerFieldsFor(request, lacksIdentifier && !identifierSchema ? ['payer_email', ...needed] : needed),
    ...(lacksIdentifier && identifierSchema
      ? [rowField({ ...identifierSchema, name: 'identifier' }, language, true)]
      : []),
    ...collectedRows(parameterRows(brand, action), extras, orderFacts(request, crypto)).map(([row, required]) =>
      rowField(row, language, required),
    ),
  ]
}

function isStateAsked({ name }: PageField, { billingAddress: { country } }: SessionRequest): boolean {
  return name !== 'billing_address.state' || country === undefined || subdivisionsOf(country) !== null
}

export const orderFacts = ({ order, billingAddress }: SessionRequest, crypto: Exponents): OrderOfParameters => ({
  currency: order.currency,
  amount: order.amount,
  payerCountry: billingAddress['country'] ?? null,
  crypto,
})

/** Rows that the page collects and the merchant did not send, each with whether it is required. */
function collectedRows(
  rows: readonly ParameterRow[],
  extras: Readonly<Record<string, unknown>>,
  order: OrderOfParameters,
): readonly (readonly [ParameterRow, boolean])[] {
  const missing = new Set(
    readParameters(rows, {}, order).violations.flatMap(({ param, text }) => (text === violations.blank ? [param] : [])),
  )
  return rows
    .filter((row) => row.collect && extras[row.name] === undefined)
    .map((row) => [row, missing.has(`parameters[${row.name}]`)] as const)
    .filter(([row, required]) => required || row.need !== 'conditional')
}

const rowField = (row: ParameterRow, language: string, required: boolean): PageField => ({
  ...field(`fields.${row.name}`, row.type, required),
  title: row.title[language] ?? row.title['en'] ?? row.name,
  ...(row.min === null ? {} : { min: row.min }),
  ...(row.max === null ? {} : { max: row.max }),
  ...(row.pattern === null ? {} : { pattern: row.pattern }),
  ...(row.values.length === 0 ? {} : { values: row.values }),
})

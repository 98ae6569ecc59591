/** The filters of the Transactions page, and the query they become. Chapter 50 §8. */

import { cardNetworks } from '#domain/card.ts'
import { statuses } from '#domain/payment/payment.ts'
import { isUuid } from '#domain/uuid.ts'
import type { Query } from '../../api/call.ts'
import type { Suggested } from '../../kit/form/code-list.tsx'
import type { Suggestion } from '../../kit/form/codes.ts'
import type { Choice } from '../../kit/form/fields.tsx'
import type { FilterField } from '../../kit/form/filter-bar.tsx'
import { endOfDay, startOfDay } from '../../kit/values/instants.ts'
import { decimalOf } from '../../kit/values/typed-decimal.ts'
import type { Mode } from '../../session/mode.ts'
import { readSearch } from './search-words.ts'

export const filterNames = [
  // The search box.
  'q',
  'orderId',
  'paymentId',
  'reference',
  'subscriptionId',
  'tag',
  'status',
  'merchantId',
  'from',
  'to',
  'declineReason',
  'kind',
  'protocol',
  'lastFour',
  'card',
  'cardId',
  'network',
  'payerEmail',
  'payerName',
  'payerIp',
  'country',
  'issuerCountry',
  'bin',
  'outcome',
  'amountFrom',
  'amountTo',
  'currency',
  'midId',
  'connector',
  'brand',
  'wallet',
  'panType',
  'threeDSServerTransID',
  'transStatus',
  'dsTransID',
  'acsTransID',
  'xid',
  'transFlow',
  'initiator',
  'sequence',
  'source',
  'attempts',
  'test',
] as const
type FilterName = (typeof filterNames)[number]
export type FilterValues = Readonly<Record<FilterName, string>>

interface Choices {
  readonly merchants: readonly Choice[]
  readonly mids: readonly Choice[]
  readonly connectors: readonly Choice[]
  /** Brands and networks, for users who may see them. */
  readonly brands: readonly Suggestion[]
  /** The card that a link from its payer has chosen; empty without one. */
  readonly cardId: string
}

/** Users who may not see MIDs get no list of them. */
export function filterFields({
  merchants,
  mids,
  connectors,
  brands,
  cardId,
}: Choices): readonly FilterField<FilterName>[] {
  const text = (name: FilterName, label: string, placeholder?: string): FilterField<FilterName> => ({
    kind: 'text',
    name,
    label,
    rare: true,
    ...(placeholder === undefined ? {} : { placeholder }),
  })
  const code = (name: FilterName, label: string, suggest: Suggested): FilterField<FilterName> => ({
    kind: 'text',
    name,
    label,
    suggest,
    rare: true,
  })
  const choice = (name: FilterName, label: string, options: readonly Choice[]): FilterField<FilterName> => ({
    kind: 'choice',
    name,
    label,
    options,
    rare: true,
  })
  const usual = (field: FilterField<FilterName>): FilterField<FilterName> => ({ ...field, rare: false })
  return [
    usual(choice('status', 'Status', asChoices(statuses))),
    usual(choice('merchantId', 'Merchant', merchants)),
    { kind: 'date', name: 'from', label: 'From' },
    { kind: 'date', name: 'to', label: 'To' },
    text('orderId', 'Order begins with'),
    text('paymentId', 'Transaction id'),
    text('reference', 'ARN, RRN, approval code or reference'),
    text('subscriptionId', 'Subscription id'),
    text('tag', 'Tag'),
    text('declineReason', 'Decline reason'),
    choice('kind', 'Kind', kindChoices),
    choice('protocol', 'Protocol', protocolChoices),
    text('lastFour', 'Last four digits', '1111'),
    text('card', 'Masked card', '411111******1111'),
    ...(cardId === '' ? [] : [choice('cardId', 'Stored card', [{ value: cardId, text: 'That of the payer' }])]),
    code('network', 'Network', networks),
    text('payerEmail', 'Payer’s e-mail'),
    text('payerName', 'Payer’s name'),
    text('payerIp', 'Payer’s IP address'),
    code('country', 'Country', 'country'),
    code('issuerCountry', 'Issuer’s country', 'country'),
    text('bin', 'First six digits (BIN)', '411111'),
    choice('outcome', 'Outcome', asChoices(['approved', 'declined', 'open'])),
    text('amountFrom', 'Amount from'),
    text('amountTo', 'Amount to'),
    code('currency', 'Currency', 'currency'),
    ...(mids.length > 0 ? [choice('midId', 'MID', mids), choice('connector', 'Connector', connectors)] : []),
    code('brand', 'Brand', brands),
    choice('wallet', 'Wallet', wallets),
    choice('panType', 'Number type', panTypes),
    text('threeDSServerTransID', 'threeDSServerTransID'),
    choice('transStatus', 'transStatus', transStatuses),
    text('dsTransID', 'dsTransID'),
    text('acsTransID', 'acsTransID'),
    text('xid', 'xid'),
    choice('transFlow', 'transFlow', asChoices(['Challenge', 'Frictionless'])),
    choice('initiator', 'Initiator', asChoices(['cardholder', 'merchant'])),
    choice('sequence', 'Sequence', asChoices(['initial', 'subsequent'])),
    choice('source', 'Source', asChoices(['card_token', 'recurring', 'schedule'])),
    choice('attempts', 'Attempts of cascades', [{ value: 'last', text: 'Last attempt only' }]),
    { kind: 'choice', name: 'test', label: 'Mode', options: modes, any: 'As selected above', rare: true },
  ]
}

type PaymentQuestion =
  | { readonly ok: true; readonly query: Query<'GET /payments'> }
  | { readonly ok: false; readonly texts: readonly string[] }

/** The query of the list and of the export, without empty values. A value that cannot be understood leaves no query. */
export function questionOf(values: FilterValues, mode: Mode, locale?: string): PaymentQuestion {
  const { q, from, to, amountFrom, amountTo, currency, test, ...rest } = values
  const search = readSearch(q, locale)
  const faults = [...(search.ok ? [] : [search.text]), ...faultsOf(values, locale)]
  if (!search.ok || faults.length > 0) return { ok: false, texts: faults }
  const query = {
    ...rest,
    currency: currency.toUpperCase(),
    country: rest.country.toUpperCase(),
    issuerCountry: rest.issuerCountry.toUpperCase(),
    amountMin: decimalOf(amountFrom, locale) ?? '',
    amountMax: decimalOf(amountTo, locale) ?? '',
    // A link from the dashboard has instants.
    from: isInstant(from) ? from : startOfDay(from),
    to: isInstant(to) ? to : endOfDay(to),
    test: { '': String(mode === 'test'), both: '' }[test] ?? test,
  }
  const entries = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  const contradiction = contradictionOf(search.filter, Object.fromEntries(entries))
  if (contradiction !== null) return { ok: false, texts: [contradiction] }
  // Values chosen from a list belong to that list; the server validates typed ones.
  return { ok: true, query: { ...Object.fromEntries(entries), ...search.filter } as Query<'GET /payments'> }
}

function faultsOf(
  { paymentId, subscriptionId, amountFrom, amountTo }: FilterValues,
  locale?: string,
): readonly string[] {
  const faults: string[] = []
  for (const [label, value] of [
    ['Transaction id', paymentId],
    ['Subscription id', subscriptionId],
  ] as const)
    if (value !== '' && !isUuid(value)) faults.push(`${label}: enter all 36 characters.`)
  for (const [label, value] of [
    ['Amount from', amountFrom],
    ['Amount to', amountTo],
  ] as const)
    if (value !== '' && decimalOf(value, locale) === null) faults.push(`${label}: “${value}” is not an amount.`)
  return faults
}

const isInstant = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T/.test(text)

/** The box and a filter may both have a value; the search must not silently prefer one. */
function contradictionOf(search: Query<'GET /payments'>, filters: Readonly<Record<string, string>>): string | null {
  for (const [name, value] of Object.entries(search)) {
    const before = filters[name]
    if (before !== undefined && before !== value)
      return `The search box has ${String(value)} and a filter has ${before}. Remove one of them.`
  }
  return null
}

const asChoices = (words: readonly string[]): readonly Choice[] => words.map((word) => ({ value: word, text: word }))

const networks = cardNetworks.map((code) => ({ code, name: code }))

const wallets = [
  { value: 'walletapay', text: 'Wallet A' },
  { value: 'walletbpay', text: 'Wallet B' },
]

const kindChoices = [
  { value: 'income', text: 'Sale or debit' },
  { value: 'sale', text: 'Sale' },
  { value: 'debit', text: 'Debit' },
  { value: 'credit', text: 'Payout (credit)' },
  { value: 'transfer', text: 'Transfer' },
]

export const kindText = (kind: string): string => kindChoices.find(({ value }) => value === kind)?.text ?? kind

const protocolChoices = [
  { value: 'S2S_CARD', text: 'S2S CARD' },
  { value: 'S2S_APM', text: 'S2S APM' },
  { value: 'CHECKOUT', text: 'Checkout' },
]

const panTypes = [
  { value: 'DPAN', text: 'DPAN: device number' },
  { value: 'FPAN', text: 'FPAN: card number' },
]

// biome-ignore format: a table is read in columns.
const transStatuses = [
  { value: 'Y', text: 'Y: authenticated' },
  { value: 'A', text: 'A: attempted' },
  { value: 'C', text: 'C: challenge required' },
  { value: 'D', text: 'D: decoupled challenge' },
  { value: 'I', text: 'I: informational' },
  { value: 'N', text: 'N: not authenticated' },
  { value: 'R', text: 'R: rejected' },
  { value: 'U', text: 'U: unavailable' },
]

const modes = [
  { value: 'false', text: 'Live' },
  { value: 'true', text: 'Test' },
  { value: 'both', text: 'Both' },
]

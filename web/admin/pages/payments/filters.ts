/** The filters of the Transactions page, and the query they become. Chapter 50 §8. */
import { statuses } from '#domain/payment/payment.ts'
import type { Query } from '../../api/call.ts'
import type { Choice } from '../../kit/form/fields.tsx'
import type { FilterField } from '../../kit/form/filter-bar.tsx'
import { minorForSearch } from '../../kit/values/amount.ts'
import { endOfDay, startOfDay } from '../../kit/values/instants.ts'
import type { Mode } from '../../session/mode.ts'

export const filterNames = [
  'orderId',
  'paymentId',
  'status',
  'merchantId',
  'from',
  'to',
  'card',
  'payerEmail',
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
  'test',
] as const
type FilterName = (typeof filterNames)[number]
export type FilterValues = Readonly<Record<FilterName, string>>

interface Choices {
  readonly merchants: readonly Choice[]
  readonly mids: readonly Choice[]
  readonly connectors: readonly Choice[]
}

/** Users who may not see MIDs get no list of them. */
export function filterFields({ merchants, mids, connectors }: Choices): readonly FilterField<FilterName>[] {
  const text = (name: FilterName, label: string, placeholder?: string): FilterField<FilterName> => ({
    kind: 'text',
    name,
    label,
    rare: true,
    ...(placeholder === undefined ? {} : { placeholder }),
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
    usual(text('orderId', 'Order')),
    usual(text('paymentId', 'Transaction id')),
    usual(choice('status', 'Status', asChoices(statuses))),
    usual(choice('merchantId', 'Merchant', merchants)),
    { kind: 'date', name: 'from', label: 'From' },
    { kind: 'date', name: 'to', label: 'To' },
    text('card', 'Masked card', '411111******1111'),
    text('payerEmail', 'Payer’s e-mail'),
    text('amountFrom', 'Amount from'),
    text('amountTo', 'Amount to'),
    text('currency', 'Currency', 'EUR'),
    ...(mids.length > 0 ? [choice('midId', 'MID', mids), choice('connector', 'Connector', connectors)] : []),
    text('brand', 'Brand'),
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
    { kind: 'choice', name: 'test', label: 'Mode', options: modes, any: 'As selected above', rare: true },
  ]
}

/** The query of the list and of the export, without empty values. */
export function questionOf(values: FilterValues, mode: Mode): Query<'GET /payments'> {
  const { from, to, amountFrom, amountTo, currency, test, ...rest } = values
  const query = {
    ...rest,
    currency: currency.toUpperCase(),
    amountFrom: minorForSearch(amountFrom, currency),
    amountTo: minorForSearch(amountTo, currency),
    from: startOfDay(from),
    to: endOfDay(to),
    test: { '': String(mode === 'test'), both: '' }[test] ?? test,
  }
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  // Values chosen from a list belong to that list; the server validates typed ones.
  return Object.fromEntries(entries) as Query<'GET /payments'>
}

const asChoices = (words: readonly string[]): readonly Choice[] => words.map((word) => ({ value: word, text: word }))

const wallets = [
  { value: 'walletapay', text: 'Wallet A' },
  { value: 'walletbpay', text: 'Wallet B' },
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

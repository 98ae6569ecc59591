/** What Adyen executed, by what it reported, and its Settlement details report of it. */
import { readMerchantReference } from '#server/connectors/merchant-reference.ts'
import type { SettledRow } from './month-differences.ts'
import { decimal } from './month-files.ts'

interface AdyenNotice {
  readonly content: {
    readonly eventCode: string
    readonly success: string
    readonly pspReference: string
    readonly merchantReference: string
    readonly merchantAccountCode: string
    readonly amount: { readonly value: number; readonly currency: string }
  }
}

/** How Adyen names a payment: by its own reference, and by the one that we gave. */
interface AdyenPayment {
  readonly psp: string
  readonly merchantReference: string
}

interface AdyenRecord {
  readonly account: string
  readonly reports: number
  /** By our ids. */
  readonly payments: ReadonlyMap<string, AdyenPayment>
  readonly rows: readonly SettledRow[]
}

// biome-ignore format: a table is read in columns.
const effects = [
  // event code            effect                 direction
  [ 'AUTHORISATION',       'sale',                1n ],
  [ 'REFUND',              'refund',              -1n ],
  [ 'CHARGEBACK',          'chargeback',          -1n ],
  [ 'CHARGEBACK_REVERSED', 'chargeback_reversal', 1n ],
] as const

export function readAdyenRecord(notices: readonly AdyenNotice[]): AdyenRecord {
  const payments = new Map<string, AdyenPayment>()
  for (const { content } of notices)
    if (content.eventCode === 'AUTHORISATION')
      payments.set(paymentIdOf(content), { psp: content.pspReference, merchantReference: content.merchantReference })
  const account = notices[0]?.content.merchantAccountCode ?? ''
  return { account, reports: notices.length, payments, rows: notices.flatMap(rowsOf) }
}

const paymentIdOf = ({ merchantReference }: AdyenNotice['content']): string =>
  readMerchantReference(merchantReference)?.paymentId ?? ''

/** At most one. */
function rowsOf({ content }: AdyenNotice): readonly SettledRow[] {
  const [, effect, direction] = effects.find(([eventCode]) => eventCode === content.eventCode) ?? []
  if (effect === undefined || direction === undefined || content.success !== 'true') return []
  const { currency, value } = content.amount
  const isSale = effect === 'sale'
  const row = {
    // What captured a sale at once has no reference of its own.
    ref: isSale ? '' : content.pspReference,
    effect,
    paymentId: paymentIdOf(content),
    transactionId: '',
    currency,
    gross: BigInt(value) * direction,
    // As much as the sandbox acquirer charges.
    fee: isSale ? (BigInt(value) * 14n) / 1000n : 0n,
  }
  return [row]
}

// biome-ignore format: a list of names.
const heading = [
  'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Creation Date', 'Type', 'Modification Reference',
  'Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)',
  'Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)', 'Batch Number',
].join()

const types: Readonly<Record<string, string>> = {
  sale: 'Settled',
  refund: 'Refunded',
  chargeback: 'Chargeback',
  chargeback_reversal: 'ChargebackReversed',
  fee: 'Fee',
}

interface BatchTerms extends Pick<AdyenRecord, 'account' | 'payments'> {
  readonly day: string
  readonly batch: number
}

/** One batch, which ends with a payout in each currency. Its fees are in parts. */
export function adyenFile(rows: readonly SettledRow[], { account, payments, day, batch }: BatchTerms): string {
  const lines = rows.map((row) => {
    const { ref, effect, paymentId, currency, gross, fee } = row
    const { psp, merchantReference } = payments.get(paymentId) ?? { psp: `PSP${ref}`, merchantReference: paymentId }
    const named = [psp, isFoundByAdyensReference(row) ? '' : merchantReference, `${day} 10:00:00`, types[effect], ref]
    const part = fee / 3n
    const costs = [part, 0n, part, fee - 2n * part].map((minor) => decimal(minor, currency))
    const grossSums = [currency, ...debitAndCredit(gross, currency)]
    const netSums = [currency, ...debitAndCredit(gross - fee, currency)]
    return [account, ...named, ...grossSums, ...netSums, ...costs, batch].join()
  })
  const payouts = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, same]) => {
    const net = same.reduce((sum, { gross, fee }) => sum + gross - fee, 0n)
    const sums = [currency, '', '', currency, ...debitAndCredit(-net, currency), '', '', '', '']
    return [account, '', '', `${day} 23:00:00`, 'MerchantPayout', `TX-${currency}`, ...sums, batch].join()
  })
  return [heading, ...lines, ...payouts, ''].join('\n')
}

/**
 * Charges and refunds outside EUR do not repeat our reference, so that only Adyen's leads to their transactions. Adyen's reference of a dispute is not in our
 * record.
 */
const isFoundByAdyensReference = ({ effect, currency }: SettledRow): boolean =>
  currency !== 'EUR' && ['sale', 'refund'].includes(effect)

/** Of the two, one is empty. */
const debitAndCredit = (minor: bigint, currency: string): readonly string[] =>
  minor < 0n ? [decimal(-minor, currency), ''] : ['', decimal(minor, currency)]

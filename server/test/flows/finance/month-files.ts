/**
 * The settlement files of a month. Each begins with what the acquirer executed, gets one difference of each kind, and is written in the form of its
 * acquirer: the sandbox's own, or Adyen's Settlement details report.
 */
import assert from 'node:assert/strict'
import { formatAmount } from '#domain/money/money.ts'

/** What one acquirer pays for one effect. */
interface Settled {
  readonly ref: string
  readonly effect: string
  readonly paymentId: string
  readonly transactionId: string
  readonly currency: string
  readonly gross: bigint
  readonly fee: bigint
}

interface Disputed {
  readonly paymentId: string
  readonly currency: string
  readonly amount: string
  readonly isWon: boolean
}

/** What a file needs to know besides the rows of its own MID. */
interface Planting {
  /** The panel's chargebacks are not known to the sandbox; the acquirer's file would have them. Of the won ones it never returns those in EUR. */
  readonly disputed: readonly Disputed[]
  /** A payment that was declined at this MID. */
  readonly declined: string
  /** A payment of another MID. */
  readonly elsewhere: string
}

interface PlantedFile {
  readonly rows: readonly Settled[]
  /** The row that comes only with a later file. */
  readonly late: Settled
  /** The differences that have to be found, as the panel lists them. */
  readonly differences: readonly string[]
}

const charged = (ref: string, paymentId: string, gross: bigint, fee: bigint): Settled => ({
  ref,
  effect: 'sale',
  paymentId,
  transactionId: '',
  currency: 'EUR',
  gross,
  fee,
})

export function settledIn(sandboxFile: string): readonly Settled[] {
  const lines = sandboxFile.trim().split('\n').slice(1, -1)
  return lines.map((line) => {
    const [ref = '', , effect = '', paymentId = '', transactionId = '', currency = '', gross = '', fee = ''] =
      line.split(',')
    return { ref, effect, paymentId, transactionId, currency, gross: BigInt(gross), fee: BigInt(fee) }
  })
}

/** The first nine rows are sales: three in each of EUR, JPY and KWD. */
export function withDifferences(own: readonly Settled[], { disputed, declined, elsewhere }: Planting): PlantedFile {
  const sales = own.filter(({ effect }) => effect === 'sale')
  const [less, doubled, forgotten, , currency, , , late] = sales
  assert.ok(less && doubled && forgotten && currency && late)
  const rows = own
    .filter((one) => one !== forgotten && one !== late)
    .map((one) => {
      if (one === less) return { ...one, gross: one.gross - 1n }
      return one === currency ? { ...one, currency: 'EUR' } : one
    })
  const chargebacks = disputed.map(({ paymentId, amount, ...of }, index) => ({
    ...charged(`CB${index}`, paymentId, -BigInt(amount), 0n),
    effect: 'chargeback',
    currency: of.currency,
  }))
  const won = disputed.filter(({ isWon }) => isWon)
  const unpaid = won.filter((one) => one.currency === 'EUR')
  const reversals = won
    .filter((one) => !unpaid.includes(one))
    .map(({ paymentId, amount, ...of }, index) => ({
      ...charged(`RV${index}`, paymentId, BigInt(amount), 0n),
      effect: 'chargeback_reversal',
      currency: of.currency,
    }))
  const unknown = crypto.randomUUID()
  const planted = [
    { ...doubled, ref: 'TWICE' },
    charged('UNKNOWN', unknown, 500n, 0n),
    charged('DECLINED', declined, 500n, 7n),
    charged('ELSEWHERE', elsewhere, 250n, 3n),
  ]
  return {
    rows: [...rows, ...chargebacks, ...reversals, ...planted],
    late,
    differences: [
      `amount ${less.paymentId}`,
      `doubled ${doubled.paymentId}`,
      `missing-there ${forgotten.paymentId}`,
      ...unpaid.map(({ paymentId }) => `reversal-missing ${paymentId}`),
      `currency ${currency.paymentId}`,
      `late ${late.paymentId}`,
      `missing-here ${unknown}`,
      `other-outcome ${declined}`,
      `other-mid ${elsewhere}`,
    ],
  }
}

interface FileTerms {
  readonly mid: string
  readonly day: string
}

export function sandboxFile(rows: readonly Settled[], { mid, day }: FileTerms): string {
  const lines = rows.map(({ ref, effect, paymentId, transactionId, currency, gross, fee }) =>
    [ref, mid, effect, paymentId, transactionId, currency, gross, fee, gross - fee, day, `PAYOUT-${mid}-${day}`].join(),
  )
  const heading =
    'entry,mid,effect,payment_id,transaction_id,currency,gross_minor,fee_minor,net_minor,settled_on,payout'
  return [heading, ...lines, `total,${rows.length}`, ''].join('\n')
}

const decimalsOf: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 }

export const decimal = (minor: bigint, currency: string): string =>
  formatAmount(minor, currency, decimalsOf[currency] ?? 2)

export const adyenAccount = 'ShopECOM'

// biome-ignore format: a list of names.
const adyenHeading = [
  'Merchant Account', 'Psp Reference', 'Merchant Reference', 'Creation Date', 'Type', 'Modification Reference',
  'Gross Currency', 'Gross Debit (GC)', 'Gross Credit (GC)', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)',
  'Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)', 'Batch Number',
].join()

const adyenTypes: Readonly<Record<string, string>> = {
  sale: 'Settled',
  refund: 'Refunded',
  chargeback: 'Chargeback',
  chargeback_reversal: 'ChargebackReversed',
}

/** Of the two, one is empty. */
const debitAndCredit = (minor: bigint, currency: string): readonly string[] =>
  minor < 0n ? [decimal(-minor, currency), ''] : ['', decimal(minor, currency)]

/** One batch, which ends with a payout in each currency. Its fees are in parts. */
export function adyenFile(rows: readonly Settled[], day: string): string {
  const lines = rows.map(({ ref, effect, paymentId, transactionId, currency, gross, fee }) => {
    const reference = transactionId === '' ? paymentId : `${paymentId}.${transactionId.slice(-12)}`
    const part = fee / 3n
    const costs = [part, 0n, part, fee - 2n * part].map((minor) => decimal(minor, currency))
    const sums = [
      currency,
      ...debitAndCredit(gross, currency),
      currency,
      ...debitAndCredit(gross - fee, currency),
      ...costs,
    ]
    const named = [adyenAccount, `PSP${ref}`, reference, `${day} 10:00:00`, adyenTypes[effect] ?? effect, `MOD${ref}`]
    return [...named, ...sums, '41'].join()
  })
  const payouts = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, same]) => {
    const net = same.reduce((sum, { gross, fee }) => sum + gross - fee, 0n)
    const sums = [currency, '', '', currency, ...debitAndCredit(-net, currency), '', '', '', '']
    return [adyenAccount, '', '', `${day} 23:00:00`, 'MerchantPayout', `TX-${currency}`, ...sums, '41'].join()
  })
  return [adyenHeading, ...lines, ...payouts, ''].join('\n')
}

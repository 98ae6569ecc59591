/** What the sandbox acquirer executed in a month, and its settlement files: the usual one in its own form, a late one in the common form. */
import { rowInEuros, type SettledRow } from './month-differences.ts'
import { base64, decimal, type SettlementFile } from './month-files.ts'
import type { Month } from './month-scene.ts'

interface Account {
  readonly name: string
  readonly midId: string
}

interface Disputed {
  readonly paymentId: string
  readonly currency: string
  readonly amount: string
  readonly isWon: boolean
}

/** With the disputes that were entered by hand: the sandbox does not know them, and an acquirer's file would have them. */
export async function listExecuted({ shop, rowsOf }: Month, { name, midId }: Account): Promise<readonly SettledRow[]> {
  const executed = await (await fetch(`${shop.sandbox.url}/settlement?mid=${name}`)).text()
  const disputed = await rowsOf<Disputed>(
    `select payment_id as "paymentId", currency, amount_minor::text as amount, stage = 'won' as "isWon" from disputes where mid_id = $1`,
    [midId],
  )
  const chargebacks = disputed.map(({ paymentId, currency, amount }, index) => ({
    ...rowInEuros(`CB${index}`, paymentId, -BigInt(amount), 0n),
    effect: 'chargeback',
    currency,
  }))
  const won = disputed.filter(({ isWon }) => isWon)
  const reversals = won.map(({ paymentId, currency, amount }, index) => ({
    ...rowInEuros(`RV${index}`, paymentId, BigInt(amount), 0n),
    effect: 'chargeback_reversal',
    currency,
  }))
  return [...settledIn(executed), ...chargebacks, ...reversals]
}

function settledIn(file: string): readonly SettledRow[] {
  const lines = file.trim().split('\n').slice(1, -1)
  return lines.map((line) => {
    const [ref = '', , effect = '', paymentId = '', transactionId = '', currency = '', gross = '', fee = ''] =
      line.split(',')
    return { ref, effect, paymentId, transactionId, currency, gross: BigInt(gross), fee: BigInt(fee) }
  })
}

interface FileTerms {
  readonly mid: string
  readonly day: string
}

export function sandboxFile(rows: readonly SettledRow[], { mid, day }: FileTerms): SettlementFile {
  const lines = rows.map(({ ref, effect, paymentId, transactionId, currency, gross, fee }) =>
    [ref, mid, effect, paymentId, transactionId, currency, gross, fee, gross - fee, day, `PAYOUT-${mid}-${day}`].join(),
  )
  const heading =
    'entry,mid,effect,payment_id,transaction_id,currency,gross_minor,fee_minor,net_minor,settled_on,payout'
  return { format: 'sandbox', content: base64([heading, ...lines, `total,${rows.length}`, ''].join('\n')) }
}

export function commonFile(rows: readonly SettledRow[], { mid, day }: FileTerms): SettlementFile {
  const lines = rows.map(({ effect, paymentId, currency, gross, fee }, index) => {
    const sums = [gross, fee, gross - fee].map((minor) => decimal(minor, currency))
    const type = effect === 'sale' ? 'charge' : effect
    return [`LATE-${mid}-${index}`, type, paymentId, currency, ...sums, day, 'LATE'].join()
  })
  const heading = 'row,type,payment_id,currency,gross,fee,net,date,payout'
  return { content: base64([heading, ...lines, `end,${lines.length}`, ''].join('\n')) }
}

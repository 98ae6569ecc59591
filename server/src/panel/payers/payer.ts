/** The page of a payer: all payments at one merchant with the same e-mail address or, if there is none, the same card. Chapter 70 §5. */
import type { PaymentRecord } from '../../contracts/records.ts'
import { listNewestOfPayer, type PayerSummary, readPayerSummary } from '../../store/payers/payer-summary.ts'
import type { PanelContext } from '../panel-context.ts'

/** More payments mean a test or the shop's own address. */
const paymentsCounted = 1000

interface ShownPayer extends PayerSummary {
  /** Null if the payment has none: then its card identifies the payer. */
  readonly email: string | null
  readonly cardMask: string | null
  readonly cardId: string | null
  /** False if the payer has more payments, of which only the newest are counted. */
  readonly complete: boolean
  readonly counted: number
}

/** The payment leads to its payer, so that no address stands in the log of requests. */
export async function readPayer(
  { reports }: Pick<PanelContext, 'reports'>,
  payment: PaymentRecord,
): Promise<ShownPayer> {
  const { merchantId, payerEmail: email, cardId, cardMask, mode } = payment
  return await reports.read(async (on) => {
    const found =
      email !== null
        ? await listNewestOfPayer(on, { merchantId, mode, by: { kind: 'email', email } }, paymentsCounted + 1)
        : cardId !== null
          ? await listNewestOfPayer(on, { merchantId, mode, by: { kind: 'card', cardId } }, paymentsCounted + 1)
          : []
    const ids = found.length === 0 ? [payment.id] : found.slice(0, paymentsCounted)
    const complete = found.length <= paymentsCounted
    return { email, cardMask, cardId, complete, counted: ids.length, ...(await readPayerSummary(on, merchantId, ids)) }
  })
}

/**
 * Inquiries: the payer's bank asks before it takes money. An inquiry is a dispute without a chargeback, under the id that the transaction of its chargeback will
 * have: whichever of the two is reported first, they are one dispute, and the money counts once. Chapter 70 §4, decision 0350.
 */
import type { AcquirerEvent } from '../../connectors/connector.ts'
import type { KnownDispute } from '../../contracts/dispute-ports.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { derivedId } from '../exchange/derived-id.ts'
import type { Deps } from '../request/deps.ts'
import { toOpenedDispute } from './dispute-record.ts'

/** Of its transaction and its dispute. */
export const chargebackId = (midId: string, reference: string): string => derivedId(`${midId} chargeback ${reference}`)

interface ReportedInquiry
  extends Pick<Extract<AcquirerEvent, { kind: 'dispute-changed' }>, 'amountMinor' | 'reasonCode'> {
  /** Of the chargeback that may follow. */
  readonly chargeback: string
}

/** Once. No money moves, and neither the payment nor the merchant's callbacks change. */
export async function openInquiry(
  deps: Deps,
  payment: PaymentRecord,
  midId: string,
  { chargeback: reference, amountMinor, reasonCode }: ReportedInquiry,
): Promise<void> {
  const asked = amountMinor !== null && amountMinor > 0n ? amountMinor : payment.authorisedMinor
  // Nothing was charged that a bank could take.
  if (asked <= 0n) return
  const identity = { id: chargebackId(midId, reference), midId }
  const event = { reference, reasonCode, amountMinor: asked }
  await deps.disputes.openInquiry(toOpenedDispute(payment, identity, event, deps.clock.now()))
}

/** A chargeback that did not come as a notification: a file's row, or one that a person enters. */
interface OtherReport {
  readonly reference: string | null
  /** Only of a row, which the acquirer wrote: a person may enter another chargeback of the same amount. */
  readonly amountMinor: bigint | null
}

/**
 * The inquiry that became this chargeback, if the report names it, or is of the amount of the payment's only one. Files and people name a dispute in their own
 * way; notifications repeat the reference, so that the id is the same.
 */
export async function findInquiry(
  deps: Deps,
  { merchantId, id }: PaymentRecord,
  midId: string,
  { reference, amountMinor }: OtherReport,
): Promise<KnownDispute | null> {
  const disputes = await deps.disputes.listOfPayment(merchantId, id)
  const inquiries = disputes.filter((one) => one.midId === midId && !one.isChargedBack)
  const named = inquiries.find((one) => reference !== null && [one.reference, one.caseReference].includes(reference))
  if (named) return named
  const [only, ...others] = inquiries.filter(({ stage }) => stage === 'inquiry')
  return only && others.length === 0 && only.amountMinor === amountMinor ? only : null
}

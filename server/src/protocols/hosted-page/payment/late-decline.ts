/**
 * Counts a decline after the payer's confirmation at the issuer or the acquirer: the attempt was released when the payer was sent there.
 * Chapter 30 §7.8, "Abuse".
 */
import { isCancelled } from '#domain/checkout/session.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import { countedAddress } from '../../../network/ip-list.ts'
import type { HostedPageParts } from '../parts.ts'

type Parts = Pick<HostedPageParts, 'attempts' | 'operations'>

/** Only for attempts that the page counts, so not for hosted fields, and not for those that the payer cancelled. */
export async function countLateDecline({ attempts, operations }: Parts, payment: PaymentRecord): Promise<void> {
  const { merchantId, mode, payerIp, sessionId } = payment
  if (payment.status !== 'DECLINED' || isCancelled(payment) || mode === 'test') return
  if (payerIp === null || sessionId === null) return
  const session = await operations.payerSessions.find(sessionId)
  if (session?.kind === 'page') await attempts.count({ merchantId, address: countedAddress(payerIp) })
}

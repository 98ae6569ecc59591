/** Withdraws a payer's consent to later payments. It sends no callback; later callbacks report it. Chapter 30 §5.5, §7.5. */
import { consentStore } from '../store/plans/consents.ts'
import type { SetupContext } from './context.ts'

export type Withdrawal =
  | { readonly ok: true; readonly consentId: string; readonly merchantId: string; readonly endedPlans: number }
  | { readonly ok: false; readonly fault: string }

/** `paymentId` is any payment of the chain. Its plan ends as with DESCHEDULE. */
export async function withdrawConsent(
  { pool, clock }: Pick<SetupContext, 'pool' | 'clock'>,
  paymentId: string,
): Promise<Withdrawal> {
  const store = consentStore(pool)
  const consent = await store.findOfPayment(paymentId)
  if (consent === null) return { ok: false, fault: 'Payment not found.' }
  const { merchantId, chainId, id, state } = consent
  if (state === 'cancelled') return { ok: false, fault: 'The consent is already withdrawn.' }
  if (state !== 'active' || id === null || chainId === null) {
    return { ok: false, fault: 'The payer did not consent to later payments.' }
  }
  const { payments, plans } = await store.withdraw(merchantId, chainId, clock.now())
  if (payments === 0) return { ok: false, fault: 'The consent is already withdrawn.' }
  return { ok: true, consentId: id, merchantId, endedPlans: plans }
}

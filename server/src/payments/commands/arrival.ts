/** A payer's browser opens a one-time address. Chapter 10 §8.2, §8.3. */
import { errors } from '#domain/errors.ts'
import type { PayerStep, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { isKeyValid, type ReturnPurpose } from '../exchange/return-url.ts'
import type { Deps } from '../request/deps.ts'

export interface Arrival {
  readonly paymentId: string
  readonly key: string
  readonly purpose: ReturnPurpose
}

type Parts = Pick<Deps, 'steps' | 'payments' | 'vault'>

/** A wrong key is answered with 208002, like an unknown payment, so that the answer reveals nothing. */
export async function findArrival(
  deps: Parts,
  { paymentId, key, purpose }: Arrival,
): Promise<{ readonly payment: PaymentRecord; readonly step: PayerStep; readonly waits: boolean }> {
  const step = await deps.steps.newest(paymentId)
  const fits = step && (await isKeyValid(deps, purpose, { merchantId: step.merchantId, id: paymentId }, key))
  const payment = step && fits ? await deps.payments.find(step.merchantId, paymentId) : null
  if (!step || !payment) throw new RefusedError(errors.notIn3ds)
  const waits = (payment.status === '3DS' || payment.status === 'REDIRECT') && step.state === 'waiting'
  return { payment, step, waits }
}

/** Memory storage: the form stored for the payer. It is handed out once, before it expires; afterwards `step` is null. */
export async function takeStoredForm(
  deps: Parts & Pick<Deps, 'clock'>,
  { paymentId, key }: Pick<Arrival, 'paymentId' | 'key'>,
): Promise<{ readonly payment: PaymentRecord; readonly waits: boolean; readonly step: PayerStep | null }> {
  const { payment, waits } = await findArrival(deps, { paymentId, key, purpose: 'redirect-page' })
  return { payment, waits, step: await deps.steps.giveOut(paymentId, deps.clock.now()) }
}

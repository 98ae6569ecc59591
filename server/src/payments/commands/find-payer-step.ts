/** A payer's browser opens a one-time address. Chapter 10 §8.2, §8.3. */
import { errors } from '#domain/errors.ts'
import type { PayerStep, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { isKeyValid, nextRedirectPageUrl, type ReturnPurpose } from '../exchange/return-url.ts'
import type { Deps } from '../request/deps.ts'

export interface PresentedAddress {
  readonly paymentId: string
  readonly key: string
  readonly purpose: ReturnPurpose
  /** Counts the addresses of a form of which earlier ones were used up. */
  readonly issue?: number
}

type Parts = Pick<Deps, 'steps' | 'payments' | 'vault'>

/** A wrong key is answered with 208002, like an unknown payment, so that the answer reveals nothing. */
export async function findPayerStep(
  deps: Parts,
  { paymentId, ...presented }: PresentedAddress,
): Promise<{ readonly payment: PaymentRecord; readonly step: PayerStep; readonly waits: boolean }> {
  const step = await deps.steps.findNewestById(paymentId)
  const fits = step && (await isKeyValid(deps, { merchantId: step.merchantId, id: paymentId }, presented))
  const payment = step && fits ? await deps.payments.find(step.merchantId, paymentId) : null
  if (!step || !payment) throw new RefusedError(errors.notIn3ds)
  const waits = (payment.status === '3DS' || payment.status === 'REDIRECT') && step.state === 'waiting'
  return { payment, step, waits }
}

/** Memory storage: the form stored for the payer. Each address hands it out once, before it expires; afterwards `step` is null. */
export async function takeStoredForm(
  deps: Parts & Pick<Deps, 'clock'>,
  { paymentId, key, issue = 0 }: Pick<PresentedAddress, 'paymentId' | 'key' | 'issue'>,
): Promise<{ readonly payment: PaymentRecord; readonly waits: boolean; readonly step: PayerStep | null }> {
  const { payment, waits } = await findPayerStep(deps, { paymentId, key, issue, purpose: 'redirect-page' })
  return { payment, waits, step: await deps.steps.giveOut(payment, issue, deps.clock.now()) }
}

export interface NextRedirect {
  readonly url: string
  /** Whether the issuer lets its page be shown in a frame. */
  readonly frame: boolean
}

/** The address at which the payer can continue the step; null if it has ended or its form is not stored here. */
export async function findNextRedirect(
  deps: Pick<Deps, 'steps' | 'vault' | 'clock' | 'publicUrl'>,
  payment: PaymentRecord,
): Promise<NextRedirect | null> {
  const step = await deps.steps.findNewest(payment)
  if (step?.state !== 'waiting' || step.storedUntil === null) return null
  const isFirstOver = step.givenOut === 0 && step.storedUntil < deps.clock.now()
  await deps.vault.prepareScope(payment.merchantId)
  return {
    url: nextRedirectPageUrl(deps, payment, isFirstOver ? 1 : step.givenOut),
    frame: step.kind === '3DS' && step.mpi['frame'] === 'allowed',
  }
}

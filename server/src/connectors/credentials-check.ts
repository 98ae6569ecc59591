/** Whether the acquirer accepts the credentials of a MID. Moves no money. Chapter 60 §6. */
import type { AcquirerAccount, CredentialsCheck } from './connector.ts'
import { WireFault } from './wire-fault.ts'

/** `not-offered`: the acquirer has no harmless question that needs the credentials. */
export type CheckResult = CredentialsCheck | { readonly kind: 'not-offered' }

export async function checkCredentials({ check }: Pick<AcquirerAccount, 'check'>): Promise<CheckResult> {
  if (!check) return { kind: 'not-offered' }
  try {
    return await check(null)
  } catch (fault) {
    if (!(fault instanceof WireFault) || fault.isBug) throw fault
    return { kind: 'no-answer', text: fault.message }
  }
}

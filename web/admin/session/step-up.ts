/** Fresh authentication: the server requires it before it shows a secret or changes permissions, and a dialog asks for it. */
import { signal } from '@preact/signals'
import { apiClient } from '../api/call.ts'

export interface ProofRequest {
  /** True once the user has authenticated, false if the dialog was closed. */
  readonly answer: (isProven: boolean) => void
}

/** Null if none is required. */
export const requestedProof = signal<ProofRequest | null>(null)

/** Concurrent calls that need fresh authentication share one dialog. */
let pendingProof: Promise<boolean> | null = null

apiClient.onStepUp = () => {
  pendingProof ??= new Promise<boolean>((resolve) => {
    const answer = (isProven: boolean): void => {
      requestedProof.value = null
      pendingProof = null
      resolve(isProven)
    }
    requestedProof.value = { answer }
  })
  return pendingProof
}

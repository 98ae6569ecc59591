/** Confirming who is at the panel: asked for by the server before what shows a secret or changes rights, and answered by a dialog. */
import { signal } from '@preact/signals'
import { line } from '../api/call.ts'

export interface AskedProof {
  /** True once the person has proved it, false when the dialog was closed. */
  readonly answer: (isProven: boolean) => void
}

/** Null while nothing asks. */
export const askedProof = signal<AskedProof | null>(null)

/** Calls that need a proof at the same time wait for the same dialog. */
let waiting: Promise<boolean> | null = null

line.onStepUp = () => {
  waiting ??= new Promise<boolean>((resolve) => {
    const answer = (isProven: boolean): void => {
      askedProof.value = null
      waiting = null
      resolve(isProven)
    }
    askedProof.value = { answer }
  })
  return waiting
}

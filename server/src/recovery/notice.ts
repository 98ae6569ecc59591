import { commandName } from '../process/command-name.ts'

/** The message to the operator when the process starts on a restored database. */
export const recoveryNotice = (reason: string): string => `
  The instance is in recovery. ${reason}
  Payments, plans and callbacks are stopped. Reconcile with the acquirers, settle by hand what is
  left to you, then end the recovery:

    ${commandName} restore reconcile
    ${commandName} restore end
`

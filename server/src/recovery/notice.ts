/** What the operator reads when a start finds a restored database. */
export const recoveryNotice = (reason: string): string => `
  The instance is in recovery. ${reason}
  It takes no payments, and no plan fires and no callback goes, until the acquirers were asked:

    npm run gatehouse -- restore reconcile
    npm run gatehouse -- restore end
`

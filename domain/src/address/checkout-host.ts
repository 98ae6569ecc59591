/**
 * Hosts of the hosted page that belong to one merchant: its name below the operator's checkout domain.
 *
 * A host has one file that proves it to a wallet's maker, so a merchant with an account of its own there needs a host of its own
 * (Chapter 40 §8). Names of merchants are unique and never change, and so are these hosts.
 */

export function checkoutHost(merchantName: string, checkoutDomain: string): string {
  return `${merchantName}.${checkoutDomain}`
}

/** Whether a host may be entered and served for the merchant: those below the checkout domain are only for the one they name. */
export function mayHaveHost(merchantName: string, host: string, checkoutDomain: string | null): boolean {
  if (checkoutDomain === null || !host.endsWith(`.${checkoutDomain}`)) return true
  return host === checkoutHost(merchantName, checkoutDomain)
}

/** The address of the service with the merchant's own host in it. */
export function checkoutUrl(merchantName: string, checkoutDomain: string, publicUrl: string): string {
  const { protocol, port, pathname } = new URL(publicUrl)
  const address = `${protocol}//${checkoutHost(merchantName, checkoutDomain)}${port === '' ? '' : `:${port}`}`
  return `${address}${pathname}`.replace(/\/+$/, '')
}

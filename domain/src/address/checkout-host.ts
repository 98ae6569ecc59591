/**
 * Hosts of the hosted page that belong to one merchant: its name below the operator's checkout domain.
 *
 * A host serves one file that proves its ownership to the wallet provider, so a merchant with its own account there needs its own host
 * (Chapter 40 §8). A host is unique and never changes, because a merchant's name is unique and never changes.
 */

export function checkoutHost(merchantName: string, checkoutDomain: string): string {
  return `${merchantName}.${checkoutDomain}`
}

/** True if a merchant may enter a host and be served on it: a host below the checkout domain belongs to the merchant that it names. */
export function mayHaveHost(merchantName: string, host: string, checkoutDomain: string | null): boolean {
  if (checkoutDomain === null || !host.endsWith(`.${checkoutDomain}`)) return true
  return host === checkoutHost(merchantName, checkoutDomain)
}

/** The public URL of the service, with the merchant's own host. */
export function checkoutUrl(merchantName: string, checkoutDomain: string, publicUrl: string): string {
  const { protocol, port, pathname } = new URL(publicUrl)
  const address = `${protocol}//${checkoutHost(merchantName, checkoutDomain)}${port === '' ? '' : `:${port}`}`
  return `${address}${pathname}`.replace(/\/+$/, '')
}

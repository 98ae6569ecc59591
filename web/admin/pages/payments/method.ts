/** The payment method of a payment in a few words. */

interface Method {
  readonly cardMask: string | null
  readonly wallet: string | null
  readonly brand: string | null
}

export function methodText({ cardMask, wallet, brand }: Method): string {
  const card = cardMask === null ? null : `•••• ${cardMask.slice(-4)}`
  const through = wallet === null ? brand : walletTitle(wallet)
  return [through, card].filter((word) => word !== null).join(' ') || '—'
}

export const walletTitle = (wallet: string): string =>
  ({ walletapay: 'Wallet A', walletbpay: 'Wallet B' })[wallet] ?? wallet

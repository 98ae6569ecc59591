/** The sandbox's replacement for the wallet APIs of browsers. Chapter 40 §20.5. */

interface WalletSimulator {
  /** Takes the merchant's key, or the public id that pages have. */
  configure(settings: { readonly merchantKey: string }): void
  /** Whether the wallet provider's script supports this browser; if so, it defines the wallet's object. */
  makerScript(): Promise<boolean>
}

declare global {
  interface Window {
    gatehouseWallet?: WalletSimulator
  }
}

export const walletSimulator = (): WalletSimulator | null => window.gatehouseWallet ?? null

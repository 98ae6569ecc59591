/** The sandbox's stand-in for what browsers of the wallets' makers have built in. Chapter 40 §20.5. */

export interface WalletSimulator {
  configure(settings: { readonly merchantKey: string }): void
  /** Whether the maker's script supports this browser; brings the wallet's object when it does. */
  makerScript(): Promise<boolean>
}

declare global {
  interface Window {
    gatehouseWallet?: WalletSimulator
  }
}

export const walletSimulator = (): WalletSimulator | null => window.gatehouseWallet ?? null

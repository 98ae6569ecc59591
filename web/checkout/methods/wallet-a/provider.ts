/** The part of wallet A's browser API that this page uses. Chapter 40 §16, §17. */

export interface WalletARequest {
  readonly countryCode: string
  readonly currencyCode: string
  readonly merchantCapabilities: readonly string[]
  readonly supportedNetworks: readonly string[]
  readonly total: { readonly label: string; readonly amount: string; readonly type: 'final' }
  readonly applicationData?: string
}

export interface WalletASheet {
  onvalidatemerchant: ((event: { readonly validationURL: string }) => void) | null
  onpaymentmethodselected: (() => void) | null
  onpaymentauthorized: ((event: { readonly payment: { readonly token: unknown } }) => void) | null
  oncancel: (() => void) | null
  begin(): void
  abort(): void
  completeMerchantValidation(session: unknown): void
  completePaymentMethodSelection(update: { readonly newTotal: WalletARequest['total'] }): void
  completePayment(result: { readonly status: number }): void
}

export interface WalletAProvider {
  new (version: number, request: WalletARequest): WalletASheet
  readonly STATUS_SUCCESS: number
  readonly STATUS_FAILURE: number
  supportsVersion(version: number): boolean
  canMakePayments(): boolean
  canMakePaymentsWithActiveCard(merchantIdentifier: string): Promise<boolean>
}

declare global {
  interface Window {
    ApplePaySession?: WalletAProvider
  }
}

/** The first version whose tokens carry `applicationData` on the web. */
export const walletAVersion = 3

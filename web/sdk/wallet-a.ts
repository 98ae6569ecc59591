/**
 * Wallet A through the browser's own API. There is no scan-code flow here: a browser without the API has no wallet A. Chapter 30 §9.3,
 * chapter 40 §16, §18.
 */
import { type WalletASheet, walletAVersion } from '../checkout/methods/wallet-a/provider.ts'
import type { WalletView } from '../checkout/page-api.ts'
import { methodIn, tokenText, type WalletSession } from './wallet-session.ts'

/** The service checks conditions 1 to 4 of chapter 40 §17 and lists the method only if they are met; the fifth is checked here. */
export async function canPayWithA({ merchant_id: merchantId }: WalletView): Promise<boolean> {
  const provider = window.ApplePaySession
  try {
    if (!provider?.supportsVersion(walletAVersion) || !provider.canMakePayments()) return false
    return merchantId === null || (await provider.canMakePaymentsWithActiveCard(merchantId))
  } catch {
    return false
  }
}

/** Opens the sheet; must be called in the click handler. False if there is nothing to open. */
export function payWithA(session: WalletSession): boolean {
  const provider = window.ApplePaySession
  const { view } = session
  const { order, total: amount } = view
  const wallet = methodIn(view, 'walletapay')?.wallet
  if (!provider?.supportsVersion(walletAVersion) || !wallet || amount === null) return false
  const total = { label: wallet.label, amount, type: 'final' } as const
  const sheet = new provider(walletAVersion, {
    countryCode: wallet.country,
    currencyCode: order.currency,
    merchantCapabilities: wallet.capabilities,
    supportedNetworks: wallet.networks,
    total,
    ...(wallet.application_data === null ? {} : { applicationData: wallet.application_data }),
  })
  const open = new AbortController()
  sheet.onvalidatemerchant = ({ validationURL }) => void validateMerchant(sheet, open, session, validationURL)
  sheet.onpaymentmethodselected = () => sheet.completePaymentMethodSelection({ newTotal: total })
  sheet.onpaymentauthorized = ({ payment }) => {
    open.abort()
    void session
      .pay('walletapay', tokenText(payment.token), view)
      .then((paid) => sheet.completePayment({ status: paid ? provider.STATUS_SUCCESS : provider.STATUS_FAILURE }))
  }
  sheet.oncancel = () => open.abort()
  sheet.begin()
  void session.closeWhenSessionChanges(open.signal, () => close(sheet, open))
  return true
}

function close(sheet: WalletASheet, open: AbortController): void {
  open.abort()
  try {
    sheet.abort()
  } catch {
    // The sheet was closed at the same moment.
  }
}

async function validateMerchant(
  sheet: WalletASheet,
  open: AbortController,
  session: WalletSession,
  validationUrl: string,
): Promise<void> {
  try {
    const validated = await session.requestMerchantSession(validationUrl)
    if (!open.signal.aborted) sheet.completeMerchantValidation(validated)
  } catch (error) {
    if (open.signal.aborted) return
    // The browser closes the sheet if it rejects the merchant session.
    close(sheet, open)
    session.reportFailure(error)
  }
}

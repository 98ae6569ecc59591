/**
 * Wallet A by the browser's own API. There is no scan-code flow here: a browser without the API has no wallet A. Chapter 30 §9.3,
 * chapter 40 §16, §18.
 */
import { type WalletAMaker, type WalletASheet, walletAVersion } from '../checkout/methods/wallet-a/maker.ts'
import type { WalletView } from '../checkout/page-api.ts'
import { methodIn, tokenText, type WalletDesk } from './wallet-desk.ts'

/** Conditions 1 to 4 of chapter 40 §17 are the service's, which lists the method when they hold; here is the fifth. */
export async function canPayWithA({ merchant_id: merchantId }: WalletView): Promise<boolean> {
  const maker = window.ApplePaySession
  try {
    if (!maker?.supportsVersion(walletAVersion) || !maker.canMakePayments()) return false
    return merchantId === null || (await maker.canMakePaymentsWithActiveCard(merchantId))
  } catch {
    return false
  }
}

/** Opens the sheet; called while the browser still sees the payer's press. False when there is nothing to open. */
export function payWithA(desk: WalletDesk): boolean {
  const maker = window.ApplePaySession
  const { order, total: amount } = desk.view
  const wallet = methodIn(desk.view, 'walletapay')?.wallet
  if (!maker?.supportsVersion(walletAVersion) || !wallet || amount === null) return false
  const total = { label: wallet.label, amount, type: 'final' } as const
  const sheet = new maker(walletAVersion, {
    countryCode: wallet.country,
    currencyCode: order.currency,
    merchantCapabilities: wallet.capabilities,
    supportedNetworks: wallet.networks,
    total,
    ...(wallet.application_data === null ? {} : { applicationData: wallet.application_data }),
  })
  sheet.onvalidatemerchant = ({ validationURL }) => void validated(sheet, desk, validationURL)
  sheet.onpaymentmethodselected = () => sheet.completePaymentMethodSelection({ newTotal: total })
  sheet.onpaymentauthorized = ({ payment }) => void authorized(maker, sheet, desk, payment.token)
  sheet.begin()
  return true
}

async function validated(sheet: WalletASheet, desk: WalletDesk, validationUrl: string): Promise<void> {
  const session = await desk.session(validationUrl).catch((error: unknown) => {
    desk.failed(error)
    return null
  })
  if (session === null) return sheet.abort()
  try {
    sheet.completeMerchantValidation(session)
  } catch (error) {
    // The maker closes the sheet by itself when it does not like the session.
    desk.failed(error)
  }
}

async function authorized(maker: WalletAMaker, sheet: WalletASheet, desk: WalletDesk, token: unknown): Promise<void> {
  const paid = await desk.pay('walletapay', tokenText(token))
  sheet.completePayment({ status: paid ? maker.STATUS_SUCCESS : maker.STATUS_FAILURE })
}

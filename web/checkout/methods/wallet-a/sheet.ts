/** Pays with wallet A: a click opens the sheet, and the sheet is completed with the result. Chapter 40 §16. */
import type { MethodView, SessionView } from '../../page-api.ts'
import { closeWhenSessionChanges, notice, payFromSheet, walletSession } from '../../state/checkout.ts'
import { type WalletAProvider, type WalletASheet, walletAVersion } from './provider.ts'
import { walletARequest } from './request.ts'

interface WalletASheetParts {
  readonly session: SessionView
  readonly method: MethodView
  /** Builds the payment from the token. */
  readonly orderOf: (token: string) => Parameters<typeof payFromSheet>[0]
}

/** Must be called in the click handler: otherwise the browser opens no sheet. */
export function openWalletASheet({ session, method, orderOf }: WalletASheetParts): void {
  const provider = window.ApplePaySession
  const request = walletARequest(session, method)
  if (!provider || !request) return
  const sheet = new provider(walletAVersion, request)
  const open = new AbortController()
  sheet.onvalidatemerchant = ({ validationURL }) => {
    void validate(sheet, open, { wallet: method.code, validationURL })
  }
  sheet.onpaymentmethodselected = () => sheet.completePaymentMethodSelection({ newTotal: request.total })
  sheet.onpaymentauthorized = ({ payment: { token } }) => {
    open.abort()
    const text = typeof token === 'string' ? token : JSON.stringify(token)
    void payFromSheet(orderOf(text)).then((succeeded) =>
      sheet.completePayment({ status: statusOf(provider, succeeded) }),
    )
  }
  // A sheet that the payer closed is not an attempt; the page does not change.
  sheet.oncancel = () => open.abort()
  sheet.begin()
  void closeWhenSessionChanges(session, open.signal, () => close(sheet, open))
}

function close(sheet: WalletASheet, open: AbortController): void {
  open.abort()
  try {
    sheet.abort()
  } catch {
    // The sheet was closed at the same moment.
  }
}

/** If the wallet provider does not know the merchant, the payer is asked to choose another method. */
async function validate(
  sheet: WalletASheet,
  open: AbortController,
  { wallet, validationURL }: { readonly wallet: string; readonly validationURL: string },
): Promise<void> {
  const validated = await walletSession(wallet, validationURL).catch(() => null)
  // The sheet was closed meanwhile; the merchant is not at fault.
  if (open.signal.aborted) return
  try {
    if (validated !== null) return sheet.completeMerchantValidation(validated)
  } catch {
    // The browser closes the sheet if it rejects the merchant session.
  }
  close(sheet, open)
  notice('refused')
}

const statusOf = (provider: WalletAProvider, succeeded: boolean): number =>
  succeeded ? provider.STATUS_SUCCESS : provider.STATUS_FAILURE

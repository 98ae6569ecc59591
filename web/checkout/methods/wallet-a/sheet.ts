/** Paying with wallet A: the sheet is opened by the payer's press, and told how it went. Chapter 40 §16. */
import type { MethodView, SessionView } from '../../page-api.ts'
import { closeWhenMoved, notice, payFromSheet, walletSession } from '../../state/checkout.ts'
import { type WalletAMaker, type WalletASheet, walletAVersion } from './maker.ts'
import { walletARequest } from './request.ts'

export interface WalletASheetParts {
  readonly session: SessionView
  readonly method: MethodView
  /** Makes the attempt of the token; null when the page has moved on meanwhile. */
  readonly orderOf: (token: string) => Parameters<typeof payFromSheet>[0]
}

/** Must be called within the press itself: the maker opens no sheet otherwise. */
export function openWalletASheet({ session, method, orderOf }: WalletASheetParts): void {
  const maker = window.ApplePaySession
  const request = walletARequest(session, method)
  if (!maker || !request) return
  const sheet = new maker(walletAVersion, request)
  const open = new AbortController()
  sheet.onvalidatemerchant = ({ validationURL }) => {
    void validate(sheet, open, { wallet: method.code, validationURL })
  }
  sheet.onpaymentmethodselected = () => sheet.completePaymentMethodSelection({ newTotal: request.total })
  sheet.onpaymentauthorized = ({ payment: { token } }) => {
    open.abort()
    const text = typeof token === 'string' ? token : JSON.stringify(token)
    void payFromSheet(orderOf(text)).then((succeeded) => sheet.completePayment({ status: statusOf(maker, succeeded) }))
  }
  // A sheet that the payer closed is no attempt, and the page is as it was.
  sheet.oncancel = () => open.abort()
  sheet.begin()
  void closeWhenMoved(session, open.signal, () => close(sheet, open))
}

function close(sheet: WalletASheet, open: AbortController): void {
  open.abort()
  try {
    sheet.abort()
  } catch {
    // The maker, or the payer, closed it at the same moment.
  }
}

/** A merchant whom the maker does not know can not be paid this way; the payer is told to choose another. */
async function validate(
  sheet: WalletASheet,
  open: AbortController,
  { wallet, validationURL }: { readonly wallet: string; readonly validationURL: string },
): Promise<void> {
  const validated = await walletSession(wallet, validationURL).catch(() => null)
  // Closed meanwhile, which was no fault of the merchant's.
  if (open.signal.aborted) return
  try {
    if (validated !== null) return sheet.completeMerchantValidation(validated)
  } catch {
    // The maker closes the sheet by itself when it does not like the session.
  }
  close(sheet, open)
  notice('refused')
}

const statusOf = (maker: WalletAMaker, succeeded: boolean): number =>
  succeeded ? maker.STATUS_SUCCESS : maker.STATUS_FAILURE

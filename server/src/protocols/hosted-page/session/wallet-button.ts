/** The wallet button of a page at an address, or the reason why it is missing. Chapter 40 §17, rows 2 and 4. */
import type { Wallet } from '#domain/mid.ts'
import type { WalletButtons } from '../../../contracts/ports.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { PageAddress } from '../page-address.ts'

export function findButtonAt(
  { walletButtons }: { readonly walletButtons: WalletButtons },
  { session, merchant }: SessionContext,
  wallet: Wallet,
  pageAddress: PageAddress,
): ReturnType<WalletButtons['find']> {
  const { mode } = session
  return walletButtons.find({ merchantId: merchant.id, mode, wallet }, pageAddress)
}

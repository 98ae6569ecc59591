/** What the API returns of a wallet's record, and the key of a record. */
import type { Answer } from '../../../api/call.ts'
import type { Mode } from '../../../session/mode.ts'

export type WalletName = 'walletapay' | 'walletbpay'

/** There is one record per merchant, wallet and mode. */
export interface WalletRecordKey {
  readonly merchantId: string
  readonly mode: Mode
  readonly wallet: WalletName
}

type WalletAnswer = Answer<'GET /merchants/:merchantId/wallets/:mode/:wallet'>
export type WalletView = NonNullable<WalletAnswer['view']>
export type WalletTask = WalletAnswer['tasks'][number]
export type WalletChange = WalletAnswer['history'][number]

/** Options common to all wallet commands: the merchant, the wallet and the mode; and how refused entries are reported. */
import type { Mode } from '#domain/merchant.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import type { Queryable } from '#server/store/database/pool.ts'
import { platformRecordKey } from '#server/store/wallets/wallet-settings.ts'
import { type EntryResult, faultText, type WalletSetupContext } from '#server/wallets/setup/context.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import type { Instance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { flag, optionalArgument, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'

export const merchantArgument = { merchant: optionalArgument('MERCHANT', readers.nonEmpty) }

export const walletOption = {
  wallet: value('WALLET', 'walletapay (default) or walletbpay.', readers.oneOf(wallets)),
}

export const recordOptions = {
  ...walletOption,
  side: value('SIDE', 'Mode: live (default) or test.', readers.oneOf(['live', 'test'])),
  platform: flag('The platform account instead of a merchant’s account.'),
}

interface RecordOptions {
  readonly wallet?: Wallet
  readonly side?: Mode
  readonly platform?: boolean
}

export async function requireRecordKey(
  { pool }: { readonly pool: Queryable },
  merchant: string | null,
  options: RecordOptions,
): Promise<WalletRecordKey> {
  const { wallet = 'walletapay', side = 'live', platform = false } = options
  if ((merchant === null) !== platform)
    throw new UsageError('Give either a merchant or --platform.', '--platform selects the operator’s platform account.')
  if (merchant === null) return platformRecordKey(wallet)
  return { merchantId: (await requireMerchant(pool, merchant)).id, mode: side, wallet }
}

/** Scripts read the mode as `side` (decisions/database#stored-names), so JSON output keeps that name. */
export const membersOf = <T extends { readonly mode: Mode | null }>({ mode, ...rest }: T) => ({ side: mode, ...rest })

/** Changes are recorded in the name of the operator; commands that only read need no name. */
export function walletContext({
  pool,
  vault,
  clock,
  ids,
  config,
  by = 'command line',
}: ContextSource): WalletSetupContext {
  const { instanceMode, wallets: settings } = config
  const { trustSource, checkoutDomain } = settings
  return { pool, vault, clock, ids, instanceMode, trustSource, checkoutDomain, byUser: by }
}

type ContextSource = Pick<Instance, 'vault' | 'clock' | 'ids' | 'config'> & {
  readonly pool: Queryable
  readonly by?: string
}

/** Returns what was entered, or throws its faults in words for the operator. */
export function requireEntered<T>(answer: EntryResult<T>, say: (line: string) => void): T {
  if (!answer.ok) throw new CommandError(answer.faults.map(faultText).join('\n'), 'Nothing was changed.')
  for (const note of answer.notes) say(`Note: ${note}`)
  return answer.value
}

/** "Why is the button missing" and "why virtual", for a merchant, a page and a browser. Chapter 40 §7. */
import type { Mid, MidAction } from '#domain/mid.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { merchantMappingStore, midStore } from '../../store/configuration/mids.ts'
import type { RecordedMissing } from '../../store/wallets/missing-buttons.ts'
import {
  type CandidateMid,
  type ExplainedFlow,
  type ExplainedReason,
  explainButton,
  explainFlow,
  type HiddenReason,
  type PageQuestion,
} from '../accounts/explanation.ts'
import { readWalletState } from '../accounts/facts.ts'
import { findRecentlyMissed } from '../accounts/missing-buttons.ts'
import type { WalletSetupContext } from './context.ts'

/** The capabilities of a connector that matter for wallets. */
interface WalletCapabilities {
  readonly cardFlow: boolean
  readonly acceptsDecrypted: boolean
  readonly passesTokens: boolean
  readonly actions: ReadonlySet<MidAction>
}

export interface WalletExplanation {
  /** Null if the button is shown, as far as can be determined. */
  readonly button: ExplainedReason<HiddenReason> | null
  readonly flow: ExplainedFlow
  /** Reports of pages and browsers in the last days, newest first. */
  readonly recorded: readonly RecordedMissing[]
}

/** `powersOf` returns null for a connector that this release does not have. */
export async function explainWallet(
  { pool, clock }: Pick<WalletSetupContext, 'pool' | 'clock'>,
  recordKey: WalletRecordKey,
  page: PageQuestion,
  powersOf: (connector: string) => WalletCapabilities | null,
): Promise<WalletExplanation> {
  const facts = await readWalletState(pool, recordKey, clock.now())
  const linked = new Set(
    (await merchantMappingStore(pool).list())
      .filter(({ merchantId, enabled }) => merchantId === recordKey.merchantId && enabled)
      .map(({ midId }) => midId),
  )
  const mids = (await midStore(pool).list())
    .filter(({ id, mode, enabled }) => linked.has(id) && mode === recordKey.mode && enabled)
    .map((mid) => candidateOf(mid, recordKey, powersOf(mid.connector)))
  const recorded = await findRecentlyMissed(pool, recordKey, clock.now())
  return { button: explainButton(facts, mids, page), flow: explainFlow(facts, mids), recorded }
}

function candidateOf(mid: Mid, { wallet }: WalletRecordKey, powers: WalletCapabilities | null): CandidateMid {
  const offers = (action: MidAction): boolean => mid.actions.includes(action) && powers?.actions.has(action) === true
  return {
    name: mid.name,
    acceptsWallet: mid.wallets.includes(wallet),
    currencies: mid.currencies,
    networks: mid.networks,
    sells: mid.paymentMode !== 'DMS' && offers('sale'),
    holds: mid.paymentMode !== 'SMS' && offers('auth'),
    recurring: offers('recurring'),
    cardFlow: mid.cardFlow && powers?.cardFlow === true,
    acceptsDecrypted: mid.acceptsDecrypted && powers?.acceptsDecrypted === true,
    passesTokens: powers?.passesTokens === true,
  }
}

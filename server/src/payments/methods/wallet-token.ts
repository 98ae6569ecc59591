/**
 * Opening a wallet's token: every check of its format, and whether it was used before. Chapter 40 §11.2, §12.2, §13.
 *
 * The query for earlier uses only fills the record of the checks; the unique index decides when the payment is written.
 */

import type { WalletAAccount, WalletAccount, WalletBAccount } from '../../wallets/tokens/account.ts'
import { openWalletA, type WalletAFlow } from '../../wallets/tokens/formats/wallet-a.ts'
import { openWalletB, type WalletBFlow } from '../../wallets/tokens/formats/wallet-b.ts'
import { KnownCertificates } from '../../wallets/tokens/known-certificates.ts'
import { KnownIntermediates } from '../../wallets/tokens/known-intermediates.ts'
import { type CheckRecord, type GenuineToken, type OpenedToken, withReplay } from '../../wallets/tokens/opened-token.ts'
import { usableKeys } from '../../wallets/tokens/processing-key.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import { failedCheck, refuseToken } from './refused-token.ts'
import type { WalletRoute } from './wallet-flow.ts'

export interface OpenedWallet {
  readonly token: GenuineToken
  readonly record: CheckRecord
}

type WalletMethod = Extract<PaymentMethod, { kind: 'wallet' }>
type Flow = Pick<WalletRoute, 'flow' | 'reason'>

interface TokenInput {
  readonly paymentMethod: WalletMethod
  readonly account: WalletAccount
  readonly flow: Flow
}

/** Refuses a token that is not genuine, has expired or was used before. */
export async function openToken(deps: Deps, request: FirstStepRequest, input: TokenInput): Promise<OpenedWallet> {
  const { paymentMethod, account } = input
  const opened = await readWithNewestRoots(deps, request, input)
  const { replayHashes } = opened.ok ? opened.token : opened
  const used = await deps.payments.listUsedBefore(
    replayHashes.map((hash) => ({ wallet: paymentMethod.wallet, ...hash })),
  )
  const record = withReplay(opened.record, { replayHashes }, used)
  if (!opened.ok || used.length > 0) {
    // An earlier use takes precedence over the failure of any other check.
    const refusal = opened.ok || used.length > 0 ? 'expired-or-altered' : opened.refusal
    throw await refuseToken(deps, request, {
      param: paymentMethod.param,
      account,
      record,
      refusal,
      ...sandboxMark(opened),
    })
  }
  if (opened.token.openedBy !== null) await deps.wallets.recordOpened(account, opened.token.openedBy)
  return { token: opened.token, record }
}

/** True if a token can be decrypted. Wallet A also needs the merchant identifier, which is part of the key derivation. */
export function hasKey(account: WalletAccount, now: Date): boolean {
  if (account.wallet === 'walletapay' && account.merchantIdentifier === null) return false
  return usableKeys(account.keys, now).length > 0
}

const sandboxMark = (opened: OpenedToken) => ({ fromSandbox: !opened.ok && opened.fromSandbox })

/** The provider of wallet B may have begun to sign with a key that was not listed yesterday. Chapter 40 §6, "root watch". */
async function readWithNewestRoots(deps: Deps, request: FirstStepRequest, input: TokenInput): Promise<OpenedToken> {
  const opened = readToken(deps, request, input)
  if (opened.ok || !isUnknownRoot(opened.record)) return opened
  const fresh = await deps.wallets.recordUnknownRoot(input.account)
  return fresh ? readToken(deps, request, { ...input, account: fresh }) : opened
}

/** `ECv1` is signed by a root itself. */
function isUnknownRoot(record: CheckRecord): boolean {
  const failed = failedCheck(record)
  return failed === 'B2' || failed === 'B3' || (failed === 'B5' && record.version === 'ECv1')
}

function readToken(
  { clock }: Deps,
  request: FirstStepRequest,
  { paymentMethod: { token, bindingValue }, account, flow }: TokenInput,
): OpenedToken {
  const text = token.reveal()
  const now = clock.now()
  if (account.wallet === 'walletapay') {
    const { trust, deniedSerials, lifetimeSeconds } = account
    const terms = { now, trust, known: knownA, deniedSerials, lifetimeSeconds, bindingValue }
    return openWalletA(text, { ...terms, flow: flowOfA(account, flow, request) })
  }
  const { trust, recipients } = account
  // On S2S the merchant shows the payment sheet and decides which authentication methods it allows.
  const allowedAuthMethods = request.protocol === 'CHECKOUT' ? account.authMethods : null
  return openWalletB(text, {
    now,
    trust,
    known: knownB,
    recipients,
    allowedAuthMethods,
    flow: flowOfB(account, flow),
  })
}

/** Shared by all merchants, because a wallet provider's certificates and keys are the same for all. */
const knownA = new KnownCertificates()
const knownB = new KnownIntermediates()

function flowOfA(
  { keys, merchantIdentifier }: WalletAAccount,
  { flow, reason }: Flow,
  request: FirstStepRequest,
): WalletAFlow {
  if (flow === 'virtual' || merchantIdentifier === null) return { kind: 'virtual', reason }
  const { currency, amountMinor } = request.order
  return { kind: 'card', reason, keys, merchantIdentifier, order: { currency, amountMinor } }
}

function flowOfB({ keys }: WalletBAccount, { flow, reason }: Flow): WalletBFlow {
  return flow === 'virtual' ? { kind: 'virtual', reason } : { kind: 'card', reason, keys }
}

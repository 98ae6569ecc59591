/** Refused wallet tokens: the merchant sees only the error code, support sees which check failed. Chapter 40 §15, §19. */
import { errors, violations } from '#domain/errors.ts'
import type { Wallet } from '#domain/mid.ts'
import { invalid, RefusedError } from '../../contracts/refused-error.ts'
import type { WalletAccount } from '../../wallets/tokens/account.ts'
import type { TokenRefusal } from '../../wallets/tokens/check-sheet.ts'
import { type CheckRecord, withReplay } from '../../wallets/tokens/opened-token.ts'
import { malformedRecord } from '../../wallets/tokens/token-shape.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PreparedMethod } from './prepared-method.ts'

export interface RefusedToken {
  /** The parameter that held the token. */
  readonly param: string
  readonly account: WalletAccount
  readonly record: CheckRecord
  readonly refusal: TokenRefusal
  /** The token was signed by a sandbox authority, which this account does not trust. */
  readonly fromSandbox: boolean
}

/** Stores the failed checks for support and returns the error to throw. */
export async function refuseToken(deps: Deps, request: FirstStepRequest, refused: RefusedToken): Promise<RefusedError> {
  const { param, account, record, refusal, fromSandbox } = refused
  await storeRefusal(deps, request, record)
  if (fromSandbox && !deps.sandbox) await deps.wallets.recordSandboxToken(account, request.order.id)
  if (isUnknownKey(record)) await deps.wallets.recordUnmatched(account)
  return refusedError(param, refusal)
}

/** A token without the shape of one, in a request of a known caller. */
export interface MalformedToken extends Pick<FirstStepRequest, 'merchant' | 'mode' | 'protocol'> {
  readonly requestId?: string | undefined
  readonly orderId: string
  readonly wallet: Wallet
  readonly token: string
}

/** Stores for support why the text is no token, which is what integrators most often ask. */
export async function recordMalformed(deps: Deps, { merchant, mode, ...refused }: MalformedToken): Promise<void> {
  const { wallet, token, requestId = '', protocol, orderId } = refused
  const account = await deps.wallets.find(merchant.id, mode, wallet)
  const source = (account?.sandbox ?? deps.sandbox) ? 'sandbox authority' : 'wallet maker'
  const record = malformedRecord(wallet, token, source)
  await deps.refusedTokens.add({
    requestId,
    merchantId: merchant.id,
    mode,
    orderId,
    protocol,
    at: deps.clock.now(),
    record,
  })
}

/** Another payment used the token between our query and our write. */
export async function refuseUsedToken(
  deps: Deps,
  request: FirstStepRequest,
  { facts, tokenUses }: NonNullable<PreparedMethod['wallet']>,
): Promise<RefusedError> {
  const record = withReplay(
    facts.checks,
    { replayHashes: tokenUses },
    tokenUses.map(({ check }) => check),
  )
  await storeRefusal(deps, request, record)
  return new RefusedError(errors.walletTokenExpired)
}

async function storeRefusal(deps: Deps, request: FirstStepRequest, record: CheckRecord): Promise<void> {
  const { merchant, mode, protocol, order, requestId = '' } = request
  const at = deps.clock.now()
  await deps.refusedTokens.add({ requestId, merchantId: merchant.id, mode, orderId: order.id, protocol, at, record })
}

export function refusedError(param: string, refusal: TokenRefusal): RefusedError {
  switch (refusal) {
    case 'malformed':
      return invalid({ param, text: violations.notValid })
    case 'expired-or-altered':
      return new RefusedError(errors.walletTokenExpired)
    case 'mismatch':
      return new RefusedError(errors.walletTokenMismatch)
  }
}

/** The first check that failed. */
export const failedCheck = ({ checks }: CheckRecord): string | null =>
  checks.find(({ result }) => result === 'failed')?.id ?? null

/** Only tokens of wallet A name their key, and only an otherwise genuine token proves a fault of the settings. */
const isUnknownKey = (record: CheckRecord): boolean => failedCheck(record) === 'A13'

/** Selects the row that decides a payment. A trigger in the identifier takes precedence over card, wallet and brand. */
import type { FirstRequest } from '../request.ts'
import type { PayerStep, Trigger } from '../verdict.ts'
import { behaviourTrigger, behaviourTriggers, identifierTrigger, identifierTriggers } from './brand-triggers.ts'
import { otherwise, triggerFor, triggers } from './triggers.ts'
import {
  simulatorTrigger,
  type TokenRecord,
  tokenTrigger,
  walletNumberTrigger,
  walletTriggers,
} from './wallet-triggers.ts'

export function chooseTrigger(request: FirstRequest, tokens: TokenRecord): Trigger {
  const { card, wallet, brand } = request.paymentMethod
  const named = brand && identifierTrigger(brand.identifier)
  if (named) return named
  if (wallet?.token) return tokenTrigger(wallet.token, tokens)
  if (wallet && card) return walletNumberTrigger(card.number)
  if (card)
    return (isWalletNumberLater(request) && simulatorTrigger(card.number)) || triggerFor(card.number, card.expiry)
  return brand ? behaviourTrigger(brand) : otherwise
}

/** The row of a payment's first step; the journal stores only its key. */
export function triggerByKey(key: string): Trigger {
  return byKey.get(key) ?? otherwise
}

/** The payer step that the issuer requires, for a typed number as for one from a wallet. */
export function payerStepOf(number: string, expiry: string): PayerStep {
  return (simulatorTrigger(number) ?? triggerFor(number, expiry)).payerStep
}

/** A number from a wallet is later charged like any stored card, and after an authentication like any card. */
function isWalletNumberLater({ recurring, authenticated }: FirstRequest): boolean {
  return recurring === 'subsequent' || authenticated
}

const byKey = new Map(
  [...triggers, ...identifierTriggers, ...behaviourTriggers, ...walletTriggers].map((trigger) => [
    trigger.key,
    trigger,
  ]),
)

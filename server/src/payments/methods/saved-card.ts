/** Saved cards by their tokens: whose they are, and whether they can be used. Chapter 10 §7.1.9, chapter 30 §3.9. */
import { isExpired } from '#domain/card.ts'
import { errors, type Refusal } from '#domain/errors.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { CardRecord, CardTokenRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export interface SavedCard {
  readonly saved: CardTokenRecord
  readonly card: CardRecord
  readonly expired: boolean
}

/** Refused if unknown, of another merchant or of the other mode, in this order; an expired card is returned as such. */
export async function findSavedCard(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  token: string,
): Promise<SavedCard | Refusal> {
  const saved = await deps.cards.token(token)
  if (!saved) return errors.cardTokenUnknown
  if (saved.merchantId !== merchant.id) return errors.cardTokenForeign
  const card = saved.test === (mode === 'test') ? await deps.cards.find(merchant.id, saved.cardId) : null
  if (!card) return errors.cardTokenUnknown
  return { saved, card, expired: isCardExpired(card, dayIn(deps.clock.now(), merchant.timeZone)) }
}

/** On Checkout a token that was told but whose payment has not succeeded is no unknown one: it is not to be used yet. */
async function checkoutCard(deps: Deps, merchant: Merchant, mode: Mode, token: string): Promise<SavedCard | Refusal> {
  const found = await findSavedCard(deps, merchant, mode, token)
  const isUnknown = !('saved' in found) && found === errors.cardTokenUnknown
  if (isUnknown && (await deps.cards.wasIssued(merchant.id, token, mode === 'test'))) return errors.cardTokenForeign
  return found
}

/** Those of the tokens that name a card, in their order, expired ones too. */
export async function checkoutCards(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  tokens: readonly string[],
): Promise<readonly SavedCard[]> {
  const found = await Promise.all(tokens.map((token) => checkoutCard(deps, merchant, mode, token)))
  return found.flatMap((one) => ('saved' in one ? [one] : []))
}

/** A payout needs one that can be used: otherwise the first says why not. */
export async function unusableRefusal(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  tokens: readonly string[],
): Promise<Refusal | null> {
  const found = await Promise.all(tokens.map((token) => checkoutCard(deps, merchant, mode, token)))
  const [first] = found
  if (first === undefined || found.some((one) => 'saved' in one && !one.expired)) return null
  return 'saved' in first ? errors.cardTokenExpired : first
}

const isCardExpired = ({ expiryMonth: month, expiryYear: year }: CardRecord, today: string): boolean =>
  month !== null && year !== null && isExpired({ month, year }, today)

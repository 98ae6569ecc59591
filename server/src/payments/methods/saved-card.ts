/** Finds saved cards by their tokens and checks whether they can be used. Chapter 10 §7.1.9, chapter 30 §3.9. */
import { isExpired } from '#domain/card.ts'
import { errors, type Refusal } from '#domain/errors.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { CardRecord, CardTokenRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export interface SavedCard {
  readonly saved: CardTokenRecord
  readonly card: CardRecord
  readonly isExpired: boolean
}

type SavedCardResult =
  | { readonly kind: 'ok'; readonly savedCard: SavedCard }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const refuse = (refusal: Refusal): SavedCardResult => ({ kind: 'refused', refusal })

/** Refused if unknown, of another merchant or of the other mode, in this order; an expired card is returned as such. */
export async function findSavedCard(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  token: string,
): Promise<SavedCardResult> {
  const saved = await deps.cards.findToken(merchant.id, token)
  if (!saved) return refuse((await deps.cards.isTokenOfAny(token)) ? errors.cardTokenForeign : errors.cardTokenUnknown)
  const card = saved.mode === mode ? await deps.cards.find(merchant.id, saved.cardId) : null
  if (!card) return refuse(errors.cardTokenUnknown)
  const isExpired = isCardExpired(card, dayIn(deps.clock.now(), merchant.timeZone))
  return { kind: 'ok', savedCard: { saved, card, isExpired } }
}

/** On Checkout a token that was issued with a payment that has not succeeded gets an error of its own: it cannot be used yet. */
async function readCheckoutCard(deps: Deps, merchant: Merchant, mode: Mode, token: string): Promise<SavedCardResult> {
  const found = await findSavedCard(deps, merchant, mode, token)
  const isUnknown = found.kind === 'refused' && found.refusal === errors.cardTokenUnknown
  if (isUnknown && (await deps.cards.isIssued(merchant.id, token, mode))) return refuse(errors.cardTokenForeign)
  return found
}

/** The cards of those tokens that name one, in the order of the tokens. Expired cards are included. */
export async function listCheckoutCards(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  tokens: readonly string[],
): Promise<readonly SavedCard[]> {
  const found = await Promise.all(tokens.map((token) => readCheckoutCard(deps, merchant, mode, token)))
  return found.flatMap((one) => (one.kind === 'ok' ? [one.savedCard] : []))
}

/** A payout needs at least one usable card; if there is none, the refusal is that of the first token. */
export async function findUnusableRefusal(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  tokens: readonly string[],
): Promise<Refusal | null> {
  const found = await Promise.all(tokens.map((token) => readCheckoutCard(deps, merchant, mode, token)))
  const [first] = found
  if (first === undefined || found.some((one) => one.kind === 'ok' && !one.savedCard.isExpired)) return null
  return first.kind === 'ok' ? errors.cardTokenExpired : first.refusal
}

const isCardExpired = ({ expiryMonth: month, expiryYear: year }: CardRecord, today: string): boolean =>
  month !== null && year !== null && isExpired({ month, year }, today)

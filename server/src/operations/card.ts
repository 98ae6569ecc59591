/** The card of a payment: sealed for the vault, or found again by its token. */
import { cardFacts, expired } from '#domain/card.ts'
import { dayIn } from '#domain/day.ts'
import { errors } from '#domain/errors.ts'
import type { Merchant, Side } from '#domain/merchant.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { CardData } from '../connectors/connector.ts'
import type { CardRecord, PaymentRecord } from '../records.ts'
import { RefusedError } from '../refused-error.ts'
import type { Deps } from './deps.ts'
import { derivedId } from './derived-id.ts'

export type CardInput =
  | {
      readonly source: 'card'
      readonly number: Secret<string>
      /** Null for a payout, whose recipient's card has no known expiry. */
      readonly expiry: { readonly month: number; readonly year: number } | null
      readonly verificationCode: Secret<string> | null
    }
  | { readonly source: 'token'; readonly token: string; readonly verificationCode: Secret<string> | null }

/** A card ready to be charged: the row that keeps it and the data that goes to the acquirer. */
export interface UsableCard {
  readonly record: CardRecord
  readonly data: CardData
  readonly mask: string
  readonly pan10: string
  readonly network: string | null
  /** The token that the card has, or would get when it is saved: the same card of a merchant always has the same one. */
  readonly token: string
  /** Per MID the acquirer's reference of the stored credential; empty unless the payment is made with a token. */
  readonly credentials: Readonly<Record<string, string>>
  /** The payer's name when the card was saved; null for a card that was entered. */
  readonly name: { readonly first: string | null; readonly last: string | null } | null
}

export function usableCard(deps: Deps, merchant: Merchant, side: Side, input: CardInput): Promise<UsableCard> {
  return input.source === 'card' ? enteredCard(deps, merchant, side, input) : savedCard(deps, merchant, side, input)
}

async function enteredCard(
  { vault }: Deps,
  merchant: Merchant,
  side: Side,
  { number, expiry, verificationCode }: Extract<CardInput, { source: 'card' }>,
): Promise<UsableCard> {
  await vault.ready(merchant.id)
  const { network, bin, lastFour, mask } = cardFacts(number.reveal())
  const identity = secret(`${number.reveal()} ${expiry ? `${expiry.month}/${expiry.year}` : ''}`)
  const record: CardRecord = {
    merchantId: merchant.id,
    // The same card is the same row, without a look-up.
    id: derivedId(vault.fingerprint(merchant.id, 'card', identity)),
    panSealed: await vault.seal(merchant.id, 'card', number),
    bin,
    lastFour,
    panLength: number.reveal().length,
    expiryMonth: expiry?.month ?? null,
    expiryYear: expiry?.year ?? null,
    holder: null,
    network: network ?? null,
  }
  return {
    record,
    data: { number, expiryMonth: record.expiryMonth, expiryYear: record.expiryYear, verificationCode, holder: null },
    mask,
    pan10: bin + lastFour,
    network: network ?? null,
    token: vault.fingerprint(merchant.id, 'card', secret(`token ${side} ${identity.reveal()}`)),
    credentials: {},
    name: null,
  }
}

/** Chapter 10 §7.1.9: unknown, of another merchant (or of the other side), card expired, in this order. */
async function savedCard(
  deps: Deps,
  merchant: Merchant,
  side: Side,
  { token, verificationCode }: Extract<CardInput, { source: 'token' }>,
): Promise<UsableCard> {
  const saved = await deps.cards.token(token)
  if (!saved) throw new RefusedError(errors.cardTokenUnknown)
  if (saved.merchantId !== merchant.id) throw new RefusedError(errors.cardTokenForeign)
  const record = saved.test === (side === 'test') ? await deps.cards.find(merchant.id, saved.cardId) : null
  if (!record) throw new RefusedError(errors.cardTokenUnknown)

  if (isExpired(record, dayIn(deps.clock.now(), merchant.timeZone))) throw new RefusedError(errors.cardTokenExpired)
  const number = await deps.vault.open(merchant.id, 'card', record.panSealed)
  const name = { first: saved.firstName, last: saved.lastName }
  return { ...storedCard(record, number, verificationCode), token, credentials: saved.credentials, name }
}

const isExpired = ({ expiryMonth: month, expiryYear: year }: CardRecord, today: string): boolean =>
  month !== null && year !== null && expired({ month, year }, today)

/** A card from the vault, without the verification code that no row keeps. */
export function storedCard(
  record: CardRecord,
  number: Secret<string>,
  verificationCode: Secret<string> | null,
): Omit<UsableCard, 'token' | 'credentials' | 'name'> {
  const { expiryMonth, expiryYear, holder, network } = record
  return {
    record,
    data: { number, expiryMonth, expiryYear, verificationCode, holder },
    mask: `${record.bin}${'*'.repeat(record.panLength - record.bin.length - record.lastFour.length)}${record.lastFour}`,
    pan10: record.bin + record.lastFour,
    network,
  }
}

/** The card that a payment was made with, from the vault; null when it is not kept any more. */
export async function cardOfPayment(
  deps: Deps,
  { merchantId, cardId }: Pick<PaymentRecord, 'merchantId' | 'cardId'>,
): Promise<ReturnType<typeof storedCard> | null> {
  const record = cardId === null ? null : await deps.cards.find(merchantId, cardId)
  return record && storedCard(record, await deps.vault.open(merchantId, 'card', record.panSealed), null)
}

/** The recipient's card of a transfer. */
export async function payeeCardOf(deps: Deps, { merchantId, facts }: PaymentRecord): Promise<Secret<string> | null> {
  const record = facts.payeeCardId === undefined ? null : await deps.cards.find(merchantId, facts.payeeCardId)
  return record && deps.vault.open(merchantId, 'card', record.panSealed)
}

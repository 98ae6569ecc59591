/** The card of a payment: sealed for the vault, or found again by its token. */
import { cardFacts } from '#domain/card.ts'
import { errors } from '#domain/errors.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import { type Secret, secret } from '#domain/secret.ts'
import type { CardData } from '../../connectors/connector.ts'
import type { CardRecord, PaymentRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { derivedId } from '../exchange/derived-id.ts'
import type { CardInput } from '../request/card-input.ts'
import type { Deps } from '../request/deps.ts'
import { type CardText, cardText, type MerchantTokenText, readCardText } from './card-text.ts'
import { findSavedCard } from './saved-card.ts'

/** A card that can be charged: its stored row and the data for the acquirer. */
export interface UsableCard {
  readonly record: CardRecord
  readonly data: CardData
  readonly mask: string
  readonly pan10: string
  readonly network: string | null
  /** The wallet provider's merchant token, if the wallet supplied one. */
  readonly merchantToken: MerchantTokenText | null
  /** The card's token, or the one that it would get if it were saved. A card has one token per merchant. Computed for cards that are saved. */
  token(): string
  /** Per MID the acquirer's reference of the stored credential; empty unless the payment is made with a token. */
  readonly credentials: Readonly<Record<string, string>>
  /** The payer's name when the card was saved; null for a card that was entered. */
  readonly name: { readonly first: string | null; readonly last: string | null } | null
}

export function requireUsableCard(deps: Deps, merchant: Merchant, mode: Mode, input: CardInput): Promise<UsableCard> {
  return input.source === 'card'
    ? readEnteredCard(deps, merchant, mode, input)
    : findCardOfToken(deps, merchant, mode, input)
}

function readEnteredCard(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  { number, expiry, verificationCode }: Extract<CardInput, { source: 'card' }>,
): Promise<UsableCard> {
  const text = { number, holder: null, merchantToken: null }
  return createCard(deps, { merchant, mode, text, expiry, verificationCode })
}

interface NewCard extends Pick<Extract<CardInput, { source: 'card' }>, 'expiry' | 'verificationCode'> {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly text: CardText
}

/** A card that was not saved before. */
export async function createCard(
  { vault }: Deps,
  { merchant, mode, text, expiry, verificationCode }: NewCard,
): Promise<UsableCard> {
  await vault.prepareScope(merchant.id)
  const { number, holder, merchantToken } = text
  const { network, bin, lastFour, mask } = cardFacts(number.reveal())
  const sealed = cardText(text)
  const identity = secret(`${sealed.reveal()} ${expiry ? `${expiry.month}/${expiry.year}` : ''}`)
  const record: CardRecord = {
    merchantId: merchant.id,
    // Derived from the card, so that the same card finds its row without a query.
    id: derivedId(vault.fingerprint(merchant.id, 'card', identity)),
    panSealed: await vault.seal(merchant.id, 'card', sealed),
    bin,
    lastFour,
    panLength: number.reveal().length,
    expiryMonth: expiry?.month ?? null,
    expiryYear: expiry?.year ?? null,
    network: network ?? null,
  }
  return {
    record,
    data: {
      number,
      expiryMonth: record.expiryMonth,
      expiryYear: record.expiryYear,
      verificationCode,
      holder: holder?.reveal() ?? null,
    },
    mask,
    pan10: bin + lastFour,
    network: network ?? null,
    merchantToken,
    token: () => vault.fingerprint(merchant.id, 'card', secret(`token ${mode} ${identity.reveal()}`)),
    credentials: {},
    name: null,
  }
}

/** Chapter 10 §7.1.9. */
async function findCardOfToken(
  deps: Deps,
  merchant: Merchant,
  mode: Mode,
  { token, verificationCode }: Extract<CardInput, { source: 'token' }>,
): Promise<UsableCard> {
  const found = await findSavedCard(deps, merchant, mode, token)
  if (found.kind === 'refused') throw new RefusedError(found.refusal)
  const { saved, card, isExpired } = found.savedCard
  if (isExpired) throw new RefusedError(errors.cardTokenExpired)
  const text = await deps.vault.open(merchant.id, 'card', card.panSealed)
  const name = { first: saved.firstName, last: saved.lastName }
  return { ...storedCard(card, text, verificationCode), token: () => token, credentials: saved.credentials, name }
}

/** A card from the vault. The verification code is never stored. */
export function storedCard(
  record: CardRecord,
  sealed: Secret<string>,
  verificationCode: Secret<string> | null,
): Omit<UsableCard, 'token' | 'credentials' | 'name'> {
  const { expiryMonth, expiryYear, network } = record
  const { number, holder, merchantToken } = readCardText(sealed)
  return {
    record,
    data: { number, expiryMonth, expiryYear, verificationCode, holder: holder?.reveal() ?? null },
    merchantToken,
    mask: `${record.bin}${'*'.repeat(record.panLength - record.bin.length - record.lastFour.length)}${record.lastFour}`,
    pan10: record.bin + record.lastFour,
    network,
  }
}

/** The card of a payment, from the vault; null if it is no longer stored. */
export async function readCardOfPayment(
  deps: Deps,
  { merchantId, cardId }: Pick<PaymentRecord, 'merchantId' | 'cardId'>,
): Promise<ReturnType<typeof storedCard> | null> {
  const record = cardId === null ? null : await deps.cards.find(merchantId, cardId)
  return record && storedCard(record, await deps.vault.open(merchantId, 'card', record.panSealed), null)
}

/** The recipient's card of a transfer. */
export async function openPayeeCard(deps: Deps, { merchantId, facts }: PaymentRecord): Promise<Secret<string> | null> {
  const record = facts.payeeCardId === undefined ? null : await deps.cards.find(merchantId, facts.payeeCardId)
  return record && readCardText(await deps.vault.open(merchantId, 'card', record.panSealed)).number
}

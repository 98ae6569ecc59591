/**
 * The text of a card that the vault seals: the number alone, or JSON of the number with the wallet's holder name and merchant token.
 * Neither of them is stored anywhere else. Chapter 40 §10, §11.5.
 */
import { type Secret, secret } from '#domain/secret.ts'
import type { JsonObject } from '../../contracts/records.ts'

export interface CardText {
  readonly number: Secret<string>
  readonly holder: Secret<string> | null
  readonly merchantToken: MerchantTokenText | null
}

/** The wallet provider's merchant token, with which a chain is charged without the payer. */
export interface MerchantTokenText {
  readonly identifier: Secret<string>
  readonly metadata: JsonObject | null
}

export function cardText({ number, holder, merchantToken }: CardText): Secret<string> {
  if (holder === null && merchantToken === null) return number
  const sealed: SealedCardText = {
    number: number.reveal(),
    holder: holder?.reveal() ?? null,
    merchantToken: merchantToken && { ...merchantToken, identifier: merchantToken.identifier.reveal() },
  }
  return secret(JSON.stringify(sealed))
}

export function readCardText(text: Secret<string>): CardText {
  const plain = text.reveal()
  if (!plain.startsWith('{')) return { number: text, holder: null, merchantToken: null }
  // Only `cardText` writes these texts, and the vault has verified that they are unchanged.
  const { number, holder, merchantToken } = JSON.parse(plain) as SealedCardText
  return {
    number: secret(number),
    holder: holder === null ? null : secret(holder),
    merchantToken: merchantToken && { ...merchantToken, identifier: secret(merchantToken.identifier) },
  }
}

interface SealedCardText {
  readonly number: string
  readonly holder: string | null
  readonly merchantToken: { readonly identifier: string; readonly metadata: JsonObject | null } | null
}

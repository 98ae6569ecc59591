/**
 * The content of a token, as far as a key opens it. It is read even if checks failed, because refused tokens are the ones under
 * investigation.
 */
import { maskCard, networkOf } from '#domain/card.ts'
import { Asn1Error } from '#server/wallets/tokens/asn1/asn1-error.ts'
import { CheckFailed } from '#server/wallets/tokens/check-sheet.ts'
import { decryptToken, pickKey } from '#server/wallets/tokens/formats/wallet-a-cipher.ts'
import { readWalletAPlaintext } from '#server/wallets/tokens/formats/wallet-a-plaintext.ts'
import { decodeTexts, readTexts } from '#server/wallets/tokens/formats/wallet-a-structure.ts'
import { decryptMessage, findKey } from '#server/wallets/tokens/formats/wallet-b-cipher.ts'
import { readWalletBPlaintext } from '#server/wallets/tokens/formats/wallet-b-plaintext.ts'
import { readSignedMessage, readToken } from '#server/wallets/tokens/formats/wallet-b-structure.ts'
import type { WalletCard } from '#server/wallets/tokens/opened-token.ts'
import type { ActiveKey } from '#server/wallets/tokens/processing-key.ts'
import type { CellValue } from '../kit/table.ts'

export interface TokenContent {
  readonly card: WalletCard
  /** Wallet A only: the amount that the payer confirmed. */
  readonly order: { readonly currencyCode: string; readonly amountMinor: bigint } | null
  /** Wallet B only. */
  readonly message: { readonly id: string; readonly expiresAt: Date; readonly gatewayMerchantId: string | null } | null
}

export function contentA(
  text: string,
  keys: readonly ActiveKey[],
  merchantIdentifier: string,
  now: Date,
): TokenContent | null {
  return readOrNull(() => {
    const token = decodeTexts(readTexts(text))
    const { key } = pickKey(token, keys, now)
    const { card, currencyCode, amountMinor } = readWalletAPlaintext(
      decryptToken(token, key, merchantIdentifier),
      token.version,
    )
    return { card, order: { currencyCode, amountMinor }, message: null }
  })
}

export function contentB(text: string, keys: readonly ActiveKey[], now: Date): TokenContent | null {
  return readOrNull(() => {
    const token = readToken(text)
    const message = readSignedMessage(token.signedMessage)
    const { cipherKey } = findKey(message, token.version, keys, now)
    const plaintext = readWalletBPlaintext(decryptMessage(message, token.version, cipherKey), token.version)
    const { card, messageId: id, expiresAt, gatewayMerchantId } = plaintext
    return { card, order: null, message: { id, expiresAt, gatewayMerchantId } }
  })
}

/** Name and value of each field; numbers and cryptograms only if they are to be revealed. */
export function contentFields(
  { card, order, message }: TokenContent,
  reveal: boolean,
): readonly (readonly [string, CellValue])[] {
  const number = card.number.reveal()
  const hide = (secret: WalletCard['cryptogram']): string | null =>
    secret === null ? null : reveal ? secret.reveal() : 'present'
  return [
    ['number', reveal ? number : maskCard(number)],
    ['network', networkOf(number) ?? null],
    ['number_kind', card.numberKind],
    ['pan_type', card.panType],
    ['expiry', `${String(card.expiry.month).padStart(2, '0')}/${card.expiry.year}`],
    ['holder_name', hide(card.holderName)],
    ['data_type', card.dataType],
    ['cryptogram', hide(card.cryptogram)],
    ['eci', card.eci],
    ['emv_data', hide(card.emvData)],
    ['device', card.deviceId],
    ['merchant_token', hide(card.merchantToken?.identifier ?? null)],
    ['auth_method', card.authMethod],
    ...(order === null
      ? []
      : [['currency_number', order.currencyCode] as const, ['amount_minor', order.amountMinor] as const]),
    ...(message === null
      ? []
      : [
          ['message_id', message.id] as const,
          ['expires_at', message.expiresAt] as const,
          ['gateway_merchant_id', message.gatewayMerchantId] as const,
        ]),
  ]
}

function readOrNull(read: () => TokenContent): TokenContent | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof CheckFailed || error instanceof Asn1Error) return null
    throw error
  }
}

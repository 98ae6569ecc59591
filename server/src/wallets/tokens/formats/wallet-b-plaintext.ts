/** The decrypted content of a wallet B token (Chapter 40 §12.2 B9 to B13, §12.4, §13). */
import type { Expiry } from '#domain/card.ts'
import type { Secret } from '#domain/secret.ts'
import { CheckFailed, demand, present } from '../check-sheet.ts'
import type { Assurance, AuthMethod, WalletCard } from '../opened-token.ts'
import { type JsonMembers, member } from '../strict-json.ts'
import { millisecondsText, type WalletBVersion } from '../trust.ts'
import {
  cardNumber,
  optionalBase64,
  optionalObject,
  optionalText,
  plaintextObject,
  requiredText,
  requiredWhole,
} from './plaintext-fields.ts'
import type { Recipient } from './wallet-b-signature.ts'

interface WalletBPlaintext {
  readonly card: WalletCard
  readonly expiresAt: Date
  readonly messageId: string
  readonly gatewayMerchantId: string | null
}

/** B9. */
export function readWalletBPlaintext(bytes: Buffer, version: WalletBVersion): WalletBPlaintext {
  const content = plaintextObject(bytes)
  const method = requiredText(content, 'paymentMethod')
  const tokenized = method === 'TOKENIZED_CARD' && version === 'ECv1'
  demand(method === 'CARD' || tokenized, 'unknown paymentMethod')
  const details = present(optionalObject(content, 'paymentMethodDetails'), 'paymentMethodDetails is missing')
  const messageId = requiredText(content, 'messageId')
  demand(messageId !== '', 'messageId is empty')
  return {
    card: readCard(details, version, tokenized),
    expiresAt: present(millisecondsText(member(content, 'messageExpiration')), 'messageExpiration is missing'),
    messageId,
    gatewayMerchantId: optionalText(content, 'gatewayMerchantId'),
  }
}

/** B10. */
export function checkExpiry({ expiresAt }: WalletBPlaintext, now: Date): void {
  if (expiresAt <= now) throw new CheckFailed(`expired at ${expiresAt.toISOString()}`)
}

/** B11. */
export function checkMerchant({ gatewayMerchantId }: WalletBPlaintext, recipient: Recipient): void {
  const { gatewayMerchantId: own, formerMerchantId: former } = recipient
  const isOurs = gatewayMerchantId === own || (former !== undefined && gatewayMerchantId === former)
  demand(isOurs, 'the token is for another merchant')
}

/** B13. */
export function checkAuthMethod({ card }: WalletBPlaintext, allowed: readonly AuthMethod[]): void {
  const { authMethod, panType } = card
  const method = authMethod ?? (panType === 'FPAN' ? 'PAN_ONLY' : 'CRYPTOGRAM_3DS')
  demand(allowed.includes(method), `${method} is not allowed`)
}

function readCard(details: JsonMembers, version: WalletBVersion, tokenized: boolean): WalletCard {
  const authMethod = readAuthMethod(details, version, tokenized)
  const device = tokenized || authMethod === 'CRYPTOGRAM_3DS'
  const old = version === 'ECv1'
  const cryptogram = (old ? optionalBase64(details, '3dsCryptogram') : null) ?? optionalBase64(details, 'cryptogram')
  // A device number is proved by its cryptogram; without one it would be charged as if it were authenticated.
  demand(!device || isGiven(cryptogram), 'cryptogram is missing')
  return {
    number: cardNumber(details, tokenized ? 'dpan' : 'pan'),
    expiry: readExpiry(details),
    holderName: null,
    cryptogram,
    eci: (old ? optionalText(details, '3dsEciIndicator') : null) ?? optionalText(details, 'eciIndicator'),
    dataType: '3DSecure',
    emvData: null,
    pinData: null,
    panType: device ? 'DPAN' : 'FPAN',
    numberKind: device ? 'device number' : 'funding number',
    deviceId: null,
    merchantToken: null,
    authMethod,
    assurance: readAssurance(optionalObject(details, 'assuranceDetails')),
  }
}

const isGiven = (text: Secret<string> | null): boolean => text !== null && text.reveal() !== ''

function readAuthMethod(details: JsonMembers, version: WalletBVersion, tokenized: boolean): AuthMethod | null {
  const method = optionalText(details, 'authMethod')
  if (tokenized) {
    demand(method === '3DS', 'unknown authMethod')
    return 'CRYPTOGRAM_3DS'
  }
  if (method === null && version === 'ECv1') return null
  demand(method === 'PAN_ONLY' || method === 'CRYPTOGRAM_3DS', 'unknown authMethod')
  return method
}

function readExpiry(details: JsonMembers): Expiry {
  const month = requiredWhole(details, 'expirationMonth')
  const year = requiredWhole(details, 'expirationYear')
  demand(month >= 1 && month <= 12 && year >= 1000 && year <= 9999, 'the expiry is not a month')
  return { month, year }
}

function readAssurance(details: JsonMembers | null): Assurance | null {
  if (details === null) return null
  return {
    cardHolderAuthenticated: member(details, 'cardHolderAuthenticated') === true,
    accountVerified: member(details, 'accountVerified') === true,
  }
}

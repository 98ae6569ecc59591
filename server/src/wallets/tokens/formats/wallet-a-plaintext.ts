/** The decrypted content of a wallet A token (Chapter 40 §11.2 A15 to A18, §11.5, §13). */
import { hash } from 'node:crypto'
import { currencyNumber } from '#domain/money/currency-number.ts'
import { secret } from '#domain/secret.ts'
import { CheckFailed, demand } from '../check-sheet.ts'
import type { MerchantToken, NumberKind, WalletCard } from '../opened-token.ts'
import { type JsonMembers, member } from '../strict-json.ts'
import {
  cardNumber,
  expiryOfDay,
  optionalBase64,
  optionalHex,
  optionalObject,
  optionalText,
  plaintextObject,
  requiredText,
  requiredWhole,
} from './plaintext-fields.ts'
import type { WalletAVersion } from './wallet-a-structure.ts'

interface Plaintext {
  readonly card: WalletCard
  /** ISO 4217, three digits. */
  readonly currencyCode: string
  readonly amountMinor: bigint
  /** How many merchants the payer authorised at once. */
  readonly authentications: number
}

/** What the payer is asked to pay. */
export interface WalletOrder {
  readonly currency: string
  readonly amountMinor: bigint
}

/** A15. */
export function readWalletAPlaintext(bytes: Buffer, version: WalletAVersion): Plaintext {
  const content = plaintextObject(bytes)
  const currencyCode = requiredText(content, 'currencyCode')
  demand(/^\d{3}$/.test(currencyCode), 'currencyCode is not three digits')
  const responses = member(content, 'authenticationResponses')
  return {
    card: readCard(content, version),
    currencyCode,
    amountMinor: BigInt(requiredWhole(content, 'transactionAmount')),
    authentications: Array.isArray(responses) ? responses.length : 0,
  }
}

/** A16: a session's page requests a token that names the session. */
export function checkBinding(applicationData: Buffer | null, bindingValue: string): void {
  const expected = hash('sha256', bindingValue, 'buffer')
  demand(applicationData === null || applicationData.equals(expected), 'the token belongs to another session')
}

/** A17. */
export function checkCurrency({ currencyCode }: Plaintext, { currency }: WalletOrder): void {
  if (currencyNumber(currency) !== currencyCode) throw new CheckFailed(`order ${currency}, token ${currencyCode}`)
}

/** A18. */
export function checkAmount(plaintext: Plaintext, { amountMinor }: WalletOrder): void {
  if (plaintext.amountMinor === amountMinor) return
  throw new CheckFailed(`order ${amountMinor}, token ${plaintext.amountMinor}`)
}

function readCard(content: JsonMembers, version: WalletAVersion): WalletCard {
  const payment = optionalObject(content, 'paymentData') ?? {}
  const dataType = requiredText(content, 'paymentDataType')
  demand(dataType === '3DSecure' || dataType === 'EMV', 'unknown paymentDataType')
  const holderName = optionalText(content, 'cardholderName')
  const deviceId = optionalHex(content, 'deviceManufacturerIdentifier')
  demand(deviceId !== null, 'deviceManufacturerIdentifier is missing')
  const pinData = optionalHex(payment, 'encryptedPINData')
  const cryptogram = optionalBase64(payment, 'onlinePaymentCryptogram')
  const emvData = optionalBase64(payment, 'emvData')
  const merchantToken = readMerchantToken(content)
  const numberKind = kindOf(merchantToken !== null, cryptogram !== null || emvData !== null)
  return {
    number: cardNumber(content, 'applicationPrimaryAccountNumber'),
    expiry: expiryOfDay(requiredText(content, 'applicationExpirationDate')),
    holderName: holderName === null ? null : secret(holderName),
    cryptogram,
    eci: optionalText(payment, 'eciIndicator'),
    dataType,
    emvData,
    pinData: pinData === null || version === 'EC_v1' ? null : secret(pinData),
    panType: numberKind === 'funding number' ? 'FPAN' : 'DPAN',
    numberKind,
    deviceId,
    merchantToken,
    authMethod: null,
    assurance: null,
  }
}

/** Chapter 40 §13: the first matching row decides. */
function kindOf(hasMerchantToken: boolean, hasProof: boolean): NumberKind {
  if (hasMerchantToken) return 'merchant token'
  return hasProof ? 'device number' : 'funding number'
}

function readMerchantToken(content: JsonMembers): MerchantToken | null {
  const identifier = optionalText(content, 'merchantTokenIdentifier')
  if (identifier === null) return null
  return { identifier: secret(identifier), metadata: optionalObject(content, 'merchantTokenMetadata') }
}

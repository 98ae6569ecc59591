/** The decrypted content of a token (Chapter 40 §11.5, §12.4). */

import { currencyNumber } from '#domain/money/currency-number.ts'
import { exponentOf } from '#domain/money/money.ts'
import { cardExpiry, numberOf } from '../cards.ts'
import type { Randomness } from '../randomness.ts'
import type { MintRequest } from './mint-request.ts'

const DEVICE = '040010030273'

export function plaintextA(request: MintRequest, random: Randomness): string {
  const { card, panType, order, holderName, dataType } = request
  const { month, year } = cardExpiry
  return JSON.stringify({
    applicationPrimaryAccountNumber: numberOf(card, panType),
    applicationExpirationDate: `${year % 100}${month}31`,
    currencyCode: currencyNumber(order?.currency ?? ''),
    transactionAmount: Number(amountOf(request)),
    ...(holderName !== null && { cardholderName: holderName }),
    deviceManufacturerIdentifier: DEVICE,
    paymentDataType: dataType,
    paymentData: panType === 'FPAN' ? {} : proofOf(request, random),
    ...(panType === 'MPAN' && {
      merchantTokenIdentifier: random.bytes('merchant token', 16).toString('hex'),
      merchantTokenMetadata: { cardMetadata: { fpanSuffix: card.fpan.slice(-4) } },
    }),
  })
}

export function plaintextB(request: MintRequest, random: Randomness, now: Date): string {
  const { recipient, expiresIn, version } = request
  const funding = request.panType === 'FPAN'
  const { gatewayMerchantId } = recipient
  return JSON.stringify({
    ...(recipient.gateway !== '' && { gatewayMerchantId }),
    messageExpiration: String(now.getTime() + expiresIn * 1000),
    messageId: random.bytes('message', 18).toString('base64url'),
    paymentMethod: version === 'ECv1' && !funding ? 'TOKENIZED_CARD' : 'CARD',
    paymentMethodDetails: version === 'ECv1' ? oldDetails(request, funding, random) : details(request, funding, random),
  })
}

/** `amount-major` is in whole units: 1 for 1.99. */
function amountOf({ order, fault }: MintRequest): bigint {
  if (order === null) return 0n
  if (fault?.fault !== 'amount-major') return order.amountMinor
  return order.amountMinor / 10n ** BigInt(exponentOf(order.currency) ?? 0)
}

function proofOf({ dataType, eci, version }: MintRequest, random: Randomness): object {
  if (dataType === 'EMV') {
    return {
      emvData: random.bytes('emv', 64).toString('base64'),
      ...(version === 'RSA_v1' && { encryptedPINData: random.bytes('pin', 8).toString('hex') }),
    }
  }
  const indicator = eci ?? '7'
  return {
    onlinePaymentCryptogram: cryptogramOf(random),
    ...(indicator !== '' && { eciIndicator: indicator }),
  }
}

function details({ card, eci }: MintRequest, funding: boolean, random: Randomness): object {
  const indicator = eci ?? '07'
  const common = { expirationMonth: cardExpiry.month, expirationYear: cardExpiry.year }
  if (funding) return { authMethod: 'PAN_ONLY', pan: card.fpan, ...common }
  return {
    authMethod: 'CRYPTOGRAM_3DS',
    pan: card.dpan,
    ...common,
    cryptogram: cryptogramOf(random),
    ...(indicator !== '' && { eciIndicator: indicator }),
  }
}

/** The older version has its own names, and does not say how a funding number was confirmed. */
function oldDetails({ card, eci }: MintRequest, funding: boolean, random: Randomness): object {
  const indicator = eci ?? '07'
  const common = { expirationMonth: cardExpiry.month, expirationYear: cardExpiry.year }
  if (funding) return { pan: card.fpan, ...common }
  return {
    authMethod: '3DS',
    dpan: card.dpan,
    ...common,
    '3dsCryptogram': cryptogramOf(random),
    ...(indicator !== '' && { '3dsEciIndicator': indicator }),
  }
}

const cryptogramOf = (random: Randomness): string => random.bytes('cryptogram', 20).toString('base64')

/** Our words into those of the sandbox acquirer. Fields that say nothing are left out. */
import type {
  BrandPayment,
  CardData,
  DecryptedWallet,
  ExternalThreeDs,
  FollowUp,
  Order,
  WalletPayment,
} from '../connector.ts'

export type FirstStep = 'sale' | 'authorize' | 'debit' | 'credit' | 'transfer'
export type LaterStep = 'capture' | 'refund' | 'reverse' | 'void'

export function fromOrder(type: FirstStep, mid: string, order: Order): Readonly<Record<string, unknown>> {
  const recurring = recurringOf(order)
  return {
    type,
    mid,
    payment_id: order.paymentId,
    order_id: order.orderId,
    ...(order.amountMinor !== null && { amount: String(order.amountMinor) }),
    currency: order.currency,
    ...methodFields(type, order),
    ...(order.payerExtraDetails && {
      payer_extra_details: { accept_headers: order.payerExtraDetails.acceptHeaders },
    }),
    ...(order.moto && { moto: true }),
    ...(!order.payerPresent && { payer_present: false }),
    ...(order.threeDs && { external_3ds: threeDsOf(order.threeDs) }),
    ...(recurring && { recurring }),
    ...(order.networkTransactionId && { network_transaction_id: order.networkTransactionId }),
    ...(order.storedCredential?.reference && { stored_credential: order.storedCredential.reference }),
    ...(order.registerCard && { register_card: true }),
    ...(order.returnUrl && { return_url: order.returnUrl }),
    ...(order.merchantName && { merchant: order.merchantName }),
    descriptor: order.descriptor,
  }
}

export function fromFollowUp(type: LaterStep, mid: string, followUp: FollowUp): Readonly<Record<string, unknown>> {
  return {
    type,
    mid,
    payment_id: followUp.paymentId,
    original_transaction_id: followUp.originalTransactionId,
    ...(followUp.reference && { reference: followUp.reference }),
    amount: String(followUp.amountMinor),
    currency: followUp.currency,
  }
}

/** A token goes on as it came, byte for byte, and without the number that it may have been found to hold. */
function methodFields(type: FirstStep, order: Order): Readonly<Record<string, unknown>> {
  const { brand, wallet } = order
  return {
    ...(wallet?.token ? {} : cardsOf(type, order)),
    ...(wallet && { wallet: walletOf(wallet) }),
    ...(brand && { brand: brandOf(brand), parameters: order.parameters }),
  }
}

/** A payout has only a recipient, and no expiry is known of that card. */
function cardsOf(type: FirstStep, { card, payeeCard }: Order): Readonly<Record<string, unknown>> {
  if (!card) return {}
  if (type === 'credit') return { payee_card: (payeeCard ?? card.number).reveal() }
  return { card: cardOf(card), ...(payeeCard && { payee_card: payeeCard.reveal() }) }
}

function walletOf({ name, token, decrypted }: WalletPayment): Readonly<Record<string, unknown>> {
  if (token) return { name, token: token.reveal() }
  return { name, ...(decrypted && decryptedOf(decrypted)) }
}

function decryptedOf(decrypted: DecryptedWallet): Readonly<Record<string, unknown>> {
  const { panType, dataType, cryptogram, eci, emvData, pinData, merchantToken } = decrypted
  return {
    pan_type: panType,
    data_type: dataType,
    ...(cryptogram && { cryptogram: cryptogram.reveal() }),
    ...(eci && { eci }),
    ...(emvData && { emv_data: emvData.reveal() }),
    ...(pinData && { pin_data: pinData.reveal() }),
    ...(merchantToken && { merchant_token: merchantToken.reveal() }),
  }
}

function brandOf(brand: BrandPayment): Readonly<Record<string, unknown>> {
  return {
    code: brand.code,
    kind: brand.kind,
    ...(brand.sandboxBehaviour && { behaviour: brand.sandboxBehaviour }),
    ...(brand.identifier && { identifier: brand.identifier }),
    ...(brand.cryptoNetwork && { crypto_network: brand.cryptoNetwork }),
    expires_at: brand.expiresAt.toISOString(),
  }
}

function cardOf(card: CardData): Readonly<Record<string, unknown>> {
  return {
    number: card.number.reveal(),
    exp_month: card.expiryMonth,
    exp_year: card.expiryYear,
    ...(card.verificationCode && { cvv: card.verificationCode.reveal() }),
  }
}

function threeDsOf(threeDs: ExternalThreeDs): Readonly<Record<string, unknown>> {
  return {
    eci: threeDs.eci,
    authentication_value: threeDs.authenticationValue.reveal(),
    ds_trans_id: threeDs.dsTransId,
    version: threeDs.version,
    ...(threeDs.transStatus && { trans_status: threeDs.transStatus }),
    ...(threeDs.xid && { xid: threeDs.xid }),
  }
}

/** A saved card that is used again is no recurring payment, though its credential is stored. */
function recurringOf({ recurringInit, storedCredential }: Order): 'initial' | 'subsequent' | undefined {
  if (recurringInit) return 'initial'
  if (storedCredential?.sequence !== 'subsequent' || storedCredential.source === 'card_token') return undefined
  return 'subsequent'
}

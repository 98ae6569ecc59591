/**
 * What is charged: a card's number, a wallet's network token, a token of Stripe or a card that is registered there.
 *
 * Some need a request before the charge: a customer to register the card for, or a token in place of the wallet's. Neither moves money, so
 * that a failure there means that the charge was not executed.
 */

import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import type { CardData, DecryptedWallet, Order, Outcome, WalletPayment } from '../connector.ts'
import { catalogueBrandOf } from '../order.ts'
import { notExecuted } from '../outcome.ts'
import { formBody, WireFault, type WireReply } from '../wire.ts'
import type { StripeWire } from './credentials.ts'
import { toFailure } from './failure.ts'

export type Source =
  | { readonly kind: 'card'; readonly card: CardData; readonly customer: string | null }
  | {
      readonly kind: 'network-token'
      readonly card: CardData
      readonly wallet: WalletPayment['name']
      readonly decrypted: DecryptedWallet
    }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'registered'; readonly customer: string; readonly paymentMethod: string }

type Prepared =
  | { readonly kind: 'ready'; readonly source: Source }
  | { readonly kind: 'refused'; readonly outcome: Outcome }

const ready = (source: Source): Prepared => ({ kind: 'ready', source })
const refuse = (reason: string): Prepared => ({ kind: 'refused', outcome: notExecuted(reason) })

export async function prepareSource(order: Order, wire: StripeWire): Promise<Prepared> {
  const { card, wallet, storedCredential } = order
  if (catalogueBrandOf(order)) return refuse('This acquirer takes cards and device wallets only')
  const registered = storedCredential?.reference && readRegistration(storedCredential.reference)
  if (registered) return ready(registered)
  if (wallet?.token) return exchangeToken(wallet.name, wallet.token.reveal(), order, wire)
  if (!card || card.expiryMonth === null) return refuse('This acquirer takes cards and device wallets only')
  if (wallet?.decrypted?.panType === 'DPAN')
    return ready({ kind: 'network-token', card, wallet: wallet.name, decrypted: wallet.decrypted })
  return order.registerCard ? registerFor(order, card, wire) : ready({ kind: 'card', card, customer: null })
}

const registration = /^(?<customer>cus_\w+)\/(?<paymentMethod>\w+)$/

/** How a registered card is stored with us. Null for a reference that is not of this form. */
function readRegistration(reference: string): Source | null {
  const { customer, paymentMethod } = registration.exec(reference)?.groups ?? {}
  return customer && paymentMethod ? { kind: 'registered', customer, paymentMethod } : null
}

/** Only a payment method that belongs to a customer can be charged again. */
async function registerFor(order: Order, card: CardData, wire: StripeWire): Promise<Prepared> {
  const fields = { metadata: { payment_id: order.paymentId } }
  const reply = await prepare(() =>
    wire.post('/v1/customers', formBody(fields), { idempotencyKey: `${order.transactionId}-customer` }),
  )
  const customer = createdSchema.safeParse(reply.json()).data?.id
  if (reply.status !== 200 || !customer?.startsWith('cus_')) return refusedPreparation(reply)
  return ready({ kind: 'card', card, customer })
}

const createdSchema = z.object({ id: z.string() })

const walletASchema = z.object({
  paymentData: z.looseObject({}).optional(),
  paymentMethod: z.object({ displayName: z.string().optional(), network: z.string().optional() }).optional(),
  transactionIdentifier: z.string().optional(),
})

async function exchangeToken(
  name: WalletPayment['name'],
  text: string,
  { transactionId }: Order,
  wire: StripeWire,
): Promise<Prepared> {
  if (name === 'walletbpay') return ownTokenOf(text)
  const { paymentData, paymentMethod, transactionIdentifier } = walletASchema.safeParse(parseJson(text)).data ?? {}
  const fields = {
    pk_token: paymentData ? JSON.stringify(paymentData) : text,
    pk_token_instrument_name: paymentMethod?.displayName,
    pk_token_payment_network: paymentMethod?.network,
    pk_token_transaction_id: transactionIdentifier,
  }
  const reply = await prepare(() =>
    wire.post('/v1/tokens', formBody(fields), { idempotencyKey: `${transactionId}-token` }),
  )
  const token = createdSchema.safeParse(reply.json()).data?.id
  if (reply.status !== 200 || !token?.startsWith('tok_')) return refusedPreparation(reply)
  return ready({ kind: 'token', token })
}

/** Wallet B encrypts for one gateway. Encrypted for Stripe, its token is Stripe's own already. */
function ownTokenOf(text: string): Prepared {
  const token = createdSchema.safeParse(parseJson(text)).data?.id
  if (!token?.startsWith('tok_')) return refuse('This acquirer takes the token of this wallet only decrypted')
  return ready({ kind: 'token', token })
}

/** Whatever became of this request, the charge was not sent. */
async function prepare(send: () => Promise<WireReply>): Promise<WireReply> {
  try {
    return await send()
  } catch (fault) {
    if (!(fault instanceof WireFault)) throw fault
    throw new WireFault(fault.message, { sent: false, isBug: fault.isBug, cause: fault })
  }
}

function refusedPreparation(reply: WireReply): Prepared {
  const outcome = toFailure(reply, null)
  if (outcome.result === 'declined' || outcome.result === 'not-executed') return { kind: 'refused', outcome }
  return refuse('The acquirer did not accept the payment method')
}

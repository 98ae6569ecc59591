/** What some acquirers want to be asked for before a charge: an access token, a session, an order, a customer, a token of the card. None of it moves money. */
import { z } from 'zod'
import type { Order } from '../connector.ts'
import { WireFault } from '../wire.ts'
import {
  addressOf,
  cardOf,
  customerOf,
  moneyOf,
  nameOf,
  preparedParts,
  referenceOf,
  secretText,
} from './messages/order.ts'
import { type FlowRequest, type PrismLink, performFlow } from './perform.ts'
import type { Prepared } from './prepared.ts'
import type { Preparation } from './table/row.ts'

const tokenSchema = z.object({
  accessToken: z.object({ value: z.string().min(1) }),
  tokenType: z.string().nullish(),
  expiresInSeconds: z.coerce.number().nullish(),
})

/** For every request of an acquirer that wants one. */
export async function withAccessToken(link: PrismLink): Promise<Prepared> {
  if (!link.row.before.includes('access-token')) return {}
  const held = link.held.get()
  if (held) return { accessToken: held }
  const { accessToken, tokenType, expiresInSeconds } = await ask(link, tokenSchema, {
    flow: 'create_server_authentication_token',
    message: { merchantAccessTokenId: 'gatehouse', testMode: link.mode === 'test' },
  })
  const token = { value: accessToken.value, type: tokenType ?? 'Bearer' }
  link.held.hold(token.value, token.type, expiresInSeconds ?? 300)
  return { accessToken: token }
}

/** For a charge. Throws `WireFault` with `sent: false`: the charge itself has not left. */
export async function prepareCharge(link: PrismLink, order: Order): Promise<Prepared> {
  let prepared = await withAccessToken(link)
  for (const step of link.row.before) {
    if (step === 'access-token') continue
    if (step === 'own-customer') {
      prepared = { ...prepared, customerId: ownCustomerId(order) }
      continue
    }
    const request = preparationRequest(step, order, prepared)
    const brought = broughtBy(step, await ask(link, answerSchema, request))
    if (brought === null) throw faultUnanswered(request)
    prepared = { ...prepared, ...brought }
  }
  return prepared
}

/** Where an acquirer keeps no customers of its own, and wants a name for the payer. */
export const ownCustomerId = ({ paymentId }: Pick<Order, 'paymentId'>): string => paymentId.replaceAll('-', '')

/** Those that are fetched. */
export type FetchedPreparation = Exclude<Preparation, 'own-customer'>

/** The requests of preparations, as the probe of the package builds them too. */
export function preparationRequest(step: FetchedPreparation, order: Order, prepared: Prepared): FlowRequest {
  const parts = { testMode: order.mode === 'test', ...preparedParts(prepared) }
  const amount = moneyOf(order.amountMinor ?? 0n, order.currency)
  const reference = referenceOf(order)
  const address = { billingAddress: addressOf(order.payer) }
  switch (step) {
    case 'access-token':
      return {
        flow: 'create_server_authentication_token',
        message: { merchantAccessTokenId: 'gatehouse', testMode: order.mode === 'test' },
      }
    case 'session':
      return {
        flow: 'create_server_session_authentication_token',
        message: { ...parts, merchantServerSessionId: reference, payment: { amount } },
      }
    case 'order':
      return { flow: 'create_order', message: { ...parts, merchantOrderId: reference, amount } }
    case 'customer':
      return {
        flow: 'customer_create',
        message: {
          ...parts,
          merchantCustomerId: ownCustomerId(order),
          customerName: nameOf(order.payer),
          ...(order.payer.email && { email: secretText(order.payer.email) }),
          address,
        },
      }
    case 'card-token':
      return {
        flow: 'tokenize',
        message: {
          ...parts,
          merchantPaymentMethodId: reference,
          amount,
          paymentMethod: order.card === null ? {} : { card: cardOf(order.card) },
          customer: customerOf(order, prepared),
          address,
          ...(order.returnUrl !== null && { returnUrl: order.returnUrl }),
        },
      }
  }
}

const text = z.string().min(1)
const answerSchema = z.object({
  sessionToken: text.nullish(),
  connectorOrderId: text.nullish(),
  connectorCustomerId: text.nullish(),
  paymentMethodToken: text.nullish(),
})

/** Reads the value that a preparation fetched; null if its answer lacks it. */
function broughtBy(step: FetchedPreparation, answer: z.infer<typeof answerSchema>): Prepared | null {
  const {
    sessionToken,
    connectorOrderId: orderId,
    connectorCustomerId: customerId,
    paymentMethodToken: cardToken,
  } = answer
  if (step === 'session') return sessionToken ? { sessionToken } : null
  if (step === 'order') return orderId ? { orderId } : null
  if (step === 'customer') return customerId ? { customerId } : null
  return cardToken ? { cardToken } : null
}

/** Whatever became of it, the charge has not been sent. */
async function ask<Value>(link: PrismLink, schema: z.ZodType<Value>, request: FlowRequest): Promise<Value> {
  const reading = await performFlow(link, request).catch((fault: unknown) => {
    throw new WireFault(fault instanceof WireFault ? fault.message : 'A step before the charge failed.', {
      sent: false,
      isBug: fault instanceof WireFault && fault.isBug,
      cause: fault,
    })
  })
  const parsed = reading.kind === 'read' ? schema.safeParse(reading.answer) : null
  if (parsed?.success) return parsed.data
  throw faultUnanswered(request)
}

const faultUnanswered = ({ flow }: FlowRequest): WireFault =>
  new WireFault(`The acquirer did not answer "${flow.replaceAll('_', ' ')}".`, { sent: false })

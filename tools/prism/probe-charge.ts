/** How an acquirer is charged: what has to be there before, and whether it takes the card from us or a brand. */
import type { Mode } from '#domain/merchant.ts'
import type { Order } from '#server/connectors/connector.ts'
import { brandMethods } from '#server/connectors/prism/messages/brand.ts'
import { type ChargedTerms, chargeMessage, secretText } from '#server/connectors/prism/messages/order.ts'
import { paymentMethodOf } from '#server/connectors/prism/messages/payment-method.ts'
import { type FetchedPreparation, preparationRequest } from '#server/connectors/prism/prepare.ts'
import type { Prepared } from '#server/connectors/prism/prepared.ts'
import type { AcquirerTerms, Preparation, PrismAbility } from '#server/connectors/prism/table/row.ts'
import type { BuiltRequest, PrismFlow } from '#server/connectors/prism/transformer/protocol.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import type { JsonObject } from '#server/contracts/json.ts'
import { sampleAccessToken, sampleOrder } from './samples.ts'

export interface SampleRequest {
  readonly flow: PrismFlow
  readonly message: JsonObject
}

export type Build = (request: SampleRequest, mode?: Mode) => ReturnType<Transformer['build']>

/** A way to charge that the package built. */
export interface ChargeWay {
  readonly before: readonly Preparation[]
  readonly currency: string
  /** Null where the acquirer takes cards. */
  readonly methods: readonly string[] | null
}

/** What is there before, from the least to the most. */
const ways: readonly (readonly Preparation[])[] = [
  [],
  ['access-token'],
  ['own-customer'],
  ['access-token', 'own-customer'],
  ['session'],
  ['order'],
  ['access-token', 'order'],
  ['customer', 'order'],
  ['card-token'],
  ['access-token', 'card-token'],
  ['customer', 'card-token'],
]

const currencies = ['EUR', 'USD', 'GBP', 'INR', 'BRL', 'CAD', 'SAR'] as const

/** Their requests are encrypted, so that the card cannot be seen in them. */
const encrypted: ReadonlySet<string> = new Set(['twocTwopPaco', 'fiservcommercehub'])

/** Their requests are the same whatever the payer pays with: it is chosen on their page. */
const ownPages: Readonly<Record<string, string>> = { revolut: 'revolut-pay' }

export const preparedFor = (before: readonly Preparation[]): Prepared => ({
  ...(before.includes('access-token') && { accessToken: { value: sampleAccessToken, type: 'Bearer' } }),
  ...(before.includes('session') && { sessionToken: 'sample-session' }),
  ...(before.includes('order') && { orderId: 'sample-order' }),
  ...((before.includes('customer') || before.includes('own-customer')) && { customerId: 'sample-customer' }),
  ...(before.includes('card-token') && { cardToken: 'ct_sample_card_token' }),
})

export const preparationRequests = (before: readonly Preparation[], order: Order): readonly SampleRequest[] =>
  before
    .filter((step): step is FetchedPreparation => step !== 'own-customer')
    .map((step) => preparationRequest(step, order, preparedFor(before.slice(0, before.indexOf(step)))))

interface Wish {
  readonly before: readonly Preparation[]
  readonly isCaptured?: boolean
  readonly method?: string
  /** The form of a wallet that is tried. */
  readonly form?: PrismAbility
  /** In place of one that was fetched. */
  readonly customerId?: string
  readonly terms: ChargedTerms
}

export function chargeRequest(order: Order, wish: Wish): SampleRequest {
  const { before, isCaptured = true, method, form, customerId, terms } = wish
  const prepared = { ...preparedFor(before), ...(customerId !== undefined && { customerId }) }
  const message = chargeMessage(order, {
    isCaptured,
    prepared,
    ownThreeDs: order.payerPresent && order.browser !== null,
    terms,
  })
  if (prepared.cardToken !== undefined)
    return { flow: 'token_authorize', message: { ...message, connectorToken: secretText(prepared.cardToken) } }
  const paymentMethod =
    method === undefined ? paymentMethodOf(order, form ? [form] : []) : brandMethods[method]?.(order)
  return { flow: 'authorize', message: { ...message, paymentMethod: paymentMethod ?? {} } }
}

/** The reason if there is none. */
export async function findChargeWay(build: Build, name: string, terms: AcquirerTerms): Promise<ChargeWay | string> {
  let reason = 'nothing is built'
  for (const before of ways)
    for (const currency of currencies) {
      const order = sampleOrder({ currency })
      const sale = await build(chargeRequest(order, { before, terms }))
      if (sale.kind === 'refused') {
        if (before.length === 0 && currency === 'EUR') reason = `${sale.refusal.code} ${sale.refusal.message}`
        continue
      }
      if (!encrypted.has(name) && !showsCard(sale.value, before)) continue
      if (await arePrepared(build, before, order)) return { before, currency, methods: null }
    }
  for (const before of ways.filter((one) => !one.includes('card-token')))
    for (const currency of currencies) {
      const methods = await builtMethods(build, name, { before, currency, terms })
      if (methods.length === 0) continue
      if (await arePrepared(build, before, sampleOrder({ currency }))) return { before, currency, methods }
    }
  return reason
}

async function builtMethods(
  build: Build,
  name: string,
  { before, currency, terms }: Pick<Wish, 'before' | 'terms'> & { readonly currency: string },
): Promise<readonly string[]> {
  const built: string[] = []
  for (const method of Object.keys(brandMethods)) {
    const result = await build(chargeRequest(sampleBrandOrder(currency), { before, method, terms }))
    if (result.kind === 'done') built.push(method)
  }
  const own = ownPages[name]
  if (own !== undefined) return built.filter((method) => method === own)
  return built.length > 12 ? [] : built
}

export const sampleBrandOrder = (currency: string, code = 'sample'): Order =>
  sampleOrder({
    currency,
    card: null,
    brand: {
      code,
      kind: 'redirect',
      identifier: null,
      cryptoNetwork: null,
      sandboxBehaviour: null,
      expiresAt: new Date('2026-03-01T13:00:00Z'),
    },
  })

async function arePrepared(build: Build, before: readonly Preparation[], order: Order): Promise<boolean> {
  const results = await Promise.all(preparationRequests(before, order).map((request) => build(request)))
  return results.every(({ kind }) => kind === 'done')
}

/** As it is, or inside something that the acquirer wants in base64. */
function showsCard({ body }: BuiltRequest, before: readonly Preparation[]): boolean {
  const sought = before.includes('card-token') ? 'ct_sample_card_token' : '4111111111111111'
  const text = body?.toString('utf8') ?? ''
  if (text.includes(sought)) return true
  return [...text.matchAll(/[A-Za-z0-9+/=_-]{24,}/g)].some(([part]) => Buffer.from(part, 'base64').includes(sought))
}

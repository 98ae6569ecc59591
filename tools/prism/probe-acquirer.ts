/** What the package builds for one acquirer, found by giving it samples of every flow. */
import type { Mode } from '#domain/merchant.ts'
import { secret } from '#domain/secret.ts'
import type { Order } from '#server/connectors/connector.ts'
import { valuesOf } from '#server/connectors/prism/body-values.ts'
import {
  captureMessage,
  getMessage,
  refundGetMessage,
  refundMessage,
  voidMessage,
} from '#server/connectors/prism/messages/later-step.ts'
import { chargeMessage, paymentMethodOf, secretText } from '#server/connectors/prism/messages/order.ts'
import { preparationRequest } from '#server/connectors/prism/prepare.ts'
import type { Prepared } from '#server/connectors/prism/prepared.ts'
import type { Preparation, PrismAbility, ProbedRow, ReadBack } from '#server/connectors/prism/table/row.ts'
import type { BuiltRequest, PrismFlow } from '#server/connectors/prism/transformer/protocol.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import type { JsonObject } from '#server/contracts/json.ts'
import type { ConfigurationField } from './configuration-fields.ts'
import { sampleCredential, sampleFollowUp, sampleOrder, sampleQuery } from './samples.ts'

type Probed = { readonly kind: 'row'; readonly row: ProbedRow } | { readonly kind: 'unusable'; readonly reason: string }

/** What is fetched before, from the least to the most. */
const ways: readonly (readonly Preparation[])[] = [
  [],
  ['access-token'],
  ['session'],
  ['order'],
  ['access-token', 'order'],
  ['card-token'],
  ['access-token', 'card-token'],
  ['customer', 'card-token'],
]

const fetched: Prepared = {
  accessToken: { value: 'sample-access-token', type: 'Bearer' },
  sessionToken: 'sample-session',
  orderId: 'sample-order',
  customerId: 'sample-customer',
  cardToken: 'ct_sample_card_token',
}

export async function probeAcquirer(
  transformer: Transformer,
  name: string,
  fields: readonly ConfigurationField[],
): Promise<Probed> {
  const usable = fields.filter(({ type }) => /^(types\.ISecretString|string)\|null$/.test(type))
  const config = { [name]: Object.fromEntries(usable.map((one) => [one.name, sampleCredential(one)])) }
  const build = async (flow: PrismFlow, request: JsonObject, mode: Mode = 'test') =>
    transformer.build({ flow, mode, config, request })
  let reason = 'nothing is built'
  for (const before of ways) {
    for (const currency of ['EUR', 'USD', 'GBP', 'INR', 'BRL']) {
      const order = sampleOrder({ currency })
      const charge = (changes: Partial<Order> = {}, isCaptured = true) =>
        chargeRequest({ ...order, ...changes }, before, isCaptured)
      const { flow, message } = charge()
      const sale = await build(flow, message)
      if (sale.kind === 'refused') {
        if (before.length === 0 && currency === 'EUR') reason = `${sale.refusal.code} ${sale.refusal.message}`
        continue
      }
      if (!showsCard(sale.value, before)) {
        reason = 'the card is not in the request: the payer would enter it on a page of the acquirer'
        continue
      }
      const prepared = await Promise.all(
        before
          .map((one) => preparationRequest(one, order, preparedFor(before)))
          .map((one) => build(one.flow, one.message)),
      )
      if (prepared.some(({ kind }) => kind === 'refused')) continue
      const found = await describe({ build, charge, order, before })
      return { kind: 'row', row: { fields: usable.map(asField), before, ...found } }
    }
  }
  return { kind: 'unusable', reason: reason.slice(0, 160) }
}

const asField = ({ name, type }: ConfigurationField) => ({ name, isSecret: type.includes('SecretString') })

const preparedFor = (before: readonly Preparation[]): Prepared => ({
  ...(before.includes('access-token') && fetched.accessToken && { accessToken: fetched.accessToken }),
  ...(before.includes('session') && { sessionToken: 'sample-session' }),
  ...(before.includes('order') && { orderId: 'sample-order' }),
  ...(before.includes('customer') && { customerId: 'sample-customer' }),
  ...(before.includes('card-token') && { cardToken: 'ct_sample_card_token' }),
})

function chargeRequest(order: Order, before: readonly Preparation[], isCaptured: boolean) {
  const prepared = preparedFor(before)
  const message = chargeMessage(order, {
    isCaptured,
    prepared,
    ownThreeDs: order.payerPresent && order.browser !== null,
  })
  if (prepared.cardToken !== undefined)
    return { flow: 'token_authorize', message: { ...message, connectorToken: secretText(prepared.cardToken) } } as const
  return { flow: 'authorize', message: { ...message, paymentMethod: paymentMethodOf(order) ?? {} } } as const
}

/** As it is, or inside something that the acquirer wants in base64. */
function showsCard({ body }: BuiltRequest, before: readonly Preparation[]): boolean {
  const sought = before.includes('card-token') ? 'ct_sample_card_token' : '4111111111111111'
  const text = body?.toString('utf8') ?? ''
  if (text.includes(sought)) return true
  return [...text.matchAll(/[A-Za-z0-9+/=_-]{24,}/g)].some(([part]) => Buffer.from(part, 'base64').includes(sought))
}

interface Samples {
  readonly build: (flow: PrismFlow, request: JsonObject, mode?: Mode) => ReturnType<Transformer['build']>
  readonly charge: (changes?: Partial<Order>, isCaptured?: boolean) => { flow: PrismFlow; message: JsonObject }
  readonly order: Order
  readonly before: readonly Preparation[]
}

async function describe(samples: Samples): Promise<Pick<ProbedRow, 'hosts' | 'abilities' | 'readBack'>> {
  const { order, before } = samples
  const { accessToken } = preparedFor(before)
  const prepared: Prepared = accessToken ? { accessToken } : {}
  const step = (amountMinor: bigint) => sampleFollowUp({ amountMinor, currency: order.currency })
  const query = sampleQuery({ currency: order.currency })
  const sale = samples.charge()
  const requests: readonly (readonly [PrismAbility, { flow: PrismFlow; message: JsonObject }])[] = [
    ['sale', sale],
    ['authorize', samples.charge({}, false)],
    ['capture', { flow: 'capture', message: captureMessage(step(1234n), prepared) }],
    ['void', { flow: 'void', message: voidMessage(step(1234n), prepared) }],
    ['refund', { flow: 'refund', message: refundMessage(step(1234n), prepared) }],
    ['get', { flow: 'get', message: getMessage(query, '987654321', prepared) }],
    ['refund-get', { flow: 'refund_get', message: refundGetMessage(query, '555666777', prepared) }],
  ]
  const abilities: PrismAbility[] = []
  const hosts: Record<Mode, Set<string>> = { live: new Set(), test: new Set() }
  const all = [
    ...requests.map(([, one]) => one),
    ...before.map((one) => preparationRequest(one, order, preparedFor(before))),
  ]
  for (const [ability, { flow, message }] of requests)
    if ((await samples.build(flow, message)).kind === 'done') abilities.push(ability)
  for (const mode of ['live', 'test'] as const)
    for (const { flow, message } of all) {
      const built = await samples.build(flow, message, mode)
      if (built.kind === 'done' && URL.canParse(built.value.url)) hosts[mode].add(new URL(built.value.url).origin)
    }
  for (const [ability, changes] of variants)
    if (await differs(samples, sale, samples.charge(changes))) abilities.push(ability)
  return {
    hosts: { live: liveHosts(hosts), test: [...hosts.test] },
    abilities,
    readBack: {
      ...(await readBackOf(samples, 'sale', (amountMinor, currency) => samples.charge({ amountMinor, currency }))),
      ...(await readBackOf(samples, 'authorize', (amountMinor, currency) =>
        samples.charge({ amountMinor, currency }, false),
      )),
      ...(await readBackOf(samples, 'capture', (amountMinor) => ({
        flow: 'capture',
        message: captureMessage(step(amountMinor), prepared),
      }))),
      ...(await readBackOf(samples, 'refund', (amountMinor) => ({
        flow: 'refund',
        message: refundMessage(step(amountMinor), prepared),
      }))),
    },
  }
}

const decrypted = {
  panType: 'DPAN',
  dataType: '3DSecure',
  eci: '05',
  emvData: null,
  pinData: null,
  merchantToken: null,
} as const

/** What an order may bring along. The acquirer gets it if the request differs. */
const variants: readonly (readonly [PrismAbility, Partial<Order>])[] = [
  [
    'network-token',
    {
      wallet: {
        name: 'walletapay',
        token: null,
        decrypted: { ...decrypted, cryptogram: secret('AgAAAAAABk4DWZ4C28yUQAAAAAA=') },
      },
    },
  ],
  [
    'external-three-ds',
    {
      threeDs: {
        eci: '05',
        authenticationValue: secret('AAABBJg0VhI0VniQEjRWAAAAAAA='),
        dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
        version: '2.2.0',
        transStatus: 'Y',
        xid: null,
      },
    },
  ],
  ['moto', { moto: true, payerPresent: false }],
]

async function differs(
  { build }: Samples,
  plain: { flow: PrismFlow; message: JsonObject },
  other: { flow: PrismFlow; message: JsonObject },
): Promise<boolean> {
  const [one, two, again] = await Promise.all([
    build(plain.flow, plain.message),
    build(other.flow, other.message),
    build(plain.flow, plain.message),
  ])
  if (one.kind === 'refused' || two.kind === 'refused' || again.kind === 'refused') return false
  // Times and random values differ from request to request: only what is the same twice counts.
  const before = new Map([...valuesOf(one.value)].filter(([path, value]) => valuesOf(again.value).get(path) === value))
  const after = valuesOf(two.value)
  const steady = [...before].filter(([path]) => valuesOf(one.value).get(path) === before.get(path))
  const changed = steady.some(([path, value]) => after.get(path) !== value)
  const added = [...after.keys()].some((path) => !valuesOf(one.value).has(path))
  return changed || added
}

/** A test host that the package also gives for live is none of live. */
function liveHosts({ live, test }: Readonly<Record<Mode, ReadonlySet<string>>>): readonly string[] {
  return [...live].filter(
    (origin) =>
      !(test.has(origin) && /sandbox|test|cert|stag|demo|uat|preprod|mock/i.test(origin)) && !origin.includes('{'),
  )
}

/** The one place where the amount stands, in one of two units; none if there are several readings. */
async function readBackOf(
  { build, order }: Samples,
  name: 'sale' | 'authorize' | 'capture' | 'refund',
  requestOf: (amountMinor: bigint, currency: string) => { flow: PrismFlow; message: JsonObject },
): Promise<Readonly<Record<string, ReadBack>>> {
  const bodies: ReadonlyMap<string, string>[] = []
  for (const amountMinor of [1234n, 76543n]) {
    const { flow, message } = requestOf(amountMinor, order.currency)
    const built = await build(flow, message)
    if (built.kind === 'refused') return {}
    bodies.push(valuesOf(built.value))
  }
  const [one, two] = bodies
  if (!one || !two) return {}
  for (const [unit, first, second] of [
    ['minor', ['1234'], ['76543']],
    ['decimal', ['12.34'], ['765.43']],
  ] as const) {
    const amount = [...one].find(([path, value]) => value === first[0] && two.get(path) === second[0])?.[0]
    if (amount === undefined) continue
    const currency = [...one].find(
      ([path, value]) => value.toUpperCase() === order.currency && /curr|ccy/i.test(path),
    )?.[0]
    return { [name]: { amount, unit, ...(currency !== undefined && { currency }) } }
  }
  return {}
}

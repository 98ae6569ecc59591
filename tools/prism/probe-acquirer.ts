/** What the package builds for one acquirer, found by giving it samples of every flow. */
import type { Mode } from '#domain/merchant.ts'
import { secret } from '#domain/secret.ts'
import type { Order } from '#server/connectors/connector.ts'
import { valuesOf } from '#server/connectors/prism/body-values.ts'
import { configOf, formName } from '#server/connectors/prism/credentials.ts'
import {
  captureMessage,
  getMessage,
  refundGetMessage,
  refundMessage,
  voidMessage,
} from '#server/connectors/prism/messages/later-step.ts'
import { withShortReferences } from '#server/connectors/prism/messages/short-reference.ts'
import type { Prepared } from '#server/connectors/prism/prepared.ts'
import type { AcquirerTerms, PrismAbility, ProbedRow, ReadBack } from '#server/connectors/prism/table/row.ts'
import { acquirerTerms } from '#server/connectors/prism/table/terms.ts'
import type { Transformer } from '#server/connectors/prism/transformer/transformer.ts'
import type { ConfigurationField } from './configuration-fields.ts'
import { nestedFields } from './nested-fields.ts'
import {
  type Build,
  type ChargeWay,
  chargeRequest,
  findChargeWay,
  preparationRequests,
  preparedFor,
  type SampleRequest,
  sampleBrandOrder,
} from './probe-charge.ts'
import { noRepeats, probeRepeats } from './probe-repeat.ts'
import { differs } from './request-difference.ts'
import { sampleCryptogram, sampleFollowUp, sampleOrder, sampleQuery, sampleText, sampleWallet } from './samples.ts'

type Probed = { readonly kind: 'row'; readonly row: ProbedRow } | { readonly kind: 'unusable'; readonly reason: string }

const unusable = (reason: string): Probed => ({ kind: 'unusable', reason: reason.slice(0, 160) })

export async function probeAcquirer(
  transformer: Transformer,
  name: string,
  declared: readonly ConfigurationField[],
): Promise<Probed> {
  const fields = nestedFields[name] ?? declared.filter(isText).map(asField)
  const credentials = Object.fromEntries(fields.map((one) => [formName(one), sampleText(one.name, name)]))
  const terms = acquirerTerms[name] ?? { title: name }
  const build: Build = async ({ flow, message }, mode = 'test') => {
    const request = terms.shortReferences ? withShortReferences(message) : message
    return transformer.build({ flow, mode, config: configOf({ name, fields }, credentials, mode), request })
  }
  const way = await findChargeWay(build, name, terms)
  if (typeof way === 'string') return unusable(way)
  const found = await describe(build, way, { name, ...terms })
  if (way.methods && !found.abilities.includes('get'))
    return unusable('a payer who comes back could not be asked about')
  const { before, methods } = way
  return { kind: 'row', row: { fields, before, ...(methods && { methods }), ...found } }
}

const isText = ({ type }: ConfigurationField): boolean => /^(types\.ISecretString|string)\|null$/.test(type)
const asField = ({ name, type }: ConfigurationField) => ({ name, isSecret: type.includes('SecretString') })

interface Samples {
  readonly build: Build
  readonly charge: (changes?: Partial<Order> & { readonly form?: PrismAbility }, isCaptured?: boolean) => SampleRequest
  readonly currency: string
}

async function describe(
  build: Build,
  { before, currency, methods }: ChargeWay,
  { name, ...terms }: AcquirerTerms & { readonly name: string },
): Promise<Pick<ProbedRow, 'hosts' | 'abilities' | 'readBack'>> {
  const [method] = methods ?? []
  const order = method === undefined ? sampleOrder({ currency }) : sampleBrandOrder(currency, method)
  const charge: Samples['charge'] = ({ form, ...changes } = {}, isCaptured = true) =>
    chargeRequest(
      { ...order, ...changes },
      { before, isCaptured, terms, ...(method !== undefined && { method }), ...(form !== undefined && { form }) },
    )
  const samples: Samples = { build, charge, currency }
  const { accessToken } = preparedFor(before)
  const prepared: Prepared = accessToken ? { accessToken } : {}
  const step = (amountMinor: bigint) => sampleFollowUp({ amountMinor, currency })
  const query = sampleQuery({ currency })
  const sale = charge()
  const requests: readonly (readonly [PrismAbility, SampleRequest])[] = [
    ['sale', sale],
    ['authorize', charge({}, false)],
    ['capture', { flow: 'capture', message: captureMessage(step(1234n), prepared) }],
    ['void', { flow: 'void', message: voidMessage(step(1234n), prepared) }],
    ['refund', { flow: 'refund', message: refundMessage(step(1234n), prepared) }],
    ['get', { flow: 'get', message: getMessage(query, '987654321', prepared) }],
    ['refund-get', { flow: 'refund_get', message: refundGetMessage(query, '555666777', prepared) }],
  ]
  const abilities: PrismAbility[] = []
  const hosts: Record<Mode, Set<string>> = { live: new Set(), test: new Set() }
  const all = [...requests.map(([, one]) => one), ...preparationRequests(before, order)]
  for (const [ability, request] of requests) if ((await build(request)).kind === 'done') abilities.push(ability)
  if (await isAskedByReference(build, requests)) abilities.push('get-by-reference')
  for (const mode of ['live', 'test'] as const)
    for (const request of all) {
      const built = await build(request, mode)
      if (built.kind === 'done' && URL.canParse(built.value.url)) hosts[mode].add(new URL(built.value.url).origin)
    }
  for (const [ability, changes] of methods ? [] : variants)
    if (await isCarried(build, sale, charge({ ...changes, form: ability }))) abilities.push(ability)
  const repeats = methods ? noRepeats : await probeRepeats(build, { name, before, order, terms, prepared })
  abilities.push(...repeats.abilities)
  return {
    hosts: { live: liveHosts(hosts), test: [...hosts.test] },
    abilities,
    readBack: {
      ...(await readBackOf(samples, 'sale', (amountMinor) => charge({ amountMinor }))),
      ...(await readBackOf(samples, 'authorize', (amountMinor) => charge({ amountMinor }, false))),
      ...(await readBackOf(samples, 'capture', (amountMinor) => ({
        flow: 'capture',
        message: captureMessage(step(amountMinor), prepared),
      }))),
      ...(await readBackOf(samples, 'refund', (amountMinor) => ({
        flow: 'refund',
        message: refundMessage(step(amountMinor), prepared),
      }))),
      ...(repeats.requestOf && (await readBackOf(samples, 'repeat', repeats.requestOf))),
    },
  }
}

const cavv = 'AAABBJg0VhI0VniQEjRWAAAAAAA='
const proofs = [sampleCryptogram, cavv]

/** What an order may bring along. The acquirer gets it if the request differs. */
const variants: readonly (readonly [PrismAbility, Partial<Order>])[] = [
  ['network-token', { wallet: sampleWallet('walletapay') }],
  ['wallet-a', { wallet: sampleWallet('walletapay') }],
  ['wallet-b', { wallet: sampleWallet('walletbpay') }],
  [
    'external-three-ds',
    {
      threeDs: {
        eci: '05',
        authenticationValue: secret(cavv),
        dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
        version: '2.2.0',
        transStatus: 'Y',
        xid: null,
      },
    },
  ],
  ['moto', { moto: true, payerPresent: false }],
]

/** What proves an authentication or a device number must be in the request; of an order by telephone it is enough that the request differs. */
async function isCarried(build: Build, plain: SampleRequest, other: SampleRequest): Promise<boolean> {
  const proof = proofs.find((text) => JSON.stringify(other.message).includes(text))
  if (proof === undefined) return differs(build, plain, other)
  const built = await build(other)
  if (built.kind === 'refused') return false
  const text = built.value.body?.toString('utf8') ?? ''
  return [text, decodeURIComponent(text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, ''))].some((one) => one.includes(proof))
}

/** The question names our reference and not the acquirer's. */
async function isAskedByReference(
  build: Build,
  requests: readonly (readonly [PrismAbility, SampleRequest])[],
): Promise<boolean> {
  const get = requests.find(([ability]) => ability === 'get')?.[1]
  const built = get ? await build(get) : null
  if (built?.kind !== 'done') return false
  const text = `${built.value.url} ${built.value.body?.toString('utf8') ?? ''}`
  return text.includes('0199a1b2c3d47e5f8a6b000000000001') && !text.includes('987654321')
}

/** A test host that the package also gives for live is none of live. */
function liveHosts({ live, test }: Readonly<Record<Mode, ReadonlySet<string>>>): readonly string[] {
  return [...live].filter(
    (origin) =>
      !(test.has(origin) && /sandbox|test|cert|stag|demo|uat|preprod|mock/i.test(origin)) && !/\{|\.pre\./.test(origin),
  )
}

/** The one place where the amount stands, in one of two units; none if there are several readings. */
async function readBackOf(
  { build, currency: ours }: Samples,
  name: keyof ProbedRow['readBack'],
  requestOf: (amountMinor: bigint) => SampleRequest,
): Promise<Readonly<Record<string, ReadBack>>> {
  const bodies: ReadonlyMap<string, string>[] = []
  for (const amountMinor of [1234n, 76543n]) {
    const built = await build(requestOf(amountMinor))
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
    const currency = [...one].find(([path, value]) => value.toUpperCase() === ours && /curr|ccy/i.test(path))?.[0]
    return { [name]: { amount, unit, ...(currency !== undefined && { currency }) } }
  }
  return {}
}

/**
 * One payment that waits for its payer, with the real pages and without a database: the store is in memory, and calls of the operation are
 * recorded.
 */
import Fastify, { type FastifyInstance } from 'fastify'
import { errors } from '#domain/errors.ts'
import { defaultMapping, type MappingOptions } from '#domain/mapping.ts'
import type { LinkTarget } from '#domain/mid.ts'
import { bareFacts, unknownPerson } from '#domain/payment/testing/example-facts.ts'
import { secret } from '#domain/secret.ts'
import type { PayerStep, PaymentRecord, StoredFacts } from '#server/contracts/records.ts'
import { RefusedError } from '#server/contracts/refused-error.ts'
import type { Operations } from '#server/payments/index.ts'
import { type PayerPagesParts, payerPages } from '#server/protocols/payer-pages/index.ts'

/** The payment of test vectors 18 and 19, chapter 10 §4.4. */
export const transId = 'aaaff66a-904f-11ea-833e-0242ac1f0007'
export const key = '5f0c3a9be1d24c7786a1f2d0b3c4e5f6'
export const vector = {
  return: 'c00aa4d44437a5c8c053308cef1e3031d601ee960e1590eea967e38ca32914e4',
  md5: '209adb43e528c25aa7a4273df6bc405d',
  sha256: 'd7e6293029bb7b9d51dc19cb4d8930aaf71d130ee5d1f430b452030fb468a6bb',
}

type Visit = Parameters<Operations['handleVisit']>[0]
type Form = Pick<PayerStep, 'url' | 'method' | 'params'>

export interface PayerScene {
  readonly app: FastifyInstance
  /** Every visit that counted. */
  readonly visits: readonly Visit[]
}

export interface Staging {
  readonly facts?: StoredFacts
  readonly override?: LinkTarget
  readonly language?: string
  readonly options?: Partial<MappingOptions>
  readonly title?: string
  /** The payment was finished before the payer came. */
  readonly finished?: boolean
  /** Another page follows the visit. */
  readonly onwards?: Form
  /** The content of memory storage. */
  readonly stored?: Form
  readonly fails?: boolean
}

export async function payerScene(staging: Staging = {}): Promise<PayerScene> {
  const { finished = false, onwards, options, fails = false } = staging
  const payment = paymentOf(staging)
  const visits: Visit[] = []
  let waits = !finished
  let stored = staging.stored ?? null
  const admit = (at: { readonly paymentId: string; readonly key: string }): void => {
    if (fails) throw new Error('The database is away.')
    if (at.paymentId !== transId || at.key !== key) throw new RefusedError(errors.notIn3ds)
  }
  const operations: PayerPagesParts['operations'] = {
    findPayerStep: async (at) => {
      admit(at)
      return { payment, waits }
    },
    handleVisit: async (visit) => {
      admit(visit)
      if (waits) visits.push(visit)
      if (waits && onwards) return { to: 'form', payment, step: stepOf(onwards) }
      waits = false
      return { to: 'merchant', payment }
    },
    takeForm: async (at) => {
      admit(at)
      const step = waits && stored ? stepOf(stored) : null
      stored = null
      return { payment, waits, step }
    },
    facts: () => ({
      ...bareFacts,
      merchant: { ...bareFacts.merchant, title: staging.title ?? 'The Shop' },
      mid: staging.override
        ? { name: 'mid', connectorTitle: 'Acquirer', overrideLinkTarget: staging.override }
        : bareFacts.mid,
      payer: { ...unknownPerson, email: 'doe@example.com' },
      card: {
        mask: '411111******1111',
        pan10: '4111111111',
        expiryMonth: 5,
        expiryYear: 2038,
        network: 'visa',
        issuerCountry: null,
        issuerBank: null,
      },
    }),
  }
  const configuration: PayerPagesParts['configuration'] = {
    mapping: (merchantId) => ({ ...defaultMapping('S2S_CARD'), merchantId, ...options }),
    readSecrets: async () => ({
      password: secret('13a4822c5907ed235f3a068c76184fc3'),
      previous: null,
      webhookSecrets: [],
    }),
  }
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await app.register(payerPages({ operations, configuration, publicUrl: () => 'https://pay.example' }))
  return { app, visits }
}

/** Only the attributes that the pages read. */
const paymentOf = ({ facts, language = 'en' }: Staging): PaymentRecord =>
  ({
    id: transId,
    merchantId: 'merchant',
    protocol: 'S2S_CARD',
    orderId: 'ORDER-12345',
    status: 'SETTLED',
    holds: false,
    language,
    facts: { termUrl: 'https://shop.example.com/return', ...facts },
  }) as PaymentRecord

const stepOf = (form: Form): PayerStep => form as PayerStep

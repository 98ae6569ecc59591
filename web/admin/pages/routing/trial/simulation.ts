/** A hypothetical payment as form values and as request to the service. Empty fields are left out. */
import { fundings } from '#domain/issuer.ts'
import { type Protocol, protocols } from '#domain/merchant.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import type { Json } from '../../../api/api-types.ts'
import type { Body } from '../../../api/call.ts'
import { minorOf } from '../../../kit/values/amount.ts'
import { instantOf } from '../../../kit/values/instants.ts'

type SimulatedPayment = Body<'POST /routing/simulate'>['payment']

export const modes = ['live', 'test'] as const
export const kinds = ['sale', 'debit', 'credit', 'transfer'] as const
export const chains = ['none', 'init', 'charge'] as const
export const initiators = ['cardholder', 'merchant'] as const
export const panTypes = ['DPAN', 'FPAN'] as const
export const motoTypes = ['phone_moto', 'email_moto', 'default_moto', 'ecommerce'] as const
export { fundings, protocols, wallets }

export interface SimulationInput {
  readonly merchantId: string
  readonly mode: (typeof modes)[number]
  readonly amount: string
  readonly currency: string
  readonly bin: string
  readonly protocol: Protocol
  readonly kind: (typeof kinds)[number]
  readonly auth: boolean
  readonly recurring: (typeof chains)[number]
  readonly initiator: (typeof initiators)[number]
  readonly wallet: Wallet | ''
  readonly panType: (typeof panTypes)[number] | ''
  readonly brand: string
  readonly network: string
  readonly funding: string
  readonly issuerCountry: string
  readonly payerCountry: string
  readonly payerEmail: string
  readonly payerIp: string
  readonly motoType: string
  readonly channel: string
  /** `tier=gold`, one per line. */
  readonly customData: string
  /** The value of a datetime input. */
  readonly at: string
  readonly seed: string
}

export const emptySimulation: Omit<SimulationInput, 'merchantId' | 'mode'> = {
  amount: '10.00',
  currency: 'EUR',
  bin: '411111',
  protocol: 'S2S_CARD',
  kind: 'sale',
  auth: false,
  recurring: 'none',
  initiator: 'cardholder',
  wallet: '',
  panType: '',
  brand: '',
  network: '',
  funding: '',
  issuerCountry: '',
  payerCountry: '',
  payerEmail: '',
  payerIp: '',
  motoType: '',
  channel: '',
  customData: '',
  at: '',
  seed: '',
}

export const typedFaults = ({ merchantId, amount, currency }: SimulationInput) => ({
  merchantId: merchantId === '' ? 'Select a merchant.' : null,
  amount: minorOf(amount, currencyOf(currency)) === null ? 'Enter a valid amount in this currency.' : null,
})

export function simulatedPaymentOf(typed: SimulationInput): SimulatedPayment {
  const { merchantId, mode, protocol, kind, auth, recurring, initiator, panType, wallet } = typed
  const currency = currencyOf(typed.currency)
  const seed = typed.seed.trim()
  return {
    merchantId,
    mode,
    protocol,
    kind,
    auth,
    recurring,
    initiator,
    currency,
    amountMinor: minorOf(typed.amount, currency) ?? '',
    panType: panType || null,
    wallet: wallet || null,
    bin: textOrNull(typed.bin),
    brand: textOrNull(typed.brand),
    network: textOrNull(typed.network),
    funding: textOrNull(typed.funding),
    issuerCountry: textOrNull(typed.issuerCountry.toUpperCase()),
    payerCountry: textOrNull(typed.payerCountry.toUpperCase()),
    payerEmail: textOrNull(typed.payerEmail),
    payerIp: textOrNull(typed.payerIp),
    motoType: textOrNull(typed.motoType),
    channel: textOrNull(typed.channel),
    customData: customDataOf(typed.customData),
    at: instantOf(typed.at) ?? null,
    ...(seed === '' ? {} : { seed }),
  }
}

const textOrNull = (text: string): string | null => text.trim() || null

const currencyOf = (typed: string): string => typed.trim().toUpperCase()

function customDataOf(lines: string): Readonly<Record<string, Json>> | null {
  const pairs = lines.split('\n').flatMap((line): (readonly [string, string])[] => {
    const [key = '', ...rest] = line.split('=')
    return key.trim() === '' ? [] : [[key.trim(), rest.join('=').trim()]]
  })
  return pairs.length === 0 ? null : Object.fromEntries(pairs)
}

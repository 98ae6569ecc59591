/** Candidates and needs for the tests of routing: a MID that can do everything, and a plain card sale of 10.00 EUR. */
import { type MerchantMapping, type Mid, midActions, noLimit } from '../../mid.ts'
import type { Candidate } from '../candidate.ts'
import type { Need } from '../need.ts'

const plainMid: Mid = {
  id: 'mid-a',
  name: 'a',
  connector: 'sandbox',
  mode: 'live',
  enabled: true,
  paymentMode: 'SMS/DMS',
  currencies: [],
  networks: [],
  brands: [],
  cards: true,
  actions: midActions,
  payerFields: [],
  wallets: ['walletapay'],
  motoEnabled: true,
  cardOnFileEnabled: true,
  zeroAmount: true,
  cardFlow: true,
  acceptsDecrypted: true,
  overrideLinkTarget: null,
  descriptor: '',
  dayLimit: noLimit,
  monthLimit: noLimit,
  cutOff: '00:00',
  timeZone: 'UTC',
  autoCaptureHours: null,
}
const plainMapping: MerchantMapping = {
  id: 'mapping-a',
  merchantId: 'shop',
  midId: 'mid-a',
  channel: null,
  priority: 100,
  weight: 1,
  dayLimit: noLimit,
  weekLimit: noLimit,
  enabled: true,
}
const able = {
  actions: midActions,
  moto: true,
  zeroAmount: true,
  cardOnFile: true,
  externalThreeDs: true,
  cardFlow: true,
  acceptsDecrypted: true,
  passesTokens: true,
}
export const plainNeed: Need = {
  mode: 'live',
  channelId: null,
  protocol: 'S2S_CARD',
  kind: 'sale',
  auth: false,
  recurring: 'none',
  wallet: null,
  methods: [],
  brand: null,
  card: { network: 'visa', bin: '41111111', panType: null },
  currency: 'EUR',
  amountMinor: 1000n,
  preferCardOnFile: false,
  chainMidId: null,
  initiator: 'cardholder',
  payerCountry: null,
  motoType: null,
  customData: null,
}
export const walletPayment = { name: 'walletapay', usable: true, key: true } as const

export interface Change {
  readonly mid?: Partial<Mid>
  readonly mapping?: Partial<MerchantMapping>
  readonly can?: Partial<Candidate['capabilities']>
  readonly healthy?: boolean
  readonly usage?: Candidate['usage']
}

/** A candidate that can do everything, except for the changes. */
export const candidateNamed = (
  name: string,
  { mid, mapping, can, healthy = true, usage = null }: Change = {},
): Candidate => ({
  mid: { ...plainMid, id: `mid-${name}`, name, ...mid },
  mapping: { ...plainMapping, id: `mapping-${name}`, midId: `mid-${name}`, ...mapping },
  capabilities: { ...able, ...can },
  healthy,
  usage,
})

const usageOf = (amountMinor: bigint, count: number) => ({ amountMinor, count })
export const usage = (amountMinor: bigint, count: number): Candidate['usage'] => ({
  midDay: usageOf(amountMinor, count),
  midMonth: usageOf(amountMinor, count),
  mappingDay: usageOf(amountMinor, count),
  mappingWeek: usageOf(amountMinor, count),
})
export const upTo = (amountMinor: bigint) => ({ amounts: { EUR: amountMinor }, count: null })

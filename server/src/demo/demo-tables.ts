/** The demo data of a sandbox instance: MIDs at the sandbox acquirer and demo merchants, as tables. */
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { JsonObject } from '../contracts/records.ts'
import type { MidSettings } from '../setup/mids.ts'

export const modes: readonly Mode[] = ['live', 'test']

type Features = Omit<MidSettings, 'name' | 'connector' | 'mode'>

export const everything: Features = {
  motoEnabled: true,
  cardOnFileEnabled: true,
  zeroAmount: true,
  cardFlow: true,
  acceptsDecrypted: true,
  wallets: ['walletapay', 'walletbpay'],
  descriptor: 'TEST',
}

/** Each exists in both modes, as `<name>-live` and `<name>-test`: in a sandbox, both keys of a merchant reach the sandbox acquirer. */
export const demoMids: Readonly<Record<string, Features>> = {
  sandbox: everything,
  'sandbox-no-moto': { ...everything, motoEnabled: false },
  'sandbox-no-wallet': { ...everything, wallets: [] },
  'sandbox-dms': { ...everything, paymentMode: 'DMS' },
  // Identical, so that sandbox scenarios can make one better, slower or unavailable and routing can be watched reacting.
  'sandbox-north': { ...everything, descriptor: 'NORTH' },
  'sandbox-south': { ...everything, descriptor: 'SOUTH' },
  'sandbox-west': { ...everything, descriptor: 'WEST' },
}

export interface DemoMerchant {
  readonly name: string
  readonly title: string
  /** MIDs of the table above, in order of priority. */
  readonly mids: readonly string[]
  readonly allowedIps?: readonly string[]
  /** By default both wallets in both modes with keys; without a key they run in virtual flow. */
  readonly wallets?: 'none' | 'virtual'
  /** Protocol mapping options that differ from the defaults. */
  readonly options?: Partial<Record<Protocol, JsonObject>>
}

/** Every demo merchant can try everything, and a sandbox shows the interface as it is written, where the token alone changes a session. */
export const demoOptions = (protocol: Protocol, chosen: DemoMerchant['options'] = {}): JsonObject => ({
  payouts: true,
  ...(protocol === 'CHECKOUT' ? { sessionUpdate: 'token' } : {}),
  ...chosen[protocol],
})

/** The first supports everything on every protocol with either key; each of the others has one restriction. */
// biome-ignore format: a table is read in columns.
export const demoMerchants: readonly DemoMerchant[] = [
  { name: 'demo',              title: 'Demo shop',              mids: ['sandbox', 'sandbox-no-moto'] },
  { name: 'demo-no-wallet',    title: 'Without wallets',        mids: ['sandbox-no-wallet'], wallets: 'none' },
  { name: 'demo-wallet-virtual', title: 'Wallets in virtual flow', mids: ['sandbox'], wallets: 'virtual' },
  { name: 'demo-no-moto',      title: 'Without MOTO',           mids: ['sandbox-no-moto'] },
  { name: 'demo-dms',          title: 'Holds only (DMS)',       mids: ['sandbox-dms'] },
  { name: 'demo-payer-fields', title: 'Requires payer address', mids: ['sandbox'], options: { S2S_CARD: { requiredPayerFields: ['payer_address', 'payer_country', 'payer_city', 'payer_zip'] } } },
  { name: 'demo-sha256',       title: 'Signs with SHA-256',     mids: ['sandbox'], options: { S2S_CARD: { digest: 'sha256' }, S2S_APM: { digest: 'sha256' }, CHECKOUT: { digest: 'sha256' } } },
  { name: 'demo-ip-list',      title: 'Allows one network',     mids: ['sandbox'], allowedIps: ['203.0.113.0/24'] },
  { name: 'demo-routing',      title: 'Three acquirers',        mids: ['sandbox-north', 'sandbox-south', 'sandbox-west'], wallets: 'none' },
]

/** Chapter 40 §9, rule 6, with connectors that differ in what they take: the sandbox's takes everything. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rule } from '#domain/routing/rule.ts'
import { secret } from '#domain/secret.ts'
import type { WalletCard } from '../../wallets/tokens/opened-token.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import type { PaymentMethod } from '../request/payment-method.ts'
import { routeWallet } from './wallet-flow.ts'

const limit = { amounts: {}, count: null }

// biome-ignore format: what matters stands together.
const candidate = (name: string, priority: number, decrypted: boolean) => ({
  mapping: { id: name, enabled: true, channel: null, priority, weight: 1, dayLimit: limit, weekLimit: limit },
  mid: {
    id: name, name, connector: name, mode: 'live', enabled: true, cards: true, cardFlow: true, acceptsDecrypted: decrypted,
    wallets: ['walletapay'], networks: [], currencies: [], brands: [], actions: ['sale'], paymentMode: 'SMS/DMS',
    dayLimit: limit, monthLimit: limit, cutOff: '00:00', timeZone: 'UTC', zeroAmount: false, motoEnabled: false, cardOnFileEnabled: false,
  },
})

// biome-ignore format: what matters stands together.
const capabilities = {
  actions: ['sale'], moto: false, zeroAmount: false, cardOnFile: false, externalThreeDs: false,
  cardFlow: true, acceptsDecrypted: true, passesTokens: true,
}

/** Connectors by the order of their MIDs; each says whether it takes EMV data. */
const depsWith = (connectors: Readonly<Record<string, boolean>>, rules: readonly Rule[] = [], decrypted = true): Deps =>
  ({
    configuration: {
      brandEnabled: () => true,
      candidates: () => Object.keys(connectors).map((name, index) => candidate(name, index, decrypted)),
      ruleSets: () => [{ merchantId: null, version: 1, rules }],
      midNamed: (name: string) => ({ id: name }),
    },
    issuers: { of: () => null },
    midHealth: { admits: () => true, probe: () => undefined },
    clock: { now: () => new Date('2026-03-03T12:00:00Z') },
    acquirers: {
      capabilities: () => capabilities,
      connector: (id: string) => ({ supports: { emv: connectors[id] } }),
    },
  }) as unknown as Deps

const request = {
  merchant: { id: 'm' },
  mode: 'live',
  protocol: 'S2S_CARD',
  action: 'SALE',
  channel: null,
  order: { currency: 'EUR', amountMinor: 1000n },
  paymentMethod: { kind: 'wallet' },
  payer: {},
} as unknown as FirstStepRequest

const paymentMethod = { kind: 'wallet', wallet: 'walletapay', brand: null } as Extract<
  PaymentMethod,
  { kind: 'wallet' }
>

const card = (dataType: WalletCard['dataType']) => ({ number: secret('4000001000000018'), dataType }) as WalletCard

async function routeWith(connectors: Readonly<Record<string, boolean>>, dataType: WalletCard['dataType'] | null) {
  const opened = dataType && card(dataType)
  const { flow, chosen } = await routeWallet(depsWith(connectors), request, {
    paymentMethod,
    readiness: { usable: true, key: true },
    paymentId: 'payment',
    card: opened,
  })
  return `${flow} ${chosen.choice.mid.name}`
}

// biome-ignore format: a table is read in columns.
const rows = [
  // connectors, in order          data          expected
  [{ plain: false },               '3DSecure',   'decrypted plain'],
  [{ plain: false },               'EMV',        'passed_on plain'],
  [{ emv: true },                  'EMV',        'decrypted emv'],
  [{ plain: false, emv: true },    'EMV',        'decrypted emv'],
  [{ plain: false, emv: true },    '3DSecure',   'decrypted plain'],
  [{ plain: false, emv: true },    null,         'decrypted plain'],
] as const

for (const [connectors, dataType, expected] of rows) {
  const names = Object.entries(connectors).map(([name, emv]) => `${name} ${emv ? 'with' : 'without'} EMV`)
  test(`${dataType ?? 'a closed token'} goes ${expected} among ${names.join(', ')}`, async () => {
    assert.equal(await routeWith(connectors, dataType), expected)
  })
}

// Chapter 40 §12.4: routing sees what the provider of wallet B has verified.
const assuranceRule: Rule = {
  name: 'sure',
  enabled: true,
  conditions: [{ kind: 'wallet-assurance', not: false, values: ['both', 'cardholder'] }],
  action: { kind: 'use', mids: ['second'], only: false },
  maximumAttempts: null,
  final: false,
}

// biome-ignore format: a table is read in columns.
const assurances = [
  // of the token                                                   goes to
  [{ cardHolderAuthenticated: true,  accountVerified: true },       'second'],
  [{ cardHolderAuthenticated: true,  accountVerified: false },      'second'],
  [{ cardHolderAuthenticated: false, accountVerified: true },       'first'],
  [null,                                                            'first'],
] as const

for (const [assurance, expected] of assurances) {
  test(`a rule about the wallet provider’s assurance sends ${JSON.stringify(assurance)} to the ${expected} MID`, async () => {
    const opened = { ...card('3DSecure'), assurance }
    const deps = depsWith({ first: true, second: true }, [assuranceRule])
    const { chosen } = await routeWallet(deps, request, {
      paymentMethod,
      readiness: { usable: true, key: true },
      paymentId: 'payment',
      card: opened,
    })
    assert.equal(chosen.choice.mid.name, expected)
  })
}

// Chapter 40 §9, the last column of the table: rules have a say in decrypted data alone.
// biome-ignore format: a table is read in columns.
const ruled = [
  // a key   MIDs take decrypted data   goes
  [true,     true,                      'decrypted second'],
  [true,     false,                     'passed_on first'],
  [false,    true,                      'virtual first'],
] as const

for (const [key, decrypted, expected] of ruled) {
  test(`${key ? 'with' : 'without'} a key, MIDs ${decrypted ? 'with' : 'without'} decrypted data, a rule for the second MID: ${expected}`, async () => {
    const deps = depsWith({ first: true, second: true }, [{ ...assuranceRule, conditions: [] }], decrypted)
    const asBrand = { ...request, protocol: 'S2S_APM' } as const
    const opened = key ? card('3DSecure') : null
    const { flow, chosen } = await routeWallet(deps, asBrand, {
      paymentMethod,
      readiness: { usable: true, key },
      paymentId: 'payment',
      card: opened,
    })
    assert.equal(`${flow} ${chosen.choice.mid.name}`, expected)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WalletDomain, WalletKeyRecord, WalletSettings } from '../../contracts/wallet-records.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import { type WalletStateData, walletState } from './state.ts'

const now = new Date('2026-03-01T00:00:00Z')
const later = new Date('2027-03-01T00:00:00Z')
const before = new Date('2026-02-28T23:59:59Z')

const settings: WalletSettings = {
  merchantId: 'm',
  mode: 'live',
  wallet: 'walletapay',
  setup: 'own_account',
  enabled: true,
  trustSource: 'wallet maker',
  fields: {
    merchantIdentifier: 'merchant.example',
    country: 'DE',
    shopName: 'Shop',
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa'],
  },
  associationFile: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
}
const key = (over: Partial<WalletKeyRecord> = {}): WalletKeyRecord => ({
  merchantId: 'm',
  mode: 'live',
  wallet: 'walletapay',
  id: 'k',
  role: 'processing',
  state: 'current',
  type: 'EC',
  privateSealed: Buffer.alloc(1),
  spki: Buffer.alloc(1),
  fingerprint: 'f',
  publicKeyHash: 'h',
  request: null,
  certificate: 'PEM',
  certificateUntil: later,
  until: null,
  addedAt: now,
  promotedAt: now,
  retiredAt: null,
  ...over,
})
const identity = key({ role: 'identity' })
const uncertified = { certificate: null, certificateUntil: null }
const domain: WalletDomain = {
  merchantId: 'm',
  wallet: 'walletapay',
  domain: 'shop.example',
  purpose: 'production',
  controlledBy: 'operator',
  state: 'verified',
  file: null,
  fileSha256: null,
  lastCheck: now,
  lastFault: null,
  verifiedSince: now,
  succeededAt: now,
  verifiedAtMaker: null,
  addedAt: now,
  nextCheck: null,
}
const good: WalletStateData = { settings, platform: null, keys: [identity, key()], domains: [domain], now }
const without = (...names: string[]): WalletSettings => ({
  ...settings,
  fields: Object.fromEntries(Object.entries(settings.fields).filter(([name]) => !names.includes(name))),
})
const platform: WalletSettings = { ...settings, merchantId: 'p', setup: 'platform' }
const platformRecord: WalletSettings = {
  ...settings,
  merchantId: PLATFORM_SCOPE,
  setup: 'platform',
  fields: { merchantIdentifier: 'merchant.example' },
}
const platformMerchant: WalletSettings = { ...settings, setup: 'platform' }
const walletB: WalletSettings = {
  ...settings,
  wallet: 'walletbpay',
  fields: {
    environment: 'PRODUCTION',
    merchantIdentifier: 'B',
    country: 'DE',
    shopName: 'Shop',
    authMethods: ['PAN_ONLY'],
    supportedNetworks: ['VISA'],
  },
}
const withoutB = (name: string): WalletSettings => ({
  ...walletB,
  fields: Object.fromEntries(Object.entries(walletB.fields).filter(([field]) => field !== name)),
})
const goodB: WalletStateData = {
  ...good,
  settings: walletB,
  keys: [key({ wallet: 'walletbpay', ...uncertified })],
  domains: [],
}

// Chapter 40 §3, `state`, and §6.
// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [what: string, facts: WalletStateData, state: string])[] = [
  ['all checks pass',                                       good,                                                                               'live'],
  ['Merchant identifier is missing',                        { ...good, settings: without('merchantIdentifier') },                               'draft'],
  ['the platform has no record',                            { ...good, settings: platformMerchant, platform: null },                            'draft'],
  ['the platform merchant has no assigned identifier',      { ...good, settings: { ...without('merchantIdentifier'), setup: 'platform' }, platform }, 'draft'],
  ['the platform merchant is complete',                     { ...good, settings: platformMerchant, platform },                                  'live'],
  ['a platform merchant names no capabilities or networks', { ...good, settings: { ...without('merchantCapabilities', 'supportedNetworks'), setup: 'platform' }, platform }, 'live'],
  ['the platform record has no Country, Shop name or domain', { ...good, settings: platformRecord, platform: platformRecord, domains: [] },   'live'],
  ['the platform record has no identity certificate',       { ...good, settings: platformRecord, platform: platformRecord, domains: [], keys: [key()] }, 'degraded'],
  ['it is switched off',                                    { ...good, settings: { ...settings, enabled: false } },                             'disabled'],
  ['it is switched off and incomplete',                     { ...good, settings: { ...without('merchantIdentifier'), enabled: false } },        'draft'],
  ['the identity certificate expired',                      { ...good, keys: [key({ role: 'identity', certificateUntil: before }), key()] },    'lapsed'],
  ['the processing certificate expired',                    { ...good, keys: [identity, key({ certificateUntil: before })] },                   'lapsed'],
  ['this is the last second of a certificate',              { ...good, keys: [identity, key({ certificateUntil: now })] },                      'live'],
  ['another active processing certificate is valid',        { ...good, keys: [identity, key({ certificateUntil: before }), key({ state: 'next' })] }, 'live'],
  ['another active key has no certificate',                 { ...good, keys: [identity, key({ certificateUntil: before }), key({ state: 'next', ...uncertified })] }, 'degraded'],
  ['the next identity pair is valid but not promoted',      { ...good, keys: [key({ role: 'identity', certificateUntil: before }), key({ role: 'identity', state: 'next' }), key()] }, 'lapsed'],
  ['only a retired certificate expired',                    { ...good, keys: [identity, key(), key({ state: 'retired', certificateUntil: before })] }, 'live'],
  ['only a retiring key past its end expired',              { ...good, keys: [identity, key(), key({ state: 'retiring', until: before, certificateUntil: before })] }, 'live'],
  ['the expiry of the processing key is unknown',           { ...good, keys: [identity, key(uncertified)] },                                    'degraded'],
  ['a domain is failing',                                   { ...good, domains: [domain, { ...domain, state: 'failing' }] },                    'degraded'],
  ['a domain is suspended',                                 { ...good, domains: [domain, { ...domain, state: 'suspended' }] },                  'degraded'],
  ['a second domain waits for its file',                    { ...good, domains: [domain, { ...domain, state: 'new' }] },                        'live'],
  ['there is no identity pair: S2S only',                   { ...good, keys: [key()] },                                                         'degraded'],
  ['the identity pair has no certificate yet: S2S only',    { ...good, keys: [key({ role: 'identity', ...uncertified }), key()] },              'degraded'],
  ['Country is missing: S2S only',                          { ...good, settings: without('country') },                                          'degraded'],
  ['Shop name is missing: S2S only',                        { ...good, settings: without('shopName') },                                         'degraded'],
  ['Merchant capabilities are missing: S2S only',           { ...good, settings: without('merchantCapabilities') },                             'degraded'],
  ['Supported networks are missing: S2S only',              { ...good, settings: without('supportedNetworks') },                                'degraded'],
  ['no domain is verified: S2S only',                       { ...good, domains: [{ ...domain, state: 'file ready' }] },                         'degraded'],
  ['there is no processing key, which is the virtual flow', { ...good, keys: [identity] },                                                      'live'],
  ['wallet B is complete without certificates and domains', goodB,                                                                              'live'],
  ['wallet B has no authentication methods: S2S only',      { ...goodB, settings: { ...walletB, fields: { ...walletB.fields, authMethods: [] } } }, 'degraded'],
  ['wallet B has no Country: S2S only',                     { ...goodB, settings: withoutB('country') },                                        'degraded'],
  ['wallet B has no Shop name: S2S only',                   { ...goodB, settings: withoutB('shopName') },                                       'degraded'],
  ['wallet B has no Supported networks: S2S only',          { ...goodB, settings: withoutB('supportedNetworks') },                              'degraded'],
  ['wallet B in PRODUCTION has no Merchant identifier',     { ...goodB, settings: withoutB('merchantIdentifier') },                             'degraded'],
  ['wallet B in TEST has no Merchant identifier',           { ...goodB, settings: { ...withoutB('merchantIdentifier'), fields: { ...withoutB('merchantIdentifier').fields, environment: 'TEST' } } }, 'live'],
  ['wallet B has no key, which is the virtual flow',        { ...goodB, keys: [] },                                                             'live'],
]
for (const [what, facts, state] of rows) {
  test(`${state} when ${what}`, () => {
    const derived = walletState(facts)
    assert.equal(derived.state, state)
    assert.equal(derived.reasons.length > 0, state !== 'live')
  })
}

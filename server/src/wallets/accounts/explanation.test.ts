/** Chapter 40 §7 and §17: the first row that fails is the reason; §9: why tokens are not decrypted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WalletDomain, WalletKeyRecord, WalletSettings } from '../../contracts/wallet-records.ts'
import { type CandidateMid, explainButton, explainFlow, type PageQuestion } from './explanation.ts'
import type { WalletStateData } from './state.ts'

const now = new Date('2026-03-01T00:00:00Z')
const later = new Date('2027-03-01T00:00:00Z')
const over = new Date('2026-02-28T00:00:00Z')

// Only the fields that the explanation reads.
const settings = {
  wallet: 'walletapay',
  setup: 'own_account',
  enabled: true,
  fields: {
    merchantIdentifier: 'merchant.example',
    country: 'DE',
    shopName: 'Shop',
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa', 'masterCard'],
  },
} as unknown as WalletSettings
const key = { role: 'processing', state: 'current', certificateUntil: later, until: null } as WalletKeyRecord
const identity = { ...key, role: 'identity', certificate: 'PEM' } as WalletKeyRecord
const domain = { domain: 'shop.example', state: 'verified', lastFault: null } as WalletDomain
const facts: WalletStateData = { settings, platform: null, keys: [key, identity], domains: [domain], now }
const of = (changes: Partial<WalletSettings>): WalletStateData => ({ ...facts, settings: { ...settings, ...changes } })
const without = (field: string): WalletStateData =>
  of({ fields: Object.fromEntries(Object.entries(settings.fields).filter(([name]) => name !== field)) })
const walletB = of({
  wallet: 'walletbpay',
  trustSource: 'wallet maker',
  fields: {
    environment: 'PRODUCTION',
    merchantIdentifier: 'B',
    country: 'DE',
    shopName: 'Shop',
    authMethods: ['PAN_ONLY'],
    supportedNetworks: ['VISA'],
  },
})
const { merchantIdentifier: _identifier, ...unidentified } = walletB.settings.fields
const unidentifiedB: WalletStateData = { ...walletB, settings: { ...walletB.settings, fields: unidentified } }
const domains = (...entries: readonly WalletDomain[]): WalletStateData => ({ ...facts, domains: entries })

const mid: CandidateMid = {
  name: 'one',
  acceptsWallet: true,
  currencies: [],
  networks: [],
  sells: true,
  holds: true,
  recurring: true,
  cardFlow: true,
  acceptsDecrypted: true,
  passesTokens: true,
}
const page: PageQuestion = {
  host: 'shop.example',
  secure: true,
  currency: 'EUR',
  auth: false,
  recurring: false,
  browser: 'maker',
}

type Row = readonly [
  what: string,
  facts: WalletStateData | null,
  mids: readonly Partial<CandidateMid>[],
  page: Partial<PageQuestion>,
  because: string | null,
]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // what                                   facts                                            MIDs                              page                        reason
  ['everything holds',                      facts,                                           [{}],                             {},                         null],
  ['there are no settings',                 null,                                            [{}],                             {},                         'not enabled'],
  ['the wallet is switched off',            of({ enabled: false }),                          [{}],                             {},                         'not enabled'],
  ['it is a draft',                         of({ fields: {} }),                              [{}],                             {},                         'not enabled'],
  ['its certificate is over',               { ...facts, keys: [{ ...key, certificateUntil: over }, identity] }, [{}],                    {},                         'lapsed'],
  ['there is no identity certificate',      { ...facts, keys: [key] },                       [{}],                             {},                         'incomplete'],
  ['there is no Country',                   without('country'),                              [{}],                             {},                         'incomplete'],
  ['there is no Shop name',                 without('shopName'),                             [{}],                             {},                         'incomplete'],
  ['there are no capabilities',             without('merchantCapabilities'),                 [{}],                             {},                         'incomplete'],
  ['there are no networks',                 without('supportedNetworks'),                    [{}],                             {},                         'incomplete'],
  ['wallet B has no identifier',            unidentifiedB,                                   [{}],                             {},                         'incomplete'],
  ['there is no MID',                       facts,                                           [],                               {},                         'no mid'],
  ['no MID accepts the wallet',             facts,                                           [{ acceptsWallet: false }],       {},                         'no mid'],
  ['no MID takes the currency',             facts,                                           [{ currencies: ['USD'] }],        {},                         'no mid'],
  ['no MID takes one of the networks',      facts,                                           [{ networks: ['amex'] }],         {},                         'no mid'],
  ['a network is spelled in another case',  facts,                                           [{ networks: ['mastercard'] }],   {},                         null],
  ['no MID takes the money at once',        facts,                                           [{ sells: false }],               {},                         'no mid'],
  ['no MID holds money',                    facts,                                           [{ holds: false }],               { auth: true },             'no mid'],
  ['no MID charges a chain',                facts,                                           [{ recurring: false }],           { recurring: true },        'no mid'],
  ['no connector passes tokens on',         facts,                                           [{ cardFlow: false, passesTokens: false }], {},               'no mid'],
  ['a hold would be virtual',               facts,                                           [{ cardFlow: false }],            { auth: true },             'needs card flow'],
  ['a chain would be virtual',              { ...facts, keys: [identity] },                          [{}],                             { recurring: true },        'needs card flow'],
  ['a sale is virtual',                     { ...facts, keys: [identity] },                          [{}],                             {},                         null],
  ['the page is served over http',          facts,                                           [{}],                             { secure: false },          'no https'],
  ['the machine itself over http',          domains({ ...domain, domain: 'localhost' }),     [{}],                             { secure: false, host: 'localhost' }, null],
  ['the domain has no entry',               facts,                                           [{}],                             { host: 'www.shop.example' }, 'domain unverified'],
  ['the domain is new',                     domains({ ...domain, state: 'new' }),            [{}],                             {},                         'domain unverified'],
  ['the domain is suspended',               domains({ ...domain, state: 'suspended' }),      [{}],                             {},                         'domain unverified'],
  ['the domain fails for a while',          domains({ ...domain, state: 'failing' }),        [{}],                             {},                         null],
  ['the domain is not asked about',         facts,                                           [{}],                             { host: null },             null],
  ['no domain is verified at all',          domains({ ...domain, state: 'new' }),            [{}],                             { host: null },             'domain unverified'],
  ['wallet B minds no domain',              { ...walletB, domains: [] },                     [{}],                             { secure: false },          null],
  ['the frame does not allow it',           facts,                                           [{}],                             { browser: 'frame' },       'frame'],
  ['the payer has no card',                 facts,                                           [{}],                             { browser: 'maker-no-card' }, 'no card'],
  ['the browser is another',                facts,                                           [{}],                             { browser: 'other' },       null],
  ['the browser supports no wallet',        facts,                                           [{}],                             { browser: 'unsupported' }, 'browser unsupported'],
  // Several at once: the first row of the chapter's table wins.
  ['lapsed, no MID, no https',              { ...facts, keys: [{ ...key, certificateUntil: over }, identity] }, [],                      { secure: false },          'lapsed'],
  ['incomplete, no MID',                    without('country'),                              [],                               {},                         'incomplete'],
  ['no MID, no https, no card',             facts,                                           [],                               { secure: false, browser: 'maker-no-card' }, 'no mid'],
  ['no https, domain, no card',             domains(),                                       [{}],                             { secure: false, browser: 'maker-no-card' }, 'no https'],
]

for (const [what, about, mids, question, because] of rows) {
  test(`${what}: ${because ?? 'the button is shown'}`, () => {
    const explained = explainButton(
      about,
      mids.map((one) => ({ ...mid, ...one })),
      { ...page, ...question },
    )
    assert.equal(explained?.because ?? null, because)
    assert.notEqual(explained?.remedy, '', 'a remedy is told')
  })
}

const noKey = /no active processing key/
const noCardFlow = /No MID that accepts the wallet has card flow/
const notDecrypted = /takes decrypted data/
const keyless: WalletStateData = { ...facts, keys: [] }
const retired: WalletStateData = { ...facts, keys: [{ ...key, state: 'retired' }] }
const passing = { acceptsDecrypted: false }
const closed = { cardFlow: false, acceptsDecrypted: false }

// Chapter 40 §9, the table.
// biome-ignore format: a table is read in columns.
const flows = [
  // facts     MIDs                             flow          unmet
  [facts,      [{}],                            'decrypted',  []],
  [facts,      [passing],                       'passed_on',  [notDecrypted]],
  [facts,      [passing, {}],                   'decrypted',  []],
  [facts,      [closed],                        'virtual',    [noCardFlow]],
  [keyless,    [{}],                            'virtual',    [noKey]],
  [retired,    [{}],                            'virtual',    [noKey]],
  [keyless,    [closed],                        'virtual',    [noKey, noCardFlow]],
  [null,       [closed],                        'virtual',    [noKey, noCardFlow]],
  [facts,      [{ acceptsWallet: false }],      null,         [noCardFlow]],
] as const

for (const [about, mids, flow, unmet] of flows) {
  test(`flow ${flow ?? 'none'}: ${unmet.map(String).join(', ') || 'nothing is unmet'}`, () => {
    const found = explainFlow(
      about,
      mids.map((one) => ({ ...mid, ...one })),
    )
    assert.equal(found.flow, flow)
    assert.equal(found.unmet.length, unmet.length)
    for (const [index, expected] of unmet.entries()) assert.match(found.unmet[index]?.because ?? '', expected)
  })
}

/**
 * The brands of a new instance, in the columns of chapter 20 §5.4, so that the two tables can be compared.
 *
 * Deployed clients use `vcard` and the two wallets, and `paypal` is served by PayPal; the others are examples that the sandbox serves.
 */

import { languages } from '../place/language.ts'
import { type Brand, type BrandAction, type BrandKind, type ByAction, brandActions } from './brand.ts'
import { brandTitles, parameterTitles } from './built-in-titles.ts'
import { type ParameterRow, parameterRow } from './parameter-row.ts'
import { walletCountries } from './wallet-countries.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const crypto = ['BTC', 'ETH', 'USDT', 'USDC'] as const
const anywhere = ['*'] as const
// biome-ignore format: PayPal's list, in the order of its page.
const ofPaypal = [
  'AUD', 'BRL', 'CAD', 'CNY', 'CZK', 'DKK', 'EUR', 'HKD', 'HUF', 'ILS', 'JPY', 'MYR',
  'MXN', 'TWD', 'NZD', 'NOK', 'PHP', 'PLN', 'GBP', 'SGD', 'SEK', 'CHF', 'THB', 'USD',
] as const

const allButCrypto = brandActions.filter((action) => action !== 'CREDIT2CRYPTO')
const ofWallet = ['SALE', 'CAPTURE', 'CREDITVOID', 'VOID'] as const
const ofDebit = ['DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC', 'DEBIT2VIRTUAL_COMPLETE', 'CREDITVOID'] as const

type Row = readonly [
  code: string,
  kind: BrandKind,
  actions: readonly BrandAction[],
  identifier: Brand['identifier'],
  currencies: readonly string[],
  countries: readonly string[],
  twoStage: Brand['twoStage'],
  refund: Brand['refund'],
  void: boolean,
  pageMode: Brand['pageMode'],
  expiresAfterSeconds: number,
]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // code             kind        actions                         identifier   currencies              countries                   two-stage       refund     void   page mode    expires
  [ 'vcard',         'direct',   allButCrypto,                   'required',  ['*'],                  anywhere,                   'by_connector', 'partial', true,  'own_form',  hour ],
  [ 'walletapay',    'wallet',   ofWallet,                       'required',  ['*'],                  walletCountries.walletapay, 'by_connector', 'partial', true,  'button',    15 * minute ],
  [ 'walletbpay',    'wallet',   ofWallet,                       'required',  ['*'],                  walletCountries.walletbpay, 'by_connector', 'partial', true,  'button',    15 * minute ],
  [ 'bank-redirect', 'redirect', ['SALE', 'CREDITVOID', 'VOID'], 'required',  ['EUR', 'GBP', 'PLN'],  anywhere,                   'no',           'partial', true,  'redirect',  hour ],
  [ 'upi-like',      'direct',   ['SALE', 'CREDITVOID'],         'required',  ['INR'],                ['IN'],                     'no',           'full',    false, 'own_form',  15 * minute ],
  [ 'voucher-cash',  'voucher',  ['SALE', 'CREDITVOID'],         'required',  ['BRL', 'MXN', 'USD'],  anywhere,                   'no',           'full',    false, 'own_form',  3 * day ],
  [ 'crypto-pay',    'crypto',   ['SALE', 'CREDIT2CRYPTO'],      'optional',  ['*', ...crypto],       anywhere,                   'no',           'none',    false, 'own_form',  day ],
  [ 'account-debit', 'debit',    ofDebit,                        'required',  ['EUR', 'USD'],         anywhere,                   'no',           'partial', false, 'hidden',    30 * minute ],
  [ 'bank-payout',   'payout',   ['CREDIT2VIRTUAL'],             'optional',  ['*'],                  anywhere,                   'no',           'none',    false, 'hidden',    5 * day ],
  [ 'paypal',        'redirect', ['SALE', 'CAPTURE', 'CREDITVOID'], 'optional', ofPaypal,           anywhere,                   'by_connector', 'partial', false, 'redirect',  3 * hour ],
]

/** Values that are in the chapter's text and not in its table, or that it leaves to us. */
// biome-ignore format: a table is read in columns.
const details: Readonly<Record<string, Partial<Brand>>> = {
  // It cascades, so that the trigger `soft-decline` of the sandbox shows a cascade without any setup.
  'vcard':         { testOnly: true, cascade: true },
  // Any connector may serve a wallet, because the setting is on the MID. In card flow with decrypted data a wallet payment cascades on
  // every protocol (chapter 40 §9), unless the operator switches that off.
  'walletapay':    { connectors: ['*'], cascade: true },
  'walletbpay':    { connectors: ['*'], cascade: true },
  'upi-like':      { sandboxBehaviour: 'approval' },
  'crypto-pay':    { amountOptional: true },
  'account-debit': { title: { en: 'Account debit' } },
  'bank-payout':   { title: { en: 'Bank payout' } },
  // PayPal forgets an order that the payer has not approved within three hours.
  'paypal':        { title: nameEverywhere('PayPal'), connectors: ['paypal'] },
}

/** A name that no language translates. */
function nameEverywhere(name: string): Brand['title'] {
  return Object.fromEntries(languages.map(({ code }) => [code, name]))
}

const paymentToken = parameterRow('paymentToken', 'json', 'required', { secret: true, max: 32 * 1024 })
// biome-ignore format: a table is read in columns.
const ofAccount: readonly ParameterRow[] = [
  parameterRow('account_number', 'string', 'required', { min: 5, max: 34, pattern: '^[A-Z0-9]+$', secret: true }),
  parameterRow('account_name',   'string', 'optional', { max: 64 }),
]

// biome-ignore format: a table is read in columns.
const parameters: Readonly<Record<string, ByAction<readonly ParameterRow[]>>> = {
  'walletapay':    { SALE: [paymentToken] },
  'walletbpay':    { SALE: [paymentToken] },
  'bank-redirect': { SALE: [
    parameterRow('bank_code',        'enum',    'optional',    { values: ['BANK-A', 'BANK-B', 'BANK-C'] }),
  ] },
  'upi-like':      { SALE: [
    parameterRow('virtual_address',  'string',  'required',    { min: 3, max: 97, pattern: '^[A-Za-z0-9._-]{2,64}@[A-Za-z]{2,32}$', collect: true }),
  ] },
  'voucher-cash':  { SALE: [
    parameterRow('document_number',  'digits',  'conditional', { min: 5, max: 20, when: [{ field: 'order_currency', op: 'in', values: ['BRL'] }], collect: true }),
    parameterRow('store_chain',      'string',  'optional',    { max: 40 }),
  ] },
  'crypto-pay':    { SALE: [
    parameterRow('payment_currency', 'enum',    'conditional', { values: crypto, when: [{ field: 'order_currency', op: 'not_in', values: crypto }], collect: true }),
  ], CREDIT2CRYPTO: [
    parameterRow('address',          'string',  'required',    { min: 20, max: 250 }),
    parameterRow('memo_id',          'string',  'optional',    { max: 64 }),
  ] },
  'account-debit': { DEBIT2VIRTUAL: ofAccount, DEBIT2VIRTUAL_CALC: ofAccount },
  'bank-payout':   { CREDIT2VIRTUAL: [
    parameterRow('account_holder',   'string',  'required',    { min: 2, max: 100 }),
    parameterRow('account_number',   'string',  'required',    { min: 4, max: 34, secret: true }),
    parameterRow('payee_country',    'country', 'required'),
    parameterRow('bank_code',        'string',  'conditional', { min: 3, max: 20, when: [{ field: 'payee_country', op: 'not_in', values: ['DE', 'FR', 'ES', 'IT', 'NL'] }] }),
    parameterRow('payee_phone',      'phone',   'optional'),
    parameterRow('payee_email',      'email',   'optional'),
  ] },
}

/** Adds titles to the rows of SALE only, because payers see no other action's form. */
function addTitles(code: string): ByAction<readonly ParameterRow[]> {
  const rows = parameters[code]?.SALE
  return rows ? { SALE: rows.map((row) => ({ ...row, title: parameterTitles.get(row.name) ?? row.title })) } : {}
}

const waitsIn: Readonly<Record<BrandKind, Brand['waiting']>> = {
  direct: 'prepare',
  redirect: 'redirect',
  crypto: 'pending',
  voucher: 'pending',
  wallet: 'prepare',
  debit: 'prepare',
  payout: 'prepare',
}

export const builtInBrands: readonly Brand[] = rows.map(brandOf)

function brandOf(row: Row, index: number): Brand {
  const [code, kind, actions, identifier, currencies, countries, twoStage, refund, voids, pageMode, seconds] = row
  return {
    code,
    aliases: [],
    title: brandTitles.get(code) ?? { en: code },
    description: null,
    logo: null,
    kind,
    enabled: true,
    builtIn: true,
    testOnly: false,
    actions,
    connectors: ['sandbox'],
    currencies,
    countries,
    amountLimits: {},
    identifier,
    identifierSchema: null,
    amountOptional: false,
    cryptoNetworks: null,
    payerRequired: {},
    parameters: { ...parameters[code], ...addTitles(code) },
    twoStage,
    partialCapture: twoStage !== 'no',
    void: voids,
    refund,
    waiting: waitsIn[kind],
    expiresAfterSeconds: seconds,
    pageMode,
    pageOrder: (index + 1) * 10,
    checkoutName: code,
    cascade: false,
    sandboxBehaviour: kind,
    version: 1,
    ...details[code],
  }
}

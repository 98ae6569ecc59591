/** The fields of the Wallets tab and their valid values, by the tables of Chapter 40 §3. Keys and certificates are elsewhere. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import { isCountry } from '#domain/place/country.ts'
import type { WalletFields, WalletSetup } from '../../contracts/wallet-records.ts'
import { type FieldFault, notAChoice, notValid } from './context.ts'

/** An absent member stays unchanged; null removes it. */
export type FieldEntry = { readonly [Name in keyof WalletFields]?: WalletFields[Name] | null }

interface FieldContext {
  readonly wallet: Wallet
  readonly mode: Mode
  readonly setup: WalletSetup
  /** The operator's own record. */
  readonly isPlatform: boolean
  /** The wallet provider's list. */
  readonly countries: ReadonlySet<string>
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** As the wallet provider's list spells them. */
const walletANetworks: ReadonlySet<string> = new Set([
  ...words('amex bancomat bancontact cartesBancaires chinaUnionPay dankort discover eftpos electron elo girocard'),
  ...words('interac jcb mada maestro masterCard meeza mir napas nspk pagoBancomat postFinance privateLabel visa vPay'),
])
const walletBNetworks: ReadonlySet<string> = new Set(['MASTERCARD', 'VISA', 'AMEX', 'DISCOVER', 'JCB'])

const capabilities: ReadonlySet<string> = new Set(['supports3DS', 'supportsCredit', 'supportsDebit', 'supportsEMV'])
const authMethods: ReadonlySet<string> = new Set(['PAN_ONLY', 'CRYPTOGRAM_3DS'])

type Name = keyof WalletFields

interface Rule {
  readonly name: Name
  readonly faults: (entry: FieldEntry, scene: FieldContext) => readonly FieldFault[]
}

const isWalletA = ({ wallet }: FieldContext): boolean => wallet === 'walletapay'
const isWalletB = ({ wallet }: FieldContext): boolean => wallet === 'walletbpay'
const always = (): boolean => true
const isMerchants = ({ isPlatform }: FieldContext): boolean => !isPlatform
const isOperators = ({ isPlatform }: FieldContext): boolean => isPlatform

const hasLength = (text: string, least: number, most: number): boolean => {
  const { length } = Array.from(text)
  return text.trim() !== '' && length >= least && length <= most
}
const isSubset = (values: readonly string[], of: ReadonlySet<string>): boolean =>
  values.length > 0 && values.every((value) => of.has(value)) && new Set(values).size === values.length
const isIdentifier = (text: string, { wallet }: FieldContext): boolean =>
  wallet === 'walletbpay'
    ? hasLength(text, 1, 64)
    : hasLength(text, 10, 255) && /^merchant(\.[A-Za-z0-9-]+)+$/.test(text)
const areNetworks = (values: readonly string[], { wallet }: FieldContext): boolean =>
  isSubset(values, wallet === 'walletapay' ? walletANetworks : walletBNetworks)
const isHttpsUrl = (text: string): boolean => URL.parse(text)?.protocol === 'https:'

const rule = <N extends Name>(
  field: string,
  name: N,
  on: (scene: FieldContext) => boolean,
  takes: (value: NonNullable<FieldEntry[N]>, scene: FieldContext) => boolean,
  text: string,
): Rule => ({
  name,
  faults: (entry, scene) => {
    const value = entry[name]
    if (value === null || value === undefined) return []
    if (!on(scene)) return [{ field, text: 'Not used here.' }]
    return takes(value, scene) ? [] : [{ field, text }]
  },
})

// biome-ignore format: a table is read in columns.
const rules: readonly Rule[] = [
  //   field                    name                    exists on  takes                                                                                text of the refusal
  rule('merchant_identifier',   'merchantIdentifier',   always,    isIdentifier,                                                                          notValid),
  rule('country',               'country',              isMerchants, (country, { countries }) => isCountry(country) && countries.has(country),            notValid),
  rule('shop_name',             'shopName',             isMerchants, (name) => hasLength(name, 1, 64),                                                      notValid),
  rule('merchant_capabilities', 'merchantCapabilities', isWalletA,   (values) => isSubset(values, capabilities) && values.includes('supports3DS'),          notAChoice),
  rule('supported_networks',    'supportedNetworks',    isMerchants, areNetworks,                                                                            notAChoice),
  rule('environment',           'environment',          isWalletB,   (value, { mode }) => value === 'PRODUCTION' || mode === 'test',                      notAChoice),
  rule('gateway',               'gateway',              isWalletB,   (name) => hasLength(name, 1, 64),                                                      notValid),
  rule('gateway_merchant_id',   'gatewayMerchantId',    isWalletB,   (id) => hasLength(id, 1, 64),                                                          notValid),
  rule('allowed_auth_method',   'authMethods',          isWalletB,   (values) => isSubset(values, authMethods),                                             notAChoice),
  rule('billing_address',       'billingAddress',       isWalletB,   always,                                                                              notValid),
  rule('phone',                 'phone',                isWalletB,   always,                                                                              notValid),
  rule('session_url',           'sessionUrl',           isOperators,  isHttpsUrl,                                                                            notValid),
]

/** The fields after the entry, and the faults. Members that are not fields are ignored. */
export function enterFields(
  before: WalletFields,
  entry: FieldEntry,
  scene: FieldContext,
): { readonly fields: WalletFields; readonly faults: readonly FieldFault[] } {
  const entries = rules.flatMap(({ name }) => {
    const value = entry[name] === undefined ? before[name] : entry[name]
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  return { fields: Object.fromEntries(entries), faults: rules.flatMap(({ faults }) => faults(entry, scene)) }
}

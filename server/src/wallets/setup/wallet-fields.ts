/** The fields of the Wallets tab and what each takes, beside the tables of Chapter 40 §3. Keys and certificates are elsewhere. */
import type { Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import { isCountry } from '#domain/place/country.ts'
import type { WalletFields, WalletSetup } from '../../contracts/wallet-records.ts'
import { type FieldFault, notAChoice, notValid } from './wallet-desk.ts'

/** What is absent stays as it was; null takes it away. */
export type FieldEntry = { readonly [Name in keyof WalletFields]?: WalletFields[Name] | null }

interface FieldScene {
  readonly wallet: Wallet
  readonly mode: Mode
  readonly setup: WalletSetup
  /** The operator's own record. */
  readonly isPlatform: boolean
  /** The maker's list. */
  readonly countries: ReadonlySet<string>
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** As the maker's own list spells them. */
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
  readonly faults: (entry: FieldEntry, scene: FieldScene) => readonly FieldFault[]
}

const walletA = ({ wallet }: FieldScene): boolean => wallet === 'walletapay'
const walletB = ({ wallet }: FieldScene): boolean => wallet === 'walletbpay'
const always = (): boolean => true
const merchants = ({ isPlatform }: FieldScene): boolean => !isPlatform
const operator = ({ isPlatform }: FieldScene): boolean => isPlatform

const between = (text: string, least: number, most: number): boolean => {
  const { length } = Array.from(text)
  return text.trim() !== '' && length >= least && length <= most
}
const subset = (values: readonly string[], of: ReadonlySet<string>): boolean =>
  values.length > 0 && values.every((value) => of.has(value)) && new Set(values).size === values.length
const identifier = (text: string, { wallet }: FieldScene): boolean =>
  wallet === 'walletbpay' ? between(text, 1, 64) : between(text, 10, 255) && /^merchant(\.[A-Za-z0-9-]+)+$/.test(text)
const networks = (values: readonly string[], { wallet }: FieldScene): boolean =>
  subset(values, wallet === 'walletapay' ? walletANetworks : walletBNetworks)
const httpsUrl = (text: string): boolean => URL.parse(text)?.protocol === 'https:'

const rule = <N extends Name>(
  field: string,
  name: N,
  on: (scene: FieldScene) => boolean,
  takes: (value: NonNullable<FieldEntry[N]>, scene: FieldScene) => boolean,
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
  rule('merchant_identifier',   'merchantIdentifier',   always,    identifier,                                                                          notValid),
  rule('country',               'country',              merchants, (country, { countries }) => isCountry(country) && countries.has(country),            notValid),
  rule('shop_name',             'shopName',             merchants, (name) => between(name, 1, 64),                                                      notValid),
  rule('merchant_capabilities', 'merchantCapabilities', walletA,   (values) => subset(values, capabilities) && values.includes('supports3DS'),          notAChoice),
  rule('supported_networks',    'supportedNetworks',    merchants, networks,                                                                            notAChoice),
  rule('environment',           'environment',          walletB,   (value, { mode }) => value === 'PRODUCTION' || mode === 'test',                      notAChoice),
  rule('gateway',               'gateway',              walletB,   (name) => between(name, 1, 64),                                                      notValid),
  rule('gateway_merchant_id',   'gatewayMerchantId',    walletB,   (id) => between(id, 1, 64),                                                          notValid),
  rule('allowed_auth_method',   'authMethods',          walletB,   (values) => subset(values, authMethods),                                             notAChoice),
  rule('billing_address',       'billingAddress',       walletB,   always,                                                                              notValid),
  rule('phone',                 'phone',                walletB,   always,                                                                              notValid),
  rule('session_url',           'sessionUrl',           operator,  httpsUrl,                                                                            notValid),
]

/** The fields after the entry, and what was wrong with it. Members that are no fields are left alone. */
export function enterFields(
  before: WalletFields,
  entry: FieldEntry,
  scene: FieldScene,
): { readonly fields: WalletFields; readonly faults: readonly FieldFault[] } {
  const kept = rules.flatMap(({ name }) => {
    const value = entry[name] === undefined ? before[name] : entry[name]
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  return { fields: Object.fromEntries(kept), faults: rules.flatMap(({ faults }) => faults(entry, scene)) }
}

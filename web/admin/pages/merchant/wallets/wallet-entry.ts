/** The settings of a wallet as form values and as request to the service: empty becomes null, and empty secrets are not sent. */
import type { Answer, Body } from '../../../api/call.ts'
import { memberOf, textAt } from '../../../api/call.ts'
import type { WalletRecordKey, WalletView } from './wallet-record.ts'

type Entry = Body<'PUT /merchants/:merchantId/wallets/:mode/:wallet'>
type Setup = NonNullable<Answer<'GET /merchants/:merchantId/wallets/:mode/:wallet'>['view']>['settings']['setup']

export interface Values {
  readonly setup: Setup
  readonly enabled: boolean
  readonly trustSource: 'wallet maker' | 'sandbox authority'
  readonly merchantIdentifier: string
  readonly country: string
  readonly shopName: string
  readonly merchantCapabilities: readonly string[]
  readonly supportedNetworks: readonly string[]
  readonly environment: 'PRODUCTION' | 'TEST'
  readonly gateway: string
  readonly gatewayMerchantId: string
  readonly authMethods: readonly string[]
  readonly billingAddress: boolean
  readonly phone: boolean
  readonly certificate: string
  readonly privateKey: string
  readonly processingPrivateKey: string
  readonly processingCertificate: string
}

export function valuesOf({ mode, wallet }: WalletRecordKey, view: WalletView | null): Values {
  const fields = view?.settings.fields
  const text = (name: string): string => textAt(fields, name)
  const list = (name: string): readonly string[] => {
    const value = memberOf(fields, name)
    return Array.isArray(value) ? value.map(String) : []
  }
  return {
    setup: view?.settings.setup ?? (wallet === 'walletbpay' ? 'own_account' : 'platform'),
    enabled: view?.settings.enabled ?? true,
    trustSource: view?.settings.trustSource === 'wallet maker' ? 'wallet maker' : 'sandbox authority',
    merchantIdentifier: text('merchantIdentifier'),
    country: text('country'),
    shopName: text('shopName'),
    merchantCapabilities: list('merchantCapabilities'),
    supportedNetworks: list('supportedNetworks'),
    environment:
      text('environment') === 'TEST' || (text('environment') === '' && mode === 'test') ? 'TEST' : 'PRODUCTION',
    gateway: text('gateway'),
    gatewayMerchantId: text('gatewayMerchantId'),
    authMethods: list('authMethods'),
    billingAddress: memberOf(fields, 'billingAddress') === true,
    phone: memberOf(fields, 'phone') === true,
    certificate: '',
    privateKey: '',
    processingPrivateKey: '',
    processingCertificate: '',
  }
}

/** `isSandbox`: whether the trust anchors can be chosen. */
export function entryOf(values: Values, { wallet }: WalletRecordKey, isSandbox: boolean): Entry {
  const shared: Entry = {
    enabled: values.enabled,
    ...(isSandbox ? { trustSource: values.trustSource } : {}),
    country: orNull(values.country.toUpperCase()),
    shopName: orNull(values.shopName),
  }
  if (wallet === 'walletbpay') return { ...shared, ...walletBEntry(values) }
  const own = values.setup === 'own_account'
  return {
    ...shared,
    setup: values.setup,
    merchantCapabilities: some(values.merchantCapabilities),
    supportedNetworks: some(values.supportedNetworks),
    ...(own ? { merchantIdentifier: orNull(values.merchantIdentifier) } : {}),
    ...(own ? secretsOf(values, ['certificate', 'privateKey', 'processingPrivateKey', 'processingCertificate']) : {}),
  }
}

const walletBEntry = (values: Values): Entry => ({
  setup: 'own_account',
  merchantIdentifier: orNull(values.merchantIdentifier),
  supportedNetworks: some(values.supportedNetworks),
  environment: values.environment,
  gateway: orNull(values.gateway),
  gatewayMerchantId: orNull(values.gatewayMerchantId),
  authMethods: values.authMethods.length === 0 ? null : authMethods.filter((one) => values.authMethods.includes(one)),
  billingAddress: values.billingAddress,
  phone: values.phone,
  ...secretsOf(values, ['privateKey']),
})

export const authMethods = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const

type Secret = 'certificate' | 'privateKey' | 'processingPrivateKey' | 'processingCertificate'

/** Sent as typed: the service validates the format of a key. */
const secretsOf = (values: Values, names: readonly Secret[]): Entry =>
  Object.fromEntries(names.flatMap((name) => (values[name].trim() === '' ? [] : [[name, values[name]]])))

const orNull = (text: string): string | null => text.trim() || null
const some = (values: readonly string[]): string[] | null => (values.length === 0 ? null : [...values])

/**
 * Protocol mappings: the operator's settings for one merchant on one protocol.
 *
 * Only choices that differ from the defaults are stored. `parseMappingOptions` reads them on entry and on loading: a fault is a
 * sentence that says what is allowed, and its option keeps the default.
 *
 * What is deliberately not here: the fields of the Add Data lists, which are the table of `report-fields.ts`.
 *
 * Chapter 50 §2.
 */

import { pagePayerFields } from './checkout/payer-fields.ts'
import { isObject } from './json.ts'
import { limits } from './limits.ts'
import { type Protocol, protocols } from './merchant.ts'
import { type LanguageCode, languages } from './place/language.ts'
import { accept, type Reading, refuse } from './reading.ts'
import { fieldsFor, type Place } from './report-fields.ts'

export interface ProtocolMapping extends MappingOptions {
  readonly merchantId: string
  readonly protocol: Protocol
  readonly enabled: boolean
}

export interface MappingOptions {
  readonly digest: 'md5' | 'sha256'
  /** Of the hash of callbacks; requests are accepted in both ways (chapter 30 §2.1). */
  readonly hashUpperCasing: 'ascii' | 'unicode'
  /** `callback` is the formula of earlier releases, with which a payer can forge callbacks and requests (chapter 10 §4.5). */
  readonly returnSignature: 'own' | 'callback'
  /** Whether this protocol may pay money out. A live instance asks for allowed addresses or signed requests first (chapter 50 §2). */
  readonly payouts: boolean
  /** Names of `report-fields.ts`; each place has its own list. */
  readonly addToCallback: readonly string[]
  /** Members of `extended_data` in callbacks; an empty list sends all of them if the field itself is added. */
  readonly extendedDataKeys: readonly string[]
  readonly addToStatus: readonly string[]
  /** On Checkout this list is Return additional parameters. */
  readonly addToRedirect: readonly string[]
  /** Names as on the wire, among `payerFieldChoices`. On Checkout the hosted page asks a card payer for them. */
  readonly requiredPayerFields: readonly string[]
  readonly defaultLanguage: LanguageCode
  /** Without a URL the box links to the platform's general page. */
  readonly terms: { readonly enabled: boolean; readonly url: string | null }
  readonly maxDeclines: number
  /** Within an hour, over all sessions of the merchant; test keys are exempt (chapter 30 §7.8). */
  readonly declinesPerAddress: number
  readonly redirectMode: 'standard' | 'memory_storage'
  readonly cascadingContext: boolean
  readonly rejectDuplicateOrders: boolean
  readonly callbackFormat: 'form' | 'json'
  /** Seconds before each further attempt; null means the default plan of chapter 10 §11.1. */
  readonly callbackRetrySeconds: readonly number[] | null
  readonly pinScripts: boolean
  /** Origins that may embed the hosted fields; an empty list allows any (chapter 30 §8.3). */
  readonly embeddingOrigins: readonly string[]
  /** The hosted page is served on the merchant's own host below the checkout domain (chapter 40 §8). */
  readonly ownHost: boolean
  /**
   * Who may change the order of a session of hosted fields. `token`: whoever has the session's token. Otherwise the merchant's server, known by its
   * listed address or, without a list, by a signed request (chapter 30 §8.5).
   */
  readonly sessionUpdate: 'listed-or-signed' | 'token'
  /** Whether requests have to be signed by headers besides their hash (chapter 10 §4.6). */
  readonly requestSignature: 'hash' | 'both' | 'required'
}

/** The payer fields marked `m` in chapter 10 §7.1.1. */
export const payerFieldsByMapping = [
  'payer_middle_name',
  'payer_birth_date',
  'payer_address',
  'payer_address2',
  'payer_house_number',
  'payer_country',
  'payer_state',
  'payer_city',
  'payer_district',
  'payer_zip',
  'payer_phone_country_code',
] as const

export const payerFieldChoices = (protocol: Protocol): readonly string[] =>
  protocol === 'CHECKOUT' ? pagePayerFields : payerFieldsByMapping

type Reader<T> = (value: unknown, protocol: Protocol) => Reading<T>

interface MappingOption<T> {
  /** In the words of chapter 50 §2, for the panel. */
  readonly title: string
  readonly protocols: readonly Protocol[]
  readonly standard: T
  readonly read: Reader<T>
}

const option = <T>(
  title: string,
  of: readonly Protocol[],
  standard: NoInfer<T>,
  read: Reader<T>,
): MappingOption<T> => ({ title, protocols: of, standard, read })

const s2s: readonly Protocol[] = ['S2S_CARD', 'S2S_APM']
const { declines, declinesLow, declinesHigh, declinesPerAddress, declinesPerAddressHigh } = limits.checkout

// biome-ignore format: a table is read in columns.
export const mappingOptions: { readonly [Name in keyof MappingOptions]: MappingOption<MappingOptions[Name]> } = {
  // option                       title                                      protocols               default       what is allowed
  digest:                option('Digest',                                    protocols,              'md5',        oneOf('md5', 'sha256')),
  hashUpperCasing:       option('Upper-casing in hashes we send',            ['CHECKOUT'],           'ascii',      oneOf('ascii', 'unicode')),
  returnSignature:       option("Signature of the payer's return",           protocols,              'own',        oneOf('own', 'callback')),
  payouts:               option('Payouts',                                   protocols,              false,        flag),
  addToCallback:         option('Add Data to callback',                      protocols,              [],           reportNames('callback')),
  extendedDataKeys:      option('Extended data keys in callback',            protocols,              [],           dataKeys),
  addToStatus:           option('Add Data to status response',               protocols,              [],           reportNames('status')),
  addToRedirect:         option('Add Data to redirect',                      ['S2S_APM', 'CHECKOUT'], [],          reportNames('redirect')),
  requiredPayerFields:   option('Required payer fields',                     ['S2S_CARD', 'CHECKOUT'], [],         payerFields),
  defaultLanguage:       option('Default language',                          ['CHECKOUT'],           'en',         oneOf(...languages.map(({ code }) => code))),
  terms:                 option('Terms & Conditions checkbox',               ['CHECKOUT'],           { enabled: false, url: null }, terms),
  maxDeclines:           option('Maximum count of declines',                 ['CHECKOUT'],           declines,     integer(declinesLow, declinesHigh)),
  declinesPerAddress:    option('Declines per network address and hour',     ['CHECKOUT'],           declinesPerAddress, integer(1, declinesPerAddressHigh)),
  redirectMode:          option('Redirect mode',                             s2s,                    'standard',   oneOf('standard', 'memory_storage')),
  cascadingContext:      option('Cascading context for get status',          protocols,              false,        flag),
  rejectDuplicateOrders: option('Reject duplicate orders',                   protocols,              false,        flag),
  callbackFormat:        option('Callback content type',                     protocols,              'form',       oneOf('form', 'json')),
  callbackRetrySeconds:  option('Callback retry plan',                       protocols,              null,         retryPlan),
  pinScripts:            option("SHA256 of the page's scripts pinned (SRI)", ['CHECKOUT'],           true,         flag),
  embeddingOrigins:      option('Embedding origins of page and fields',      ['CHECKOUT'],           [],           origins),
  ownHost:               option('Checkout host of its own',                  ['CHECKOUT'],           false,        flag),
  sessionUpdate:         option('Session updates of hosted fields',          ['CHECKOUT'],           'listed-or-signed', oneOf('listed-or-signed', 'token')),
  requestSignature:      option('Signature of requests',                     protocols,              'hash',       oneOf('hash', 'both', 'required')),
}

/** A mapping in which every option has its default. */
export function defaultMapping(protocol: Protocol): Omit<ProtocolMapping, 'merchantId'> {
  const { merchantId: _, ...standard } = parseMappingOptions({ merchantId: '', protocol, options: {} }).mapping
  return standard
}

export function parseMappingOptions(stored: {
  merchantId: string
  protocol: Protocol
  enabled?: boolean
  options: unknown
}): { readonly mapping: ProtocolMapping; readonly faults: readonly string[] } {
  const { merchantId, protocol, enabled = true } = stored
  const faults: string[] = []
  const options = isObject(stored.options) ? stored.options : {}
  if (!isObject(stored.options)) faults.push('Options must be an object of option names and values.')
  for (const name of Object.keys(options)) {
    const fault = optionFault(name, protocol)
    if (fault) faults.push(fault)
  }

  const read = <Name extends keyof MappingOptions>(name: Name): MappingOptions[Name] => {
    const { protocols: of, standard, read: reader } = mappingOptions[name]
    if (!Object.hasOwn(options, name) || !of.includes(protocol)) return standard
    const result = reader(options[name], protocol)
    if (result.ok) return result.value
    faults.push(`${name} must be ${result.allowed}.`)
    return standard
  }
  return { mapping: { merchantId, protocol, enabled, ...everyOption(read) }, faults }
}

/** Spelled out, because the compiler could not check each option's type in a loop. */
function everyOption(read: <Name extends keyof MappingOptions>(name: Name) => MappingOptions[Name]): MappingOptions {
  return {
    digest: read('digest'),
    hashUpperCasing: read('hashUpperCasing'),
    returnSignature: read('returnSignature'),
    payouts: read('payouts'),
    addToCallback: read('addToCallback'),
    extendedDataKeys: read('extendedDataKeys'),
    addToStatus: read('addToStatus'),
    addToRedirect: read('addToRedirect'),
    requiredPayerFields: read('requiredPayerFields'),
    defaultLanguage: read('defaultLanguage'),
    terms: read('terms'),
    maxDeclines: read('maxDeclines'),
    declinesPerAddress: read('declinesPerAddress'),
    redirectMode: read('redirectMode'),
    cascadingContext: read('cascadingContext'),
    rejectDuplicateOrders: read('rejectDuplicateOrders'),
    callbackFormat: read('callbackFormat'),
    callbackRetrySeconds: read('callbackRetrySeconds'),
    pinScripts: read('pinScripts'),
    embeddingOrigins: read('embeddingOrigins'),
    ownHost: read('ownHost'),
    sessionUpdate: read('sessionUpdate'),
    requestSignature: read('requestSignature'),
  }
}

function optionFault(name: string, protocol: Protocol): string | null {
  const known = Object.entries(mappingOptions).find(([option]) => option === name)
  if (!known) return `${name} is not an option; the options are ${Object.keys(mappingOptions).join(', ')}.`
  const [, { protocols: of }] = known
  return of.includes(protocol) ? null : `${name} is an option of ${of.join(' and ')}, not of ${protocol}.`
}

function oneOf<const T extends string>(...allowed: readonly T[]): Reader<T> {
  return (value) => {
    const found = allowed.find((one) => one === value)
    return found === undefined ? refuse(`one of ${allowed.join(', ')}`) : accept(found)
  }
}

function flag(value: unknown): Reading<boolean> {
  return typeof value === 'boolean' ? accept(value) : refuse('true or false')
}

function integer(low: number, high: number): Reader<number> {
  return (value) =>
    isIntegerWithin(value, low, high) ? accept(value) : refuse(`a whole number between ${low} and ${high}`)
}

function reportNames(place: Place): Reader<readonly string[]> {
  return (value, protocol) => namesAmong(fieldsFor(protocol, place).map(({ name }) => name))(value, protocol)
}

function payerFields(value: unknown, protocol: Protocol): Reading<readonly string[]> {
  return namesAmong(payerFieldChoices(protocol))(value, protocol)
}

function namesAmong(allowed: readonly string[]): Reader<readonly string[]> {
  return (value) => {
    const listed = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
    const sound =
      Array.isArray(value) && listed.length === value.length && listed.every((name) => allowed.includes(name))
    if (sound && new Set(listed).size === listed.length) return accept(listed)
    return refuse(`a list without repeats of ${allowed.join(', ')}`)
  }
}

/** Ours. */
const dataKeysAtMost = 50

function dataKeys(value: unknown): Reading<readonly string[]> {
  const keys = Array.isArray(value) ? value.filter((key) => typeof key === 'string' && /^[\w.-]{1,64}$/.test(key)) : []
  const sound = Array.isArray(value) && keys.length === value.length && keys.length <= dataKeysAtMost
  if (sound && new Set(keys).size === keys.length) return accept(keys)
  return refuse(`a list of up to ${dataKeysAtMost} keys such as network_transaction_id, without repeats`)
}

function terms(value: unknown): Reading<MappingOptions['terms']> {
  const { enabled, url = null, ...rest } = isObject(value) ? value : {}
  const sound = typeof enabled === 'boolean' && (url === null || isWebAddress(url)) && Object.keys(rest).length === 0
  if (sound) return accept({ enabled, url })
  const length = limits.length.returnUrl
  return refuse(`an object of enabled (true or false) and url (an http or https address up to ${length}, or null)`)
}

function retryPlan(value: unknown): Reading<readonly number[] | null> {
  if (value === null) return accept(value)
  const { retryPlanEntries, retryPlanSeconds } = limits.callback
  const waits = Array.isArray(value) ? value.filter((wait) => isIntegerWithin(wait, 1, retryPlanSeconds)) : []
  const sound = Array.isArray(value) && waits.length === value.length && waits.length <= retryPlanEntries
  if (sound && waits.reduce((total, wait) => total + wait, 0) <= retryPlanSeconds) return accept(waits)
  return refuse(`null or a list of up to ${retryPlanEntries} waits in seconds, together up to ${retryPlanSeconds}`)
}

function origins(value: unknown): Reading<readonly string[]> {
  const listed = Array.isArray(value) ? value.filter(isWebAddress) : []
  const sound = Array.isArray(value) && listed.length === value.length
  if (sound && listed.every((one) => new URL(one).origin === one)) return accept(listed)
  if (Array.isArray(value) && value.length === 1 && value[0] === '*') return accept(['*'])
  return refuse('a list of origins such as https://shop.example, or * for any')
}

const isIntegerWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > limits.length.returnUrl || !URL.canParse(value)) return false
  return ['http:', 'https:'].includes(new URL(value).protocol)
}

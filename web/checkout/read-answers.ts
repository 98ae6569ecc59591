/** Reads the server's answers member by member: a page that is older than its server must tolerate unknown values. */
import { isObject } from '#domain/json.ts'
import { languageOf } from '#domain/place/language.ts'
import type {
  Confirmation,
  CountryView,
  FieldView,
  LinkTarget,
  MethodView,
  PaymentAnswer,
  Redirect,
  SavedCardView,
  ScheduleView,
  SessionView,
  StateAndTotal,
  StateAnswer,
  WaitingFor,
  WalletView,
} from './page-api.ts'
import { isState } from './state/phase.ts'

type Members = Readonly<Record<string, unknown>>

export function readSession(body: unknown): SessionView {
  const json = members(body)
  const order = members(json['order'])
  const branding = members(json['branding'])
  const colours = members(branding['colours'])
  const declines = members(json['declines'])
  return {
    state: isState(json['state']) ? json['state'] : 'undefined',
    operation: oneOf(['purchase', 'debit', 'credit', 'transfer'], json['operation'], 'purchase'),
    auth: json['auth'] === true,
    test: json['test'] === true,
    moto: json['moto'] === true,
    order: {
      number: text(order['number']),
      amount: orNull(order['amount']),
      currency: text(order['currency']),
      description: text(order['description']),
    },
    vat_amount: orNull(json['vat_amount']),
    total: orNull(json['total_amount']),
    crypto_network: orNull(json['crypto_network']),
    expires_at: text(json['expires_at']),
    server_time: text(json['server_time']),
    language: languageOf(text(json['language'])),
    branding: {
      merchant: text(branding['name']),
      logo: orNull(branding['logo']),
      heading: orNull(colours['heading']),
      background: orNull(colours['background']),
      button: orNull(colours['button']),
    },
    methods: list(json['methods']).map(readMethod),
    card_tokens: list(json['card_tokens']).map(readSavedCard),
    customer: texts(json['customer']),
    billing_address: texts(json['billing_address']),
    declines: { count: number(declines['count']) ?? 0, max: number(declines['max']) ?? 0 },
    terms: isObject(json['terms']) ? { url: text(members(json['terms'])['url']) } : null,
    schedule: isObject(json['schedule']) ? readSchedule(members(json['schedule'])) : null,
    consent: json['consent'] === true,
    cancel_url: orNull(json['cancel_url']),
    url_target: readTarget(json['url_target']),
    redirect: readRedirect(json),
    confirmation: readConfirmation(json),
    decline_message: orNull(json['decline_message']),
    waiting_for: readWaitingFor(json['waiting_for']),
  }
}

export function readPayment(body: unknown): PaymentAnswer {
  const json = members(body)
  return {
    result: oneOf(['success', 'decline', 'redirect', 'waiting', 'undefined'], json['result'], 'undefined'),
    payment_id: text(json['payment_id']),
    redirect: readRedirect(json),
    confirmation: readConfirmation(json),
    decline_message: orNull(json['decline_message']),
    same_card: json['same_card'] === true,
    declines_left: number(json['declines_left']),
  }
}

export function readState(body: unknown): StateAnswer {
  const json = members(body)
  return {
    state: isState(json['state']) ? json['state'] : 'undefined',
    payment_id: orNull(json['payment_id']),
    waiting_for: readWaitingFor(json['waiting_for']),
    redirect: readRedirect(json),
    confirmation: readConfirmation(json),
    decline_message: orNull(json['decline_message']),
    same_card: json['same_card'] === true,
    declines_left: number(json['declines_left']),
  }
}

export function readStateAndTotal(body: unknown): StateAndTotal {
  const json = members(body)
  return {
    state: isState(json['state']) ? json['state'] : 'undefined',
    version: number(json['version']),
    total: orNull(json['total_amount']),
    currency: orNull(json['currency']),
  }
}

/** The query whose answer `readStateAndTotal` reads. */
export const stateAndTotalQuery = (known: StateAndTotal | null): string =>
  known === null ? 'state?wait=0' : `state?wait=25&state=${known.state}&version=${known.version ?? ''}`

const isAddress = (url: string): boolean => /^(?:https?:\/\/|\/(?!\/))/i.test(url)

/** The member `redirect` of an answer. Only web addresses are followed, because some come from third parties. */
export const readRedirect = (body: unknown): Redirect | null => redirectIn(members(body)['redirect'])

function redirectIn(value: unknown): Redirect | null {
  const json = members(value)
  const url = text(json['url'])
  if (!isAddress(url)) return null
  return {
    url,
    target: readTarget(json['target']),
    continue: json['continue'] === true,
    ...(json['frame'] === true && { frame: true }),
  }
}

const readTarget = (value: unknown): LinkTarget =>
  oneOf<LinkTarget>(['_self', '_parent', '_top', '_blank'], value, '_self')

function readConfirmation(json: Members): Confirmation | null {
  const where = json['confirms_at']
  return where === 'bank' || where === 'method' ? { where, leave: redirectIn(json['leave']) } : null
}

export function readCountries(body: unknown): readonly CountryView[] {
  return list(body).map((one) => {
    const json = members(one)
    const regions = Array.isArray(json['regions'])
      ? list(json['regions']).map((region) => option(members(region)))
      : null
    return { ...option(json), calling_code: orNull(json['calling_code']), regions }
  })
}

interface Refusal {
  readonly code: number
  readonly message: string
  readonly paths: readonly string[]
}

/** Each row of a validation error begins with the path of its field. Chapter 30 §1.4. */
export function readRefusal(body: unknown): Refusal {
  const json = members(body)
  const rows = list(json['errors']).map((row) => text(members(row)['error_message']))
  return {
    code: number(json['error_code']) ?? 0,
    message: rows.find((row) => !path.test(row)) ?? text(json['error_message']),
    paths: rows.flatMap((row) => path.exec(row)?.[1] ?? []),
  }
}

const path = /^([a-z_]+(?:\.[a-z_0-9]+)*): /

function readMethod(body: unknown): MethodView {
  const json = members(body)
  return {
    code: text(json['code']),
    kind: kindOf(json),
    title: orNull(json['title']),
    logo: imageOf(orNull(json['logo'])),
    pictogram: oneOf(['card', 'redirect', 'voucher', 'crypto', 'direct'], json['pictogram'], 'direct'),
    fields: list(json['fields']).map(readField),
    terms: json['terms'] === true,
    networks: list(json['networks']).map(text),
    marks: texts(json['marks']),
    wallet: isObject(json['wallet']) ? readWallet(members(json['wallet'])) : null,
  }
}

/** A brand's logo is an SVG; as an image it cannot run scripts. */
const imageOf = (logo: string | null): string | null =>
  logo?.trimStart().startsWith('<') ? `data:image/svg+xml,${encodeURIComponent(logo)}` : logo

/** A brand either has a form on this page or redirects. */
function kindOf({ kind, redirects }: Members): MethodView['kind'] {
  if (kind === 'card' || kind === 'wallet') return kind
  return redirects === true ? 'redirect' : 'form'
}

function readWaitingFor(body: unknown): WaitingFor | null {
  const json = members(body)
  const until = orNull(json['until'])
  if (json['kind'] === 'crypto') {
    return {
      kind: 'crypto',
      address: text(json['address']),
      network: orNull(json['network']),
      amount: orNull(json['amount']),
      currency: orNull(json['currency']),
      qr: readQr(members(json['qr'])),
      until,
    }
  }
  if (json['kind'] !== 'voucher') return null
  const url = text(json['url'])
  return { kind: 'voucher', reference: text(json['reference']), url: isAddress(url) ? url : null, until }
}

function readQr({ size, path }: Members): { readonly size: number; readonly path: string } | null {
  return typeof size === 'number' && typeof path === 'string' ? { size, path } : null
}

function readField(body: unknown): FieldView {
  const json = members(body)
  return {
    name: text(json['name']),
    required: json['required'] !== false,
    title: orNull(json['title']),
    type: text(json['type']),
    min: number(json['min']),
    max: number(json['max']),
    pattern: orNull(json['pattern']),
    values: list(json['values']).map(text),
    default: orNull(json['default']),
  }
}

function readWallet(json: Members): WalletView {
  const script = members(json['script'])
  return {
    country: text(json['country_code']),
    label: text(json['shop_name']),
    capabilities: list(json['merchant_capabilities']).map(text),
    networks: list(json['supported_networks']).map(text),
    application_data: orNull(json['application_data']),
    script: json['sandbox'] === true ? ownPath(text(script['url'])) : orNull(script['url']),
    script_integrity: orNull(script['integrity']),
    environment: json['environment'] === 'PRODUCTION' ? 'PRODUCTION' : json['environment'] === 'TEST' ? 'TEST' : null,
    auth_methods: list(json['auth_methods']).map(text),
    asks_address: json['billing_address'] === true,
    asks_phone: json['phone'] === true,
    gateway: orNull(json['gateway']),
    gateway_merchant_id: orNull(json['gateway_merchant_id']),
    merchant_public_id: text(json['merchant_public_id']),
    merchant_id: orNull(json['merchant_identifier']),
  }
}

/** The sandbox's replacement script is served from the page's own host, whatever the host's name is. */
const ownPath = (url: string): string | null => /^https?:\/\/[^/]+(\/[^/].*)$/.exec(url)?.[1] ?? null

function readSavedCard(body: unknown): SavedCardView {
  const json = members(body)
  return {
    token: text(json['token']),
    last: text(json['last']),
    month: number(json['month']) ?? 0,
    year: number(json['year']) ?? 0,
    brand: text(json['brand']),
    cardholder_name: orNull(json['cardholder_name']),
    expired: json['expired'] === true,
    asks: list(json['asks']).flatMap((what) => (what === 'cvv' || what === 'expiry' ? [what] : [])),
  }
}

const readSchedule = (json: Members): ScheduleView => ({
  amount: text(json['amount']),
  interval: number(json['interval']) ?? 1,
  unit: oneOf(['day', 'week', 'month', 'year'], json['unit'], 'month'),
  first_date: orNull(json['first_date']),
})

const option = (json: Members) => ({ value: text(json['value']), text: text(json['text']) })

const members = (value: unknown): Members => (isObject(value) ? value : {})
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const orNull = (value: unknown): string | null => (value === null || value === undefined ? null : text(value))
const texts = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members(value)).map(([name, one]) => [name, text(one)]))

function number(value: unknown): number | null {
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

function oneOf<T extends string>(words: readonly T[], value: unknown, otherwise: T): T {
  return words.find((word) => word === value) ?? otherwise
}

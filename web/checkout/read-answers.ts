/** Reads the server's answers member by member: a page that is older than its server must tolerate unknown values. */
import { isObject } from '#domain/json.ts'
import { languageOf } from '#domain/place/language.ts'
import type {
  CountryView,
  FieldView,
  LinkTarget,
  MethodView,
  PaymentAnswer,
  Redirect,
  SavedCardView,
  ScheduleView,
  SessionNow,
  SessionView,
  StateAnswer,
  WaitingFor,
  WalletView,
} from './page-api.ts'
import { isState } from './state/phase.ts'

type Members = Readonly<Record<string, unknown>>

export function readSession(body: unknown): SessionView {
  const given = members(body)
  const order = members(given['order'])
  const branding = members(given['branding'])
  const colours = members(branding['colours'])
  const declines = members(given['declines'])
  return {
    state: isState(given['state']) ? given['state'] : 'undefined',
    operation: oneOf(['purchase', 'debit', 'credit', 'transfer'], given['operation'], 'purchase'),
    auth: given['auth'] === true,
    test: given['test'] === true,
    moto: given['moto'] === true,
    order: {
      number: text(order['number']),
      amount: orNull(order['amount']),
      currency: text(order['currency']),
      description: text(order['description']),
    },
    vat_amount: orNull(given['vat_amount']),
    total: orNull(given['total_amount']),
    crypto_network: orNull(given['crypto_network']),
    expires_at: text(given['expires_at']),
    server_time: text(given['server_time']),
    language: languageOf(text(given['language'])),
    branding: {
      merchant: text(branding['name']),
      logo: orNull(branding['logo']),
      heading: orNull(colours['heading']),
      background: orNull(colours['background']),
      button: orNull(colours['button']),
    },
    methods: list(given['methods']).map(readMethod),
    card_tokens: list(given['card_tokens']).map(readSavedCard),
    customer: texts(given['customer']),
    billing_address: texts(given['billing_address']),
    declines: { count: number(declines['count']) ?? 0, max: number(declines['max']) ?? 0 },
    terms: isObject(given['terms']) ? { url: text(members(given['terms'])['url']) } : null,
    schedule: isObject(given['schedule']) ? readSchedule(members(given['schedule'])) : null,
    consent: given['consent'] === true,
    cancel_url: orNull(given['cancel_url']),
    redirect: readRedirect(given),
    decline_message: orNull(given['decline_message']),
    waiting_for: readWaitingFor(given['waiting_for']),
  }
}

export function readPayment(body: unknown): PaymentAnswer {
  const given = members(body)
  return {
    result: oneOf(['success', 'decline', 'redirect', 'waiting', 'undefined'], given['result'], 'undefined'),
    payment_id: text(given['payment_id']),
    redirect: readRedirect(given),
    decline_message: orNull(given['decline_message']),
    declines_left: number(given['declines_left']),
  }
}

export function readState(body: unknown): StateAnswer {
  const given = members(body)
  return {
    state: isState(given['state']) ? given['state'] : 'undefined',
    payment_id: orNull(given['payment_id']),
    waiting_for: readWaitingFor(given['waiting_for']),
    redirect: readRedirect(given),
    decline_message: orNull(given['decline_message']),
    declines_left: number(given['declines_left']),
  }
}

export function readNow(body: unknown): SessionNow {
  const given = members(body)
  return {
    state: isState(given['state']) ? given['state'] : 'undefined',
    version: number(given['version']),
    total: orNull(given['total_amount']),
    currency: orNull(given['currency']),
  }
}

/** The query whose answer `readNow` reads. */
export const askNow = (known: SessionNow | null): string =>
  known === null ? 'state?wait=0' : `state?wait=25&state=${known.state}&version=${known.version ?? ''}`

const isAddress = (url: string): boolean => /^(?:https?:\/\/|\/(?!\/))/i.test(url)

/** The member `redirect` of an answer. Only web addresses are followed, because some come from third parties. */
export function readRedirect(body: unknown): Redirect | null {
  const given = members(members(body)['redirect'])
  const url = text(given['url'])
  if (!isAddress(url)) return null
  return {
    url,
    target: oneOf<LinkTarget>(['_self', '_parent', '_top', '_blank'], given['target'], '_self'),
    continue: given['continue'] === true,
  }
}

export function readCountries(body: unknown): readonly CountryView[] {
  return list(body).map((one) => {
    const given = members(one)
    const regions = Array.isArray(given['regions'])
      ? list(given['regions']).map((region) => option(members(region)))
      : null
    return { ...option(given), regions }
  })
}

interface Refusal {
  readonly code: number
  readonly message: string
  readonly paths: readonly string[]
}

/** Each row of a validation error begins with the path of its field. Chapter 30 §1.4. */
export function readRefusal(body: unknown): Refusal {
  const given = members(body)
  const rows = list(given['errors']).map((row) => text(members(row)['error_message']))
  return {
    code: number(given['error_code']) ?? 0,
    message: rows.find((row) => !path.test(row)) ?? text(given['error_message']),
    paths: rows.flatMap((row) => path.exec(row)?.[1] ?? []),
  }
}

const path = /^([a-z_]+(?:\.[a-z_0-9]+)*): /

function readMethod(body: unknown): MethodView {
  const given = members(body)
  return {
    code: text(given['code']),
    kind: kindOf(given),
    title: orNull(given['title']),
    logo: imageOf(orNull(given['logo'])),
    fields: list(given['fields']).map(readField),
    terms: given['terms'] === true,
    networks: list(given['networks']).map(text),
    wallet: isObject(given['wallet']) ? readWallet(members(given['wallet'])) : null,
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
  const given = members(body)
  const until = orNull(given['until'])
  if (given['kind'] === 'crypto') {
    return { kind: 'crypto', address: text(given['address']), network: orNull(given['network']), until }
  }
  if (given['kind'] !== 'voucher') return null
  const url = text(given['url'])
  return { kind: 'voucher', reference: text(given['reference']), url: isAddress(url) ? url : null, until }
}

function readField(body: unknown): FieldView {
  const given = members(body)
  return {
    name: text(given['name']),
    required: given['required'] !== false,
    title: orNull(given['title']),
    type: text(given['type']),
    min: number(given['min']),
    max: number(given['max']),
    pattern: orNull(given['pattern']),
    values: list(given['values']).map(text),
    default: orNull(given['default']),
  }
}

function readWallet(given: Members): WalletView {
  const script = members(given['script'])
  return {
    country: text(given['country_code']),
    label: text(given['shop_name']),
    capabilities: list(given['merchant_capabilities']).map(text),
    networks: list(given['supported_networks']).map(text),
    application_data: orNull(given['application_data']),
    script: given['sandbox'] === true ? ownPath(text(script['url'])) : orNull(script['url']),
    script_integrity: orNull(script['integrity']),
    environment: given['environment'] === 'PRODUCTION' ? 'PRODUCTION' : given['environment'] === 'TEST' ? 'TEST' : null,
    auth_methods: list(given['auth_methods']).map(text),
    asks_address: given['billing_address'] === true,
    asks_phone: given['phone'] === true,
    gateway: orNull(given['gateway']),
    gateway_merchant_id: orNull(given['gateway_merchant_id']),
    merchant_key: text(given['merchant_key']),
    merchant_id: orNull(given['merchant_identifier']),
  }
}

/** The sandbox's replacement script is served from the page's own host, whatever the host's name is. */
const ownPath = (url: string): string | null => /^https?:\/\/[^/]+(\/[^/].*)$/.exec(url)?.[1] ?? null

function readSavedCard(body: unknown): SavedCardView {
  const given = members(body)
  return {
    token: text(given['token']),
    last: text(given['last']),
    month: number(given['month']) ?? 0,
    year: number(given['year']) ?? 0,
    brand: text(given['brand']),
    cardholder_name: orNull(given['cardholder_name']),
    expired: given['expired'] === true,
    asks: list(given['asks']).flatMap((what) => (what === 'cvv' || what === 'expiry' ? [what] : [])),
  }
}

const readSchedule = (given: Members): ScheduleView => ({
  amount: text(given['amount']),
  interval: number(given['interval']) ?? 1,
  unit: oneOf(['day', 'week', 'month', 'year'], given['unit'], 'month'),
  first_date: orNull(given['first_date']),
})

const option = (given: Members) => ({ value: text(given['value']), text: text(given['text']) })

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

/** The page's JSON API, as the SDK uses it. Chapter 30 §7.10. */
import { isObject } from '#domain/json.ts'
import type {
  CountryView,
  PaymentAnswer,
  PaymentBody,
  SessionView,
  StateAndTotal,
  StateAnswer,
} from '../checkout/page-api.ts'
import {
  readCountries,
  readPayment,
  readSession,
  readState,
  readStateAndTotal,
  stateAndTotalQuery,
} from '../checkout/read-answers.ts'

export interface PageClient {
  session(): Promise<{ readonly view: SessionView; readonly customData: unknown }>
  countries(): Promise<readonly Omit<CountryView, 'calling_code'>[]>
  pay(order: PaymentBody): Promise<PaymentAnswer>
  state(waitSeconds: number): Promise<StateAnswer>
  /** Long poll: answered at once without `known`, otherwise when the session differs from it. */
  now(known: StateAndTotal | null, signal: AbortSignal): Promise<StateAndTotal>
  walletSession(wallet: string, validationUrl: string): Promise<unknown>
}

/** A refusal of the service; the code 0 without HTTP status means that the service could not be reached. */
export class CallFailed extends Error {
  readonly http: number
  readonly code: number
  readonly errors: readonly unknown[]

  constructor(http: number, body: unknown) {
    super(memberOf(body, 'error_message', 'string') ?? 'The service cannot be reached.')
    this.http = http
    this.code = memberOf(body, 'error_code', 'number') ?? 0
    const rows = isObject(body) ? body['errors'] : []
    this.errors = Array.isArray(rows) ? rows : []
  }

  /** It is unknown whether the service received the request and what it did. */
  get unanswered(): boolean {
    return this.http === 0 || this.http >= 500
  }
}

const ANSWERED_WITHIN_MS = 60_000

/** `base` is the address of the service without a trailing slash; empty on the service's own pages. */
export function pageClient(base: string, token: string): PageClient {
  const get = (path: string, signal?: AbortSignal): Promise<unknown> =>
    call(`${base}/page/v1/${path}`, { headers: { token }, ...(signal ? { signal } : {}) })
  const post = (path: string, body: object): Promise<unknown> =>
    call(`${base}/page/v1/${path}`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    session: async () => {
      const body = await get('session').catch((error: unknown) => {
        throw isForeign(base) ? explainForbidden(error) : error
      })
      const customData: unknown = isObject(body) ? body['custom_data'] : null
      return { view: readSession(body), customData: customData ?? {} }
    },
    countries: async () =>
      readCountries(await get('countries')).map(({ value, text, regions }) => ({ value, text, regions })),
    pay: async (order) => readPayment(await post('payment', order)),
    state: async (waitSeconds) => readState(await get(`state?wait=${waitSeconds}`)),
    now: async (known, signal) => readStateAndTotal(await get(stateAndTotalQuery(known), signal)),
    walletSession: (wallet, validationUrl) => post('wallet-session', { wallet, validation_url: validationUrl }),
  }
}

const FORBIDDEN = 403

const isForeign = (base: string): boolean => base !== '' && new URL(base, location.href).origin !== location.origin

/** The service admits another site's page only on a domain that the merchant has registered for its wallets. */
function explainForbidden(error: unknown): unknown {
  if (!(error instanceof CallFailed) || error.http !== FORBIDDEN) return error
  const error_message = `The domain ${location.hostname} is not registered for this merchant’s wallets, or the session belongs to another merchant. Add the domain to the merchant’s wallet domains.`
  return new CallFailed(FORBIDDEN, { error_code: error.code, error_message })
}

async function call(url: string, init: RequestInit): Promise<unknown> {
  const patience = new AbortController()
  const late = setTimeout(() => patience.abort(), ANSWERED_WITHIN_MS)
  init.signal?.addEventListener('abort', () => patience.abort(), { once: true })
  const more = { signal: patience.signal, cache: 'no-store', credentials: 'omit' } as const
  const reply = await fetch(url, { ...init, ...more }).catch(() => null)
  const body: unknown = await reply?.json().catch(() => null)
  clearTimeout(late)
  if (reply === null || body === null || !reply.ok) throw new CallFailed(reply?.status ?? 0, body)
  return body
}

function memberOf(body: unknown, name: string, type: 'string'): string | null
function memberOf(body: unknown, name: string, type: 'number'): number | null
function memberOf(body: unknown, name: string, type: string): unknown {
  const value: unknown = isObject(body) ? body[name] : null
  return typeof value === type ? value : null
}

/** Calls of the page's server. What it answers is read in `read-answers.ts`; what it refuses is thrown. */
import type {
  BrowserReason,
  CountryView,
  PaymentAnswer,
  PaymentOrder,
  Redirect,
  SessionNow,
  SessionView,
  StateAnswer,
} from './page-api.ts'
import {
  askNow,
  readCountries,
  readNow,
  readPayment,
  readRedirect,
  readRefusal,
  readSession,
  readState,
} from './read-answers.ts'

/** The server understood and will not. */
export class Refused extends Error {
  readonly http: number
  readonly code: number
  /** The paths of the fields it complains about. */
  readonly paths: readonly string[]

  constructor(http: number, body: unknown) {
    const { code, message, paths } = readRefusal(body)
    super(message)
    this.http = http
    this.code = code
    this.paths = paths
  }
}

/** Nobody knows what the server did, if it was reached at all. */
export class Unreachable extends Error {}

export interface PageServer {
  session(language: string): Promise<SessionView>
  pay(order: PaymentOrder): Promise<PaymentAnswer>
  /** Held until something changes, or the time is over. */
  state(waitSeconds: number, language: string, signal?: AbortSignal): Promise<StateAnswer>
  /** Answered at once where nothing is known, else when that is not so any more. */
  now(known: SessionNow | null, signal: AbortSignal): Promise<SessionNow>
  close(): Promise<Redirect | null>
  walletSession(wallet: string, validationUrl: string): Promise<unknown>
  /** For the service's own records; nothing depends on it. */
  walletMissing(wallet: string, reason: BrowserReason): Promise<unknown>
  countries(language: string): Promise<readonly CountryView[]>
}

export function pageServer(token: string): PageServer {
  const get = (path: string, signal?: AbortSignal): Promise<unknown> =>
    call(path, { headers: { token }, ...(signal ? { signal } : {}) })
  const post = (path: string, body: object): Promise<unknown> =>
    call(path, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // An attempt that was sent goes on even when the payer leaves.
      keepalive: true,
    })
  return {
    session: async (language) => readSession(await get(`session?language=${encodeURIComponent(language)}`)),
    pay: async (order) => readPayment(await post('payment', order)),
    state: async (wait, language, signal) =>
      readState(await get(`state?wait=${wait}&language=${encodeURIComponent(language)}`, signal)),
    now: async (known, signal) => readNow(await get(askNow(known), signal)),
    close: async () => readRedirect(await post('close', {})),
    walletSession: (wallet, validationUrl) => post('wallet-session', { wallet, validation_url: validationUrl }),
    walletMissing: (wallet, reason) => post('wallet-missing', { wallet, reason }),
    countries: async (language) => readCountries(await get(`countries?language=${encodeURIComponent(language)}`)),
  }
}

async function call(path: string, init: RequestInit): Promise<unknown> {
  const answer = await fetch(`/page/v1/${path}`, { ...init, cache: 'no-store', credentials: 'omit' }).catch(() => null)
  if (answer === null || answer.status >= 500) throw new Unreachable()
  const body: unknown = await answer.json().catch(() => {
    throw new Unreachable()
  })
  if (!answer.ok) throw new Refused(answer.status, body)
  return body
}

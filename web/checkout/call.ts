/** Calls of the page's API. `read-answers.ts` reads the answers; refusals are thrown. */
import type {
  BrowserReason,
  CountryView,
  PaymentAnswer,
  PaymentBody,
  Redirect,
  SessionView,
  StateAndTotal,
  StateAnswer,
} from './page-api.ts'
import {
  readCountries,
  readPayment,
  readRedirect,
  readRefusal,
  readSession,
  readState,
  readStateAndTotal,
  stateAndTotalQuery,
} from './read-answers.ts'

/** The server understood the request and refused it. */
export class RefusedCall extends Error {
  readonly http: number
  readonly code: number
  /** The paths of the invalid fields. */
  readonly paths: readonly string[]

  constructor(http: number, body: unknown) {
    const { code, message, paths } = readRefusal(body)
    super(message)
    this.http = http
    this.code = code
    this.paths = paths
  }
}

/** It is unknown whether the server received the request and what it did. */
export class UnreachableServer extends Error {}

export interface PageServer {
  session(language: string): Promise<SessionView>
  pay(order: PaymentBody): Promise<PaymentAnswer>
  /** Long poll: answered when something changes or the time is over. */
  state(waitSeconds: number, language: string, signal?: AbortSignal): Promise<StateAnswer>
  /** Long poll: answered at once without `known`, otherwise when the session differs from it. */
  now(known: StateAndTotal | null, signal: AbortSignal): Promise<StateAndTotal>
  /** Gives up what the payer has left to confirm; the answer says whether that was still possible. */
  cancelStep(language: string): Promise<StateAnswer>
  close(): Promise<Redirect | null>
  walletSession(wallet: string, validationUrl: string): Promise<unknown>
  /** For the service's diagnostics; the payment does not depend on it. */
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
      // The request is completed even if the payer leaves the page.
      keepalive: true,
    })
  return {
    session: async (language) => readSession(await get(`session?language=${encodeURIComponent(language)}`)),
    pay: async (order) => readPayment(await post('payment', order)),
    state: async (wait, language, signal) =>
      readState(await get(`state?wait=${wait}&language=${encodeURIComponent(language)}`, signal)),
    now: async (known, signal) => readStateAndTotal(await get(stateAndTotalQuery(known), signal)),
    cancelStep: async (language) => readState(await post(`cancel-step?language=${encodeURIComponent(language)}`, {})),
    close: async () => readRedirect(await post('close', {})),
    walletSession: (wallet, validationUrl) => post('wallet-session', { wallet, validation_url: validationUrl }),
    walletMissing: (wallet, reason) => post('wallet-missing', { wallet, reason }),
    countries: async (language) => readCountries(await get(`countries?language=${encodeURIComponent(language)}`)),
  }
}

async function call(path: string, init: RequestInit): Promise<unknown> {
  const answer = await fetch(`/page/v1/${path}`, { ...init, cache: 'no-store', credentials: 'omit' }).catch(() => null)
  if (answer === null || answer.status >= 500) throw new UnreachableServer()
  const body: unknown = await answer.json().catch(() => {
    throw new UnreachableServer()
  })
  if (!answer.ok) throw new RefusedCall(answer.status, body)
  return body
}

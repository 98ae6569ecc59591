/**
 * OAuth client credentials: a token that is fetched with the MID's secrets and goes with every request until it ends.
 *
 * One token per MID and process. Requests that need one while it is being fetched wait for the same fetch, so that a burst causes one.
 */
import type { Credentials } from './credentials.ts'
import type { WireReply } from './reply.ts'
import { WireFault } from './wire-fault.ts'
import type { WireRequest } from './wire-request.ts'

export interface AccessToken<C extends Credentials> {
  /** Whether a MID with these credentials fetches a token, where the acquirer also knows permanent keys; by default every MID does. */
  readonly isUsed?: (credentials: C) => boolean
  /** Asks for a token. Neither this request nor its answer is ever logged. */
  readonly request: (credentials: C) => WireRequest
  /** Null if the acquirer issued none. */
  readonly read: (reply: WireReply) => IssuedToken | null
  /** The headers that carry it. */
  readonly headers: (token: string) => Readonly<Record<string, string>>
}

export interface IssuedToken {
  readonly token: string
  readonly validForMs: number
}

/** Fetched this much before its end, so that it does not end on the way. */
const marginMs = 60_000

export class HeldToken {
  readonly #fetch: () => Promise<IssuedToken | null>
  readonly #now: () => number
  #held: { readonly token: string; readonly until: number } | undefined
  #fetching: Promise<string> | undefined

  constructor(fetch: () => Promise<IssuedToken | null>, now: () => number = () => performance.now()) {
    this.#fetch = fetch
    this.#now = now
  }

  /** Rejects with a `WireFault` that says `sent: false`: the request that needs the token has not left. */
  get(): Promise<string> {
    if (this.#held && this.#now() < this.#held.until) return Promise.resolve(this.#held.token)
    this.#fetching ??= this.#renew().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  /** The acquirer refused this token. A newer one, fetched meanwhile by another request, stays. */
  drop(token: string): void {
    if (this.#held?.token === token) this.#held = undefined
  }

  async #renew(): Promise<string> {
    const begunAt = this.#now()
    const issued = await this.#fetch().catch((cause: unknown) => {
      throw noToken(cause)
    })
    if (!issued) throw noToken()
    const { token, validForMs } = issued
    this.#held = { token, until: begunAt + Math.max(validForMs - marginMs, validForMs / 2) }
    return token
  }
}

const noToken = (cause?: unknown): WireFault =>
  new WireFault('The acquirer issued no access token.', { sent: false, cause })

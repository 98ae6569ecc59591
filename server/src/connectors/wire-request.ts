/** A request of a connector: what it says before it is sent, and what signs it. */
import type { WireBody } from './body.ts'
import type { Credentials } from './credentials.ts'
import type { HttpMethod } from './send.ts'

/** Addresses by name. `api` takes every request that names no other. */
export type Hosts = Readonly<Record<string, string>> & { readonly api: string }

export interface WireOptions {
  /** The transaction's id, fixed before the first send; goes as the header `idempotency-key`. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** One of the connector's hosts by its name; `api` unless it says another. */
  readonly host?: string
  /** The answer holds a token, so that no log shows it. */
  readonly hidesAnswer?: true
}

export interface WireRequest extends WireOptions {
  readonly method: HttpMethod
  /** Below the path of the host's address, with its query string. */
  readonly path: string
  readonly body?: WireBody | undefined
}

/** A request as it is about to leave. */
export interface UnsignedRequest {
  readonly method: HttpMethod
  readonly url: URL
  /** The headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, byte for byte as it is sent; empty where there is none. */
  readonly bytes: Buffer
  /** The time for signatures that carry one. */
  readonly at: Date
}

/** Returns the headers that prove who sends, such as an API key or a signature; they replace those of the same name. */
export type Signer<C extends Credentials> = (
  request: UnsignedRequest,
  credentials: C,
) => Readonly<Record<string, string>>

/** By which the acquirer knows the MID. PEM texts; certificate and key are empty where only the acquirer's authority is given. */
export interface ClientCertificate {
  readonly certificate: string
  readonly key: string
  /** The acquirer's own certificate authority, where it is no public one. */
  readonly authority?: string | undefined
}

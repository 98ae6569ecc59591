/** What payments and protocols need of Checkout sessions, their tokens and payment links. Stored by `store/sessions/`. */
import type { PaymentRecord } from './records.ts'
import type { PaymentLinkRecord, SessionRecord, SessionRequest } from './session-records.ts'

export interface Sessions {
  add(session: SessionRecord): Promise<void>
  /** Finds the session by its identifier alone: a link or a token names nothing else. */
  find(id: string): Promise<SessionRecord | null>
  /** Newest first. */
  listPayments(session: SessionRecord): Promise<readonly PaymentRecord[]>
  /** Possible only before the first attempt. `begun` if there was an attempt, `stale` if the session has changed since it was read. */
  change(session: SessionRecord, request: SessionRequest, at: Date): Promise<'changed' | 'stale' | 'begun'>
  /** Only the first opening is stored. */
  noteOpening(session: SessionRecord, at: Date): Promise<void>
  /** Erases what was collected before; from now on only values of this collection are stored. */
  beginCollection(session: SessionRecord, collection: string | null, at: Date): Promise<void>
  /**
   * Stores what a hosted field collected; absent members stay unchanged. The verification code is stored separately and only briefly. False
   * if another collection has begun, or another frame has written since the session was read.
   */
  collect(session: SessionRecord, collected: CollectedFields, at: Date): Promise<boolean>
  /** Returns the verification code of the session's collection, as it was read, and erases it. */
  takeCode(session: SessionRecord, now: Date): Promise<Uint8Array | null>
  /** Erases verification codes that were not used in time. */
  forgetCodes(now: Date): Promise<number>
}

interface CollectedFields {
  /** The last value of its collection. */
  readonly isLast: boolean
  readonly fieldsSealed?: Uint8Array
  readonly code?: { readonly sealed: Uint8Array; readonly until: Date }
}

/** A key that signs session tokens. Chapter 30 §3.6. */
export interface SessionKeyRecord {
  /** Also the `kid` of the tokens that it signs. */
  readonly id: string
  /** The public key, DER. */
  readonly spki: Uint8Array
  readonly privateSealed: Uint8Array
  readonly createdAt: Date
}

export interface SessionKeyRows {
  /** The key that signs; null before the first was created. */
  findCurrent(): Promise<SessionKeyRecord | null>
  /** Includes retired keys, because tokens outlive their key. */
  find(id: string): Promise<SessionKeyRecord | null>
  /** False if there is already a current key: another process was first. */
  add(key: SessionKeyRecord): Promise<boolean>
  /** Retires the current key; this one signs from now on. */
  replace(key: SessionKeyRecord): Promise<void>
}

/** What a token permits: everything that a session allows, or only to collect card data in hosted fields. */
export type SessionTokenUse = 'session' | 'collect'

/** The tokens that identify a session to a browser or a merchant's server. */
export interface SessionTokens {
  issue(
    session: Pick<SessionRecord, 'id' | 'createdAt' | 'expiresAt' | 'visitorAmount'>,
    use?: SessionTokenUse,
  ): Promise<string>
  /**
   * Null for a token that we did not sign. A valid signature only permits the look-up: state and expiry come from the stored session.
   */
  read(token: string): Promise<ReadToken | null>
}

export interface ReadToken extends Pick<SessionRecord, 'visitorAmount'> {
  readonly sessionId: string
  readonly use: SessionTokenUse
}

/** Requests of this process that wait for a session's outcome. */
export interface SessionWatch {
  announceChange(sessionId: string): void
  /** Resolves at the next change, or after the given time. */
  waitForChange(sessionId: string, milliseconds: number): Promise<void>
}

/** Payment links as their pages need them. */
export interface PaymentLinks {
  withCode(code: string): Promise<PaymentLinkRecord | null>
  /** The number of successful payments. */
  countPaid(link: PaymentLinkRecord): Promise<number>
  addSession(link: PaymentLinkRecord, sessionId: string, at: Date): Promise<void>
  /** Makes this the session of a link for a single payment. False if another request was first, or the link was cancelled. */
  replaceSession(link: PaymentLinkRecord, sessionId: string): Promise<boolean>
}

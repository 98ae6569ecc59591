/** What operations and protocols need of Checkout sessions. The implementation is `store/sessions/sessions.ts`. */
import type { PaymentRecord } from './records.ts'
import type { SessionRecord, SessionRequest } from './session-records.ts'

export interface Sessions {
  add(session: SessionRecord): Promise<void>
  /** By its identifier alone: that is all that a link or a token names. */
  find(id: string): Promise<SessionRecord | null>
  /** Newest first. */
  payments(session: SessionRecord): Promise<readonly PaymentRecord[]>
  /** Until the first attempt; `begun` once there was one, `stale` when somebody else changed it first. */
  change(session: SessionRecord, request: SessionRequest, at: Date): Promise<'changed' | 'stale' | 'begun'>
  /** No attempt begins any more. */
  close(session: SessionRecord, at: Date): Promise<void>
  /** What a field collected; what was not sent stays as it is. The code is kept apart, and not for long. */
  collect(session: SessionRecord, collected: Collected, at: Date): Promise<void>
  /** Like `collect` of the fields alone; false when another frame has written since the session was read. */
  replaceFields(session: SessionRecord, sealed: Uint8Array, at: Date): Promise<boolean>
  /** The collected code, which is gone after this. */
  takeCode(session: SessionRecord, now: Date): Promise<Uint8Array | null>
  /** Codes that nobody used in time. */
  forgetCodes(now: Date): Promise<number>
}

interface Collected {
  readonly fieldsSealed?: Uint8Array
  readonly code?: { readonly sealed: Uint8Array; readonly until: Date }
}

/** A key that signs session tokens. Chapter 30 §3.6. */
export interface SessionKeyRecord {
  /** Also the `kid` of the tokens it signs. */
  readonly id: string
  /** The public half, DER. */
  readonly spki: Uint8Array
  readonly privateSealed: Uint8Array
  readonly createdAt: Date
}

export interface SessionKeyRows {
  /** The one that signs; null before the first was made. */
  current(): Promise<SessionKeyRecord | null>
  /** Retired ones too: tokens outlive their key. */
  find(id: string): Promise<SessionKeyRecord | null>
  /** False when there is a current one already: another process was first. */
  add(key: SessionKeyRecord): Promise<boolean>
  /** The current one signs nothing any more, and this one does. */
  replace(key: SessionKeyRecord): Promise<void>
}

/** The tokens by which a browser or a server names a session. */
export interface SessionTokens {
  issue(session: Pick<SessionRecord, 'id' | 'createdAt' | 'expiresAt'>): Promise<string>
  /**
   * The session's identifier; null for what we did not sign. A good signature only admits the look-up: state and expiry are
   * those of the stored session.
   */
  read(token: string): Promise<string | null>
}

/** Who waits for the outcome of a session in this process. */
export interface SessionWatch {
  changed(sessionId: string): void
  /** Resolves at the next change, or when the time is over. */
  next(sessionId: string, milliseconds: number): Promise<void>
}

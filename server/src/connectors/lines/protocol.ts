/** What a line must know of the messages on it. The connector writes it, since each kind of host has its own. */
import type { Framing } from './framing.ts'

export interface LineProtocol {
  readonly framing: Framing
  /** The same for a request and its reply, and different for any two requests in progress. Null if the message cannot be read. */
  exchangeKey(message: Buffer): string | null
  /** Sent first on every new connection. Null where the host wants none. */
  signOn(at: Date): Buffer | null
  /** Asks whether the host is still there. Null where the host has no such message. */
  echo(at: Date): Buffer | null
  /** Whether the reply to a sign-on or an echo says yes. */
  isAccepted(reply: Buffer): boolean
  /** The reply to a message that the host sends by itself, such as its own echo. Null if the message needs none. */
  replyTo(message: Buffer): Buffer | null
  /** The message as a log may show it: without card data. `request` is what the message answers, and may be quoted in it. */
  describe(message: Buffer, request?: Buffer): unknown
}

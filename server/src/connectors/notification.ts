/** What an acquirer tells us by calling us. Chapter 60 §2. */
import type { AcquirerEvent } from './reports.ts'

export interface NotificationRequest {
  /** The headers by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Exactly as it came: signatures cover the bytes. */
  readonly body: Buffer
  /** The time of the machine's clock, also in a sandbox whose clock was moved: a signature names the acquirer's time. */
  readonly receivedAt: Date
}

export type NotificationReading =
  | {
      readonly kind: 'verified'
      /** The acquirer's id of the notification; a notification with a known id is answered and not entered again. */
      readonly id: string
      readonly events: readonly AcquirerEvent[]
    }
  /** The signature is missing or wrong, too old, or made with a key that is not this MID's. Nothing of it is trusted. */
  | { readonly kind: 'unverified'; readonly reason: string }
  /** Genuine, and of no interest: a kind of report that changes no payment. */
  | { readonly kind: 'ignored'; readonly id: string }

export const rejectUnverified = (reason: string): NotificationReading => ({ kind: 'unverified', reason })

/** What the acquirer wants to read, so that it does not send the notification again. */
export interface NotificationAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export const plainOk: NotificationAnswer = { status: 200, contentType: 'text/plain; charset=utf-8', body: '' }

/** Channels to which alerts are sent, and the ports of the jobs that send them. */
import type { AlertSeverity } from '#domain/alert/alert-severity.ts'
import type { ChannelKind } from '#domain/alert/channel-kind.ts'
import type { DeliveryRules } from '#domain/alert/delivery-time.ts'
import type { Secret } from '#domain/secret.ts'

export interface ChannelRules extends DeliveryRules {
  /** The kinds of alerts that are sent; empty for all. */
  readonly kinds: readonly string[]
  readonly leastSeverity: AlertSeverity
}

export interface AlertToAnnounce {
  readonly id: string
  readonly kind: string
  readonly raisedAt: Date
}

export interface UnannouncedAlerts {
  list(limit: number): Promise<readonly AlertToAnnounce[]>
  /** The rules of all enabled channels. */
  listChannels(): Promise<readonly (ChannelRules & { readonly id: string })[]>
  /** Writes the messages and marks the alert, once. */
  announce(
    alertId: string,
    messages: readonly { readonly channelId: string; readonly nextAt: Date }[],
    at: Date,
  ): Promise<void>
}

export interface AlertMessage {
  readonly id: string
  readonly kind: string
  readonly merchantId: string | null
  readonly paymentId: string | null
  readonly text: string
  readonly raisedAt: Date
}

export interface AlertTextParts {
  readonly alerts: readonly AlertMessage[]
  /** The panel's address, without a path. */
  readonly panelUrl: string
}

/** Sends to a webhook or a chat. */
export interface AlertSender {
  /** Null if the message was accepted, else what went wrong. */
  send(channel: Pick<DueChannel, 'kind' | 'target' | 'secret'>, parts: AlertTextParts, at: Date): Promise<string | null>
  close(): Promise<void>
}

/** A channel with the alerts that are due there, oldest first. */
export interface DueChannel {
  readonly id: string
  readonly name: string
  readonly kind: ChannelKind
  readonly target: Secret<string>
  /** Signs what is sent to a webhook; null for other kinds. */
  readonly secret: Secret<string> | null
  /** The failed attempts of the oldest message. */
  readonly attempts: number
  readonly alerts: readonly AlertMessage[]
}

export interface DueChannels {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueChannel[]>
  /** Removes the messages that were sent; with `mail` in the transaction that queues it. */
  recordSent(
    channel: DueChannel,
    at: Date,
    mail: { readonly to: string; readonly subject: string; readonly text: string } | null,
  ): Promise<void>
  /** Null gives the messages up. */
  recordFailed(
    channel: DueChannel,
    fault: { readonly at: Date; readonly text: string; readonly nextAt: Date | null },
  ): Promise<void>
}

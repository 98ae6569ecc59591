/** Mail to people: the ports of the sender and of the queue. */

export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A message that is sent at once, and not queued. */
interface MessageWithFile extends Message {
  readonly attachment?: { readonly name: string; readonly type: string; readonly content: Buffer } | undefined
}

export interface MailSender {
  /** Rejects if the server did not accept the message. */
  send(message: MessageWithFile): Promise<void>
  close(): void
}

/** Callers write here and continue; a worker sends the mail. */
export interface MailQueue {
  add(message: Message): Promise<void>
}

export interface QueuedMail extends Message {
  readonly id: string
  readonly writtenAt: Date
  /** The number of failed attempts. */
  readonly attempts: number
}

/** The number of waiting mails, and since when the oldest has waited. */
export interface MailBacklog {
  readonly waiting: number
  readonly oldestAt: Date | null
}

export interface QueuedMails {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly QueuedMail[]>
  remove(id: string): Promise<void>
  postpone(id: string, nextAt: Date): Promise<void>
}

/** Mail to people: the port of whoever sends it, and of the queue in which it waits. */

export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mail {
  /** Rejects when the server did not take the message. */
  send(message: Message): Promise<void>
  close(): void
}

/** Whoever has something to say writes it here and goes on; a worker sends it. */
export interface MailQueue {
  add(message: Message): Promise<void>
}

export interface QueuedMail extends Message {
  readonly id: string
  readonly writtenAt: Date
  /** How often it was tried in vain. */
  readonly attempts: number
}

/** What waits, and since when the first of it. */
export interface MailBacklog {
  readonly waiting: number
  readonly oldestAt: Date | null
}

export interface QueuedMails {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly QueuedMail[]>
  remove(id: string): Promise<void>
  postpone(id: string, nextAt: Date): Promise<void>
}

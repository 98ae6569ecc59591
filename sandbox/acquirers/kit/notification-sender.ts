/** Sends the notices of the books until the merchant has accepted them. Notices that wait go out again after a restart. */
import type { Account, Accounts } from './accounts.ts'
import type { Books, Notice } from './books.ts'

/** How the company speaks to its merchants. */
export interface NotificationForm {
  /** Signs at the moment of sending. */
  readonly write: (content: unknown, account: Account) => NotificationMessage
  /** Whether the merchant's answer counts as accepted. */
  readonly isAccepted: (status: number, text: string) => boolean
}

interface NotificationMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Between the attempts; the last one is repeated. */
const pausesMs = [200, 500, 1_000, 2_000, 5_000, 15_000, 60_000] as const
const longestAnswerMs = 10_000

export class NotificationSender {
  readonly #books: Books<never>
  readonly #accounts: Accounts
  readonly #form: NotificationForm
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  readonly #stop = new AbortController()

  constructor(books: Books<never>, accounts: Accounts, form: NotificationForm) {
    this.#books = books
    this.#accounts = accounts
    this.#form = form
  }

  /** Sends what waits. Called after every write, and once at the start. */
  start(): void {
    for (const notice of this.#books.openNotices) {
      if (!this.#waiting.has(notice.id)) this.#plan(notice, 0, 0)
    }
  }

  /** Sends one once more, whether it was accepted or not. Returns the merchant's status, null if it did not answer. */
  async send({ account: name, content }: Notice): Promise<{ readonly status: number; readonly text: string } | null> {
    const account = this.#accounts.byName(name)
    if (!account?.notificationUrl) return null
    const { headers, body } = this.#form.write(content, account)
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(longestAnswerMs)])
    try {
      const response = await fetch(account.notificationUrl, {
        method: 'POST',
        headers,
        body,
        signal,
        redirect: 'manual',
      })
      return { status: response.status, text: await response.text() }
    } catch {
      return null
    }
  }

  stop(): void {
    this.#stop.abort()
    for (const timer of this.#waiting.values()) clearTimeout(timer)
  }

  #plan(notice: Notice, attempt: number, afterMs: number): void {
    // The time must not keep the process from ending.
    const timer = setTimeout(() => void this.#attempt(notice, attempt), afterMs).unref()
    this.#waiting.set(notice.id, timer)
  }

  async #attempt(notice: Notice, attempt: number): Promise<void> {
    const answer = await this.send(notice)
    if (this.#stop.signal.aborted) return
    if (answer && this.#form.isAccepted(answer.status, answer.text)) {
      this.#books.write({ accepted: notice.id })
      this.#waiting.delete(notice.id)
      return
    }
    this.#plan(notice, attempt + 1, pausesMs[Math.min(attempt, pausesMs.length - 1)] ?? 0)
  }
}

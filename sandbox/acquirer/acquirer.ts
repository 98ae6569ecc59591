/**
 * The sandbox acquirer without its HTTP face: requests in, replies out, everything durable before it is told.
 *
 * It knows nothing of the gateway that calls it. Its journal is its own, so that what it executed can be held against what
 * the gateway believes.
 */
import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { maskCard } from '#domain/card.ts'
import { Journal } from '../kit/journal.ts'
import { failure, type Reply } from '../kit/reply.ts'
import { saltIn } from '../kit/salt.ts'
import { answerOf } from './answer.ts'
import { Book } from './book.ts'
import { type AwaitingPayer, judge } from './judgement.ts'
import { readRequest, type TransactionRequest } from './request.ts'
import { type Fault, Scenarios } from './scenario.ts'
import { TestClock } from './test-clock.ts'
import {
  type ClockRecord,
  type Decision,
  type JournalRecord,
  type Redirect,
  stateOf,
  type Transaction,
  type TransactionRecord,
} from './transaction.ts'
import { LATE_ANSWER_MS, RESOLVES_AFTER_MS, triggerByKey, triggerFor, type Verdict } from './triggers.ts'

export class Acquirer {
  readonly book: Book
  readonly clock: TestClock
  readonly scenarios = new Scenarios()
  readonly #journal: Journal<JournalRecord>
  readonly #salt: string
  /** Requests whose key was known already: a gateway that only asks again never makes one. */
  #repeatedRequests = 0

  private constructor(book: Book, clock: TestClock, journal: Journal<JournalRecord>, salt: string) {
    this.book = book
    this.clock = clock
    this.#journal = journal
    this.#salt = salt
  }

  static async open(folder: string): Promise<Acquirer> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const book = new Book()
    const clock = new TestClock()
    const journal = await Journal.open<JournalRecord>(join(folder, 'journal.jsonl'), (record) => {
      if (record.kind === 'clock') clock.offsetMs = record.offsetMs
      else book.apply(record)
    })
    return new Acquirer(book, clock, journal, await saltIn(folder))
  }

  get repeatedRequests(): number {
    return this.#repeatedRequests
  }

  async submit(key: string | undefined, body: unknown): Promise<Reply> {
    const request = readRequest(key, body)
    if (typeof request === 'string') return failure(400, 'invalid_request', request)

    const fault = this.scenarios.strike(request.mid, request.type)
    if (fault.down) return failure(503, 'unavailable', 'Nothing was executed.')

    const known = this.book.find(request.id)
    if (known) return this.#repeat(known, request, fault)

    this.settleDue()
    const transaction = this.#execute(request, fault)
    await this.#journal.synced()

    const { manner } = isFirstTry(request) ? triggerByKey(transaction.record.trigger) : {}
    return withFault(fault, {
      status: 200,
      body: answerOf(transaction, this.clock.now(), manner === 'drop-answer'),
      ...(manner === 'link-drops' && { drop: true }),
      ...(manner === 'late' && { delayMs: LATE_ANSWER_MS }),
    })
  }

  async status(id: string, mid: string | null): Promise<Reply> {
    if (this.scenarios.isDown(mid ?? '')) return failure(503, 'unavailable', 'Ask again later.')

    const transaction = this.book.find(id)
    if (!transaction) return failure(404, 'transaction_not_found', 'No such transaction arrived.')
    if (mid !== null && mid !== transaction.record.mid) return failure(403, 'other_mid', 'It belongs to another MID.')

    this.#settle(transaction)
    await this.#journal.synced()
    return { status: 200, body: answerOf(transaction, this.clock.now(), false) }
  }

  /** The payer decides on our page, once: whoever comes later finds it decided. */
  async decide(transaction: Transaction, choice: 'approve' | 'decline'): Promise<void> {
    const { id } = transaction.record
    const instead = choice === 'decline' ? { instead: cancelledByPayer } : {}
    if (stateOf(transaction) === 'redirect') this.#commit({ kind: 'decision', id, at: this.clock.now(), ...instead })
    await this.#journal.synced()
  }

  /** Decides what has come due, and raises the disputes that have. */
  settleDue(): void {
    const now = this.clock.now()
    for (const transaction of this.book.undecided) {
      // They stand in the order of their arrival, and all wait equally long.
      if (!isDue(transaction, now)) break
      this.#settle(transaction)
    }
    for (const dispute of this.book.disputesDue(now)) this.#commit(dispute)
  }

  setClock(offsetMs: number): void {
    this.#journal.append({ kind: 'clock', offsetMs })
    this.clock.offsetMs = offsetMs
  }

  /** Settles when all that was done so far is on the disk. */
  synced(): Promise<void> {
    return this.#journal.synced()
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  async #repeat(known: Transaction, request: TransactionRequest, fault: Fault): Promise<Reply> {
    if (known.record.fingerprint !== this.#fingerprint(request)) {
      return failure(422, 'key_reused', 'The key was used with another request.')
    }
    this.#repeatedRequests++
    this.#settle(known)
    if (fault.ignoreKeys && stateOf(known) === 'approved') {
      this.#commit({ kind: 'repeat', id: known.record.id, at: this.clock.now() })
    }
    await this.#journal.synced()

    const dropAnswer = isFirstTry(request) && triggerByKey(known.record.trigger).manner === 'drop-answer'
    return withFault(fault, { status: 200, body: answerOf(known, this.clock.now(), dropAnswer) })
  }

  #execute(request: TransactionRequest, fault: Fault): Transaction {
    const group = this.#group(request)
    const { trigger, verdict, firstId } = judge(request, group, this.book, fault)
    const at = this.clock.now()
    const record: TransactionRecord = {
      kind: 'transaction',
      number: this.book.size + 1,
      id: request.id,
      type: request.type,
      mid: request.mid,
      paymentId: request.paymentId,
      orderId: request.step === 'first' ? request.orderId : null,
      firstId,
      amount: request.amount,
      currency: request.currency,
      card: request.step === 'first' ? maskCard(request.number) : null,
      group,
      trigger,
      recurring: request.step === 'first' ? request.recurring : null,
      registersCard: request.step === 'first' && request.registersCard,
      codeSent: request.step === 'first' && request.codeSent,
      fingerprint: this.#fingerprint(request),
      at,
      ...spokenAt(verdict, at),
      ...(verdict.state === 'redirect' && this.#redirect(request)),
    }
    return this.#commit(record)
  }

  #redirect(request: TransactionRequest): { redirect: Redirect } | undefined {
    if (request.step === 'later' || request.returnUrl === null) return undefined
    const key = hash('sha256', `${this.#salt}redirect ${request.id}`, 'hex').slice(0, 32)
    return { redirect: { key, returnUrl: request.returnUrl, merchant: request.descriptor } }
  }

  #settle(transaction: Transaction): void {
    if (!this.book.undecided.has(transaction) || !isDue(transaction, this.clock.now())) return
    const { id, decidesAt } = transaction.record
    this.#commit({ kind: 'decision', id, at: decidesAt ?? this.clock.now() })
  }

  #commit(record: Exclude<JournalRecord, ClockRecord>): Transaction {
    this.#journal.append(record)
    return this.book.apply(record)
  }

  /** Of the facts that the money depends on. The verification code is not among them: a later try may go without it. */
  #fingerprint(request: TransactionRequest): string {
    const { type, mid, paymentId, amount, currency } = request
    const own =
      request.step === 'first'
        ? [request.orderId, request.number, request.expiry, request.payeeNumber]
        : [request.original ?? request.reference]
    return this.#hash(JSON.stringify([type, mid, paymentId, amount, currency, ...own]))
  }

  #group(request: TransactionRequest): string | null {
    if (request.step === 'later' || !triggerFor(request.number, request.expiry).onFirstMid) return null
    return this.#hash(JSON.stringify([request.orderId, request.number]))
  }

  #hash(text: string): string {
    return hash('sha256', this.#salt + text, 'base64url').slice(0, 22)
  }
}

function isFirstTry(request: TransactionRequest): boolean {
  return request.step === 'first' && request.recurring !== 'subsequent'
}

function isDue({ record }: Transaction, now: number): boolean {
  return record.decidesAt !== null && record.decidesAt <= now
}

function withFault(fault: Fault, reply: Reply): Reply {
  const delayMs = (reply.delayMs ?? 0) + fault.delayMs
  const delay = delayMs > 0 ? { delayMs } : {}
  if (fault.dropReply) return { ...reply, ...delay, drop: true }
  if (fault.failAfter) return { ...failure(502, 'bad_gateway', 'The answer was lost.'), ...delay }
  return { ...reply, ...delay }
}

/** Hard, since no other MID may be tried against the payer's will. */
const cancelledByPayer: Decision = { state: 'declined', reason: 'Cancelled by payer', declineClass: 'hard' }

type Spoken = Pick<TransactionRecord, 'state' | 'reason' | 'declineClass' | 'decidesAt' | 'becomes'>

function spokenAt(verdict: Verdict | AwaitingPayer, at: number): Spoken {
  switch (verdict.state) {
    case 'approved':
      return { ...decision(verdict), decidesAt: verdict.unseen ? at + RESOLVES_AFTER_MS : null, becomes: null }
    case 'declined':
      return { ...decision(verdict), decidesAt: null, becomes: null }
    case 'pending':
    case 'waiting':
      return {
        state: verdict.state,
        reason: null,
        declineClass: null,
        decidesAt: verdict.becomes && at + RESOLVES_AFTER_MS,
        becomes: verdict.becomes && decision(verdict.becomes),
      }
    case 'redirect':
      return {
        state: 'redirect',
        reason: null,
        declineClass: null,
        decidesAt: null,
        becomes: decision(verdict.becomes),
      }
  }
}

function decision(verdict: Extract<Verdict, { state: 'approved' | 'declined' }>): Decision {
  if (verdict.state === 'approved') return { state: 'approved', reason: null, declineClass: null }
  return { state: 'declined', reason: verdict.reason, declineClass: verdict.declineClass }
}

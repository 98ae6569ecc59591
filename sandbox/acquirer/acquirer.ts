/**
 * The sandbox acquirer without its HTTP face: requests in, replies out, everything durable before it is told.
 *
 * It knows nothing of the gateway that calls it. Its journal is its own, so that what it executed can be held against what
 * the gateway believes.
 */
import { hash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { maskCard } from '#domain/card.ts'
import { answerOf } from './answer.ts'
import { Book } from './book.ts'
import { Journal } from './journal.ts'
import { judge } from './judgement.ts'
import { failure, type Reply } from './reply.ts'
import { readRequest, type TransactionRequest } from './request.ts'
import { type Fault, Scenarios } from './scenario.ts'
import { TestClock } from './test-clock.ts'
import {
  type ClockRecord,
  type Decision,
  type JournalRecord,
  stateOf,
  type Transaction,
  type TransactionRecord,
} from './transaction.ts'
import { LATE_ANSWER_MS, RESOLVES_AFTER_MS, triggerByKey, triggerFor, type Verdict } from './triggers.ts'

export class Acquirer {
  readonly book: Book
  readonly clock: TestClock
  readonly scenarios = new Scenarios()
  readonly #journal: Journal
  readonly #salt: string
  /** Requests whose key was known already: a gateway that only asks again never makes one. */
  #repeatedRequests = 0

  private constructor(book: Book, clock: TestClock, journal: Journal, salt: string) {
    this.book = book
    this.clock = clock
    this.#journal = journal
    this.#salt = salt
  }

  static async open(folder: string): Promise<Acquirer> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const book = new Book()
    const clock = new TestClock()
    const journal = await Journal.open(join(folder, 'journal.jsonl'), (record) => {
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
    }
    return this.#commit(record)
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

/** Kept apart from the journal, so that the journal alone does not let anybody try out card numbers. */
async function saltIn(folder: string): Promise<string> {
  const path = join(folder, 'salt')
  await writeFile(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(() => undefined)
  return readFile(path, 'utf8')
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

type Spoken = Pick<TransactionRecord, 'state' | 'reason' | 'declineClass' | 'decidesAt' | 'becomes'>

function spokenAt(verdict: Verdict, at: number): Spoken {
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
  }
}

function decision(verdict: Extract<Verdict, { state: 'approved' | 'declined' }>): Decision {
  if (verdict.state === 'approved') return { state: 'approved', reason: null, declineClass: null }
  return { state: 'declined', reason: verdict.reason, declineClass: verdict.declineClass }
}

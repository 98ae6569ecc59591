/**
 * The sandbox acquirer without HTTP: takes requests and returns replies; everything is durable before it is reported.
 *
 * It knows nothing of the gateway that calls it and has its own journal, so that tests can compare its record with the gateway's.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Journal } from '../kit/journal.ts'
import { failure, type Reply } from '../kit/reply.ts'
import { ensureSalt } from '../kit/salt.ts'
import type { DueEvent } from './agenda.ts'
import { answerOf } from './answer.ts'
import { Book, type Due } from './book.ts'
import { Fingerprints } from './fingerprints.ts'
import { judge } from './judgement.ts'
import { declinedAs } from './pages/payer-report.ts'
import { recordOf } from './record.ts'
import { readRequest, type TransactionRequest } from './request.ts'
import { TestClock } from './test-clock.ts'
import {
  awaitsPayer,
  type BookRecord,
  type Decision,
  type JournalRecord,
  stateOf,
  type Transaction,
} from './transaction.ts'
import { type Fault, type Outage, Scenarios } from './triggers/scenario.ts'
import { triggerByKey } from './triggers/trigger-choice.ts'
import { noTokens, type TokenRecord } from './triggers/wallet-triggers.ts'
import { declinedAsExpired, LATE_ANSWER_MS } from './verdict.ts'

/** How long a due event waits while a later step of its payment is undecided. */
const POSTPONED_MS = 30_000

interface AcquirerParts {
  readonly book: Book
  readonly clock: TestClock
  readonly journal: Journal<JournalRecord>
  readonly fingerprints: Fingerprints
  readonly tokens: TokenRecord
}

export class Acquirer {
  readonly book: Book
  readonly clock: TestClock
  readonly scenarios = new Scenarios()
  readonly #journal: Journal<JournalRecord>
  readonly #fingerprints: Fingerprints
  readonly #tokens: TokenRecord
  /** Requests with a known key. A gateway that queries the status instead of sending again causes none. */
  #repeatedRequests = 0

  private constructor({ book, clock, journal, fingerprints, tokens }: AcquirerParts) {
    this.book = book
    this.clock = clock
    this.#journal = journal
    this.#fingerprints = fingerprints
    this.#tokens = tokens
  }

  /** `tokens` finds the card of a wallet token that arrives encrypted. */
  static async open(folder: string, tokens: TokenRecord = noTokens): Promise<Acquirer> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const book = new Book()
    const clock = new TestClock()
    const journal = await Journal.open<JournalRecord>(join(folder, 'journal.jsonl'), (record) => {
      if (record.kind === 'clock') clock.offsetMs = record.offsetMs
      else book.apply(record)
    })
    const fingerprints = new Fingerprints(await ensureSalt(folder))
    return new Acquirer({ book, clock, journal, fingerprints, tokens })
  }

  get repeatedRequests(): number {
    return this.#repeatedRequests
  }

  async submit(key: string | undefined, body: unknown): Promise<Reply> {
    const request = readRequest(key, body)
    if (typeof request === 'string') return failure(400, 'invalid_request', request)

    const fault = this.scenarios.faultFor(request)
    if (fault.down) return outOfOrder(fault.down, 'Nothing was executed.')
    // During the wait a status query finds no such transaction, as if the request had not arrived yet.
    if (fault.queueMs > 0) await sleep(fault.queueMs)

    this.settleDue()
    const known = this.book.find(request.id)
    if (known) return this.#repeat(known, request, fault)

    const transaction = this.#execute(request, fault)
    await this.#journal.sync()

    const { answerFault } = isFirstTry(request) ? triggerByKey(transaction.record.trigger) : {}
    return withFault(fault, {
      status: 200,
      body: answerOf(transaction, this.clock.now(), answerFault === 'drop-answer'),
      ...(answerFault === 'link-drops' && { drop: true }),
      ...(answerFault === 'late' && { delayMs: LATE_ANSWER_MS }),
    })
  }

  async status(id: string, mid: string | null): Promise<Reply> {
    const outage = this.scenarios.outage(mid ?? '')
    if (outage) return outOfOrder(outage, 'Ask again later.')

    const transaction = this.book.find(id)
    if (!transaction) return failure(404, 'transaction_not_found', 'This transaction is unknown.')
    if (mid !== null && mid !== transaction.record.mid)
      return failure(403, 'other_mid', 'The transaction belongs to another MID.')

    this.settleDue()
    await this.#journal.sync()
    return { status: 200, body: answerOf(transaction, this.clock.now(), false) }
  }

  /** The payer decides once; a later decision changes nothing. `instead` replaces the outcome of an approval. */
  async decide(transaction: Transaction, instead?: Decision): Promise<void> {
    const { id } = transaction.record
    this.settleDue()
    if (awaitsPayer(transaction)) {
      this.#commit({ kind: 'decision', id, at: this.clock.now(), ...(instead && { instead }) })
    }
    await this.#journal.sync()
  }

  /** Executes due events: decisions, expired payer steps and holds, disputes. */
  settleDue(): void {
    const now = this.clock.now()
    for (const appointment of this.book.takeDue(now)) {
      const prospect = this.book.prospect(appointment.event)
      if (prospect === 'open') this.book.postpone(now + POSTPONED_MS, appointment.event)
      if (prospect === 'holds') this.#commit(recordOfDue(appointment))
    }
  }

  setClock(offsetMs: number): void {
    this.#journal.append({ kind: 'clock', offsetMs })
    this.clock.offsetMs = offsetMs
  }

  /** Resolves when all records written so far are on disk. */
  sync(): Promise<void> {
    return this.#journal.sync()
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  async #repeat(known: Transaction, request: TransactionRequest, fault: Fault): Promise<Reply> {
    if (known.record.fingerprint !== this.#fingerprints.of(request)) {
      return failure(422, 'key_reused', 'The idempotency key was used with a different request.')
    }
    this.#repeatedRequests++
    if (fault.ignoreKeys && stateOf(known) === 'approved') {
      this.#commit({ kind: 'repeat', id: known.record.id, at: this.clock.now() })
    }
    await this.#journal.sync()

    const dropAnswer = isFirstTry(request) && triggerByKey(known.record.trigger).answerFault === 'drop-answer'
    return withFault(fault, { status: 200, body: answerOf(known, this.clock.now(), dropAnswer) })
  }

  #execute(request: TransactionRequest, fault: Fault): Transaction {
    const group = this.#fingerprints.group(request, this.#tokens)
    const judgement = judge(request, { book: this.book, tokens: this.#tokens, group, fault })
    const record = recordOf(request, judgement, {
      number: this.book.size + 1,
      at: this.clock.now(),
      group,
      fingerprint: this.#fingerprints.of(request),
      pageKey: this.#fingerprints.pageKey(request.id),
      lapseAfterMs: fault.lapseAfterMs,
    })
    return this.#commit(record)
  }

  #commit(record: BookRecord): Transaction {
    this.#journal.append(record)
    return this.book.apply(record)
  }
}

function isFirstTry(request: TransactionRequest): boolean {
  return request.step === 'first' && request.recurring !== 'subsequent'
}

function recordOfDue({ at, event: { what, transaction } }: DueEvent<Due>): BookRecord {
  const { id, trigger } = transaction.record
  switch (what) {
    case 'decision':
      return { kind: 'decision', id, at }
    case 'expiry':
      return { kind: 'decision', id, at, instead: declinedAs(declinedAsExpired) }
    case 'chargeback':
      return { kind: 'chargeback', id, at, reasonCode: triggerByKey(trigger).later.chargeback ?? '' }
    case 'lapse':
      return { kind: 'lapse', id, at }
  }
}

/** Longer than any caller waits. */
const NEVER_MS = 120_000

function outOfOrder(outage: Outage, message: string): Reply {
  const unavailable = failure(503, 'unavailable', message)
  if (outage === 'unavailable') return unavailable
  return { ...unavailable, drop: true, ...(outage === 'timeout' && { delayMs: NEVER_MS }) }
}

function withFault(fault: Fault, reply: Reply): Reply {
  const delayMs = (reply.delayMs ?? 0) + fault.delayMs
  const delay = delayMs > 0 ? { delayMs } : {}
  if (fault.dropReply) return { ...reply, ...delay, drop: true }
  if (fault.failAfter) return { ...failure(502, 'bad_gateway', 'The answer was lost.'), ...delay }
  return { ...reply, ...delay }
}

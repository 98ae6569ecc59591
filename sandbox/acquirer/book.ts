/**
 * The book: everything the acquirer knows, rebuilt from the journal at start.
 *
 * `apply` is the only way in. A record is applied when it is written and again, in the same order, when the journal is
 * read back; hence nothing here looks at the clock or decides anything.
 */
import { dayMs } from '#domain/time.ts'
import { type DueEvent, EventQueue } from './agenda.ts'
import { type Charge, count, isOpenHold, newCharge } from './charge.ts'
import { Ledger } from './ledger.ts'
import { numberOf } from './references.ts'
import {
  amountOf,
  awaitsPayer,
  type BookRecord,
  type ChargebackRecord,
  type DecisionRecord,
  type LapseRecord,
  type LaterStep,
  laterSteps,
  stateOf,
  type Transaction,
  type TransactionRecord,
} from './transaction.ts'
import { triggerByKey } from './triggers/trigger-choice.ts'
import { CHARGEBACK_AFTER_MS } from './verdict.ts'

/** How long a hold lasts that is neither captured nor released. */
const HOLD_LASTS_MS = 7 * dayMs

export interface Chargeback {
  readonly sequence: number
  readonly transaction: Transaction
  readonly at: number
  readonly reasonCode: string
}

/** An event that the acquirer reports by itself. */
export interface Report {
  readonly sequence: number
  readonly kind: 'decided' | 'chargeback' | 'lapse'
  readonly transaction: Transaction
  readonly at: number
  /** Present on a chargeback. */
  readonly chargeback?: Chargeback
}

/** An event of a transaction that needs no request. */
export interface Due {
  readonly what: 'decision' | 'expiry' | 'chargeback' | 'lapse'
  readonly transaction: Transaction
}

export class Book {
  readonly ledger = new Ledger()
  readonly chargebacks: Chargeback[] = []
  readonly reports: Report[] = []
  readonly #agenda = new EventQueue<Due>()
  readonly #transactions: Transaction[] = []
  readonly #byId = new Map<string, Transaction>()
  readonly #charges = new Map<Transaction, Charge>()
  readonly #undecided = new Set<Transaction>()
  readonly #firstMids = new Map<string, string>()
  readonly #recurringTries = new Map<string, number>()
  readonly #disputed = new Set<Transaction>()
  readonly #byPageKey = new Map<string, Transaction>()
  readonly #awaiting = new Map<string, Transaction>()

  /** Returns the transaction that the record is about. */
  apply(record: BookRecord): Transaction {
    switch (record.kind) {
      case 'transaction':
        return this.#add(record)
      case 'decision':
        return this.#decide(this.#known(record.id), record)
      case 'repeat':
        return this.#repeat(this.#known(record.id), record.at)
      case 'chargeback':
        return this.#chargeBack(record)
      case 'lapse':
        return this.#lapse(record)
    }
  }

  get size(): number {
    return this.#transactions.length
  }

  get undecided(): ReadonlySet<Transaction> {
    return this.#undecided
  }

  find(id: string): Transaction | undefined {
    return this.#byId.get(id)
  }

  /** The transaction on which the payer decides at this address, even if the payer has decided already. */
  atPage(paymentId: string, key: string): Transaction | undefined {
    const transaction = this.#byPageKey.get(key)
    return transaction?.record.paymentId === paymentId ? transaction : undefined
  }

  /** The transaction of a payment that waits for its payer. */
  awaiting(paymentId: string): Transaction | undefined {
    return this.#awaiting.get(paymentId)
  }

  allAwaiting(limit: number): readonly Transaction[] {
    return [...this.#awaiting.values()].slice(-limit).reverse()
  }

  /** The charge that a later step names by the caller's id or by our reference; only of an approved first step. */
  charge(original: string | null, reference: string | null): Charge | undefined {
    const named = original === null ? this.#transactions[numberOf(reference ?? '') - 1] : this.#byId.get(original)
    const first = named?.record.firstId ? this.#byId.get(named.record.firstId) : named
    if (!first || stateOf(first) !== 'approved' || laterStepOf(first.record)) return undefined

    // Created on first use: most sales have no follow-up.
    const charge = this.#charges.get(first) ?? newCharge(first)
    this.#charges.set(first, charge)
    return charge
  }

  /** The MID that got this order with this card first. */
  firstMid(group: string): string | undefined {
    return this.#firstMids.get(group)
  }

  recurringTries(paymentId: string): number {
    return this.#recurringTries.get(paymentId) ?? 0
  }

  /** Removes due events from the queue; some may no longer apply. */
  takeDue(now: number): readonly DueEvent<Due>[] {
    return this.#agenda.take(now)
  }

  postpone(until: number, due: Due): void {
    this.#agenda.add(until, due)
  }

  /**
   * Whether the due event can still happen. A later step that is not decided yet may bring a hold or a charge back, so the event waits
   * for it. A voided charge never appears on the payer's statement, so it is not disputed.
   */
  prospect({ what, transaction }: Due): 'holds' | 'open' | 'overtaken' {
    if (what === 'decision') return this.#undecided.has(transaction) ? 'holds' : 'overtaken'
    if (what === 'expiry') return awaitsPayer(transaction) ? 'holds' : 'overtaken'
    const charge = this.charge(transaction.record.id, null)
    if (!charge || this.#disputed.has(transaction)) return 'overtaken'
    if (what === 'chargeback') return charge.voided ? openOr(charge, 'overtaken') : 'holds'
    return isOpenHold(charge) ? openOr(charge, 'holds') : openOr(charge, 'overtaken')
  }

  recent(limit: number): readonly Transaction[] {
    return this.#transactions.slice(-limit).reverse()
  }

  #add(record: TransactionRecord): Transaction {
    const transaction: Transaction = { record, decision: null }
    this.#transactions.push(transaction)
    this.#byId.set(record.id, transaction)
    this.#remember(record)
    if (awaitsPayer(transaction)) this.#await(transaction)

    const open = record.state === 'pending' || record.state === 'waiting'
    if (open && record.becomes) this.#undecided.add(transaction)
    if (open && record.decidesAt !== null) this.#agenda.add(record.decidesAt, { what: 'decision', transaction })
    if (record.state === 'approved') this.#execute(transaction, record.at)

    const later = laterStepOf(record)
    const charge = later && this.charge(record.firstId, null)
    if (!charge || record.state === 'declined') return transaction
    count(charge, later, amountOf(transaction), 1)
    if (open) charge.open++
    return transaction
  }

  #decide(transaction: Transaction, { at, instead }: DecisionRecord): Transaction {
    const { record } = transaction
    transaction.decision = instead ?? record.becomes
    this.#undecided.delete(transaction)
    if (this.#awaiting.get(record.paymentId) === transaction) this.#awaiting.delete(record.paymentId)
    this.#report('decided', transaction, at)
    const approved = stateOf(transaction) === 'approved'
    if (approved) this.#execute(transaction, at)

    const later = laterStepOf(record)
    const charge = later && this.charge(record.firstId, null)
    if (!charge) return transaction
    charge.open--
    if (!approved) count(charge, later, amountOf(transaction), -1)
    return transaction
  }

  #repeat(transaction: Transaction, at: number): Transaction {
    this.ledger.enter(transaction, at)
    return transaction
  }

  #await(transaction: Transaction): void {
    const { paymentId, redirect, money, expiresAt } = transaction.record
    const key = (redirect ?? money)?.key
    if (key !== undefined) this.#byPageKey.set(key, transaction)
    this.#awaiting.set(paymentId, transaction)
    if (expiresAt !== undefined) this.#agenda.add(expiresAt, { what: 'expiry', transaction })
  }

  #execute(transaction: Transaction, at: number): void {
    const { type, trigger, holdMs = HOLD_LASTS_MS } = transaction.record
    this.ledger.enter(transaction, at)
    if (type === 'authorize') this.#agenda.add(at + holdMs, { what: 'lapse', transaction })
    if (triggerByKey(trigger).later.chargeback === undefined || !takesMoney.has(type)) return
    this.#agenda.add(at + CHARGEBACK_AFTER_MS, { what: 'chargeback', transaction })
  }

  #chargeBack({ id, at, reasonCode }: ChargebackRecord): Transaction {
    const transaction = this.#known(id)
    const chargeback = { sequence: this.chargebacks.length + 1, transaction, at, reasonCode }
    this.#disputed.add(transaction)
    this.chargebacks.push(chargeback)
    this.#report('chargeback', transaction, at, chargeback)
    this.ledger.enter(transaction, at, 'chargeback')
    return transaction
  }

  #lapse({ id, at }: LapseRecord): Transaction {
    const transaction = this.#known(id)
    const charge = this.charge(id, null)
    if (charge) charge.released = true
    this.#report('lapse', transaction, at)
    this.ledger.enter(transaction, at, 'lapse')
    return transaction
  }

  #report(kind: Report['kind'], transaction: Transaction, at: number, chargeback?: Chargeback): void {
    this.reports.push({ sequence: this.reports.length + 1, kind, transaction, at, ...(chargeback && { chargeback }) })
  }

  /** Only for rows that depend on earlier attempts: an entry for every payment would waste memory. */
  #remember({ group, mid, recurring, trigger, paymentId }: TransactionRecord): void {
    if (group !== null && !this.#firstMids.has(group)) this.#firstMids.set(group, mid)
    if (recurring === 'subsequent' && triggerByKey(trigger).later.recurring) {
      this.#recurringTries.set(paymentId, this.recurringTries(paymentId) + 1)
    }
  }

  #known(id: string): Transaction {
    const transaction = this.#byId.get(id)
    if (!transaction) throw new Error(`The journal refers to the unknown transaction ${id}.`)
    return transaction
  }
}

const openOr = <Otherwise>({ open }: Charge, otherwise: Otherwise): 'open' | Otherwise =>
  open > 0 ? 'open' : otherwise

const takesMoney: ReadonlySet<string> = new Set(['sale', 'debit', 'transfer', 'capture'])

function laterStepOf({ type }: TransactionRecord): LaterStep | undefined {
  return laterSteps.find((step) => step === type)
}

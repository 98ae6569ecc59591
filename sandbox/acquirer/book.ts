/**
 * The book: everything the acquirer knows, rebuilt from the journal at start.
 *
 * `apply` is the only way in. A record is applied when it is written and again, in the same order, when the journal is
 * read back; hence nothing here looks at the clock or decides anything.
 */
import { type Charge, count, newCharge } from './charge.ts'
import { Ledger } from './ledger.ts'
import { numberOf } from './references.ts'
import {
  amountOf,
  type ChargebackRecord,
  type ClockRecord,
  type DecisionRecord,
  type JournalRecord,
  type LaterStep,
  laterSteps,
  stateOf,
  type Transaction,
  type TransactionRecord,
} from './transaction.ts'
import { CHARGEBACK_AFTER_MS, triggerByKey } from './triggers.ts'

export interface Chargeback {
  readonly sequence: number
  readonly transaction: Transaction
  readonly at: number
  readonly reasonCode: string
}

export class Book {
  readonly ledger = new Ledger()
  readonly chargebacks: Chargeback[] = []
  readonly #transactions: Transaction[] = []
  readonly #byId = new Map<string, Transaction>()
  readonly #charges = new Map<Transaction, Charge>()
  readonly #undecided = new Set<Transaction>()
  readonly #firstMids = new Map<string, string>()
  readonly #recurringTries = new Map<string, number>()
  readonly #disputes = new Set<ChargebackRecord>()
  readonly #byRedirectKey = new Map<string, Transaction>()

  /** Returns the transaction that the record is about. */
  apply(record: Exclude<JournalRecord, ClockRecord>): Transaction {
    switch (record.kind) {
      case 'transaction':
        return this.#add(record)
      case 'decision':
        return this.#decide(this.#known(record.id), record)
      case 'repeat':
        return this.#repeat(this.#known(record.id), record.at)
      case 'chargeback':
        return this.#chargeBack(record)
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

  /** The transaction that the payer decides on under this address. */
  awaitingPayer(paymentId: string, key: string): Transaction | undefined {
    const transaction = this.#byRedirectKey.get(key)
    return transaction?.record.paymentId === paymentId ? transaction : undefined
  }

  /** The charge that a later step names, by our caller's id or by our own reference; of an approved first step only. */
  charge(original: string | null, reference: string | null): Charge | undefined {
    const named = original === null ? this.#transactions[numberOf(reference ?? '') - 1] : this.#byId.get(original)
    const first = named?.record.firstId ? this.#byId.get(named.record.firstId) : named
    if (!first || stateOf(first) !== 'approved' || laterStepOf(first.record)) return undefined

    // Made when first asked for: most sales are never heard of again.
    const charge = this.#charges.get(first) ?? newCharge(first)
    this.#charges.set(first, charge)
    return charge
  }

  /** The MID that saw this order of this card first. */
  firstMid(group: string): string | undefined {
    return this.#firstMids.get(group)
  }

  recurringTries(paymentId: string): number {
    return this.#recurringTries.get(paymentId) ?? 0
  }

  /** Disputes whose time has come. A charge that was voided never reaches the payer's statement, so nobody disputes it. */
  disputesDue(now: number): readonly ChargebackRecord[] {
    if (this.#disputes.size === 0) return []
    return [...this.#disputes].filter(({ id, at }) => at <= now && !this.charge(id, null)?.voided)
  }

  recent(limit: number): readonly Transaction[] {
    return this.#transactions.slice(-limit).reverse()
  }

  #add(record: TransactionRecord): Transaction {
    const transaction: Transaction = { record, decision: null }
    this.#transactions.push(transaction)
    this.#byId.set(record.id, transaction)
    if (record.redirect) this.#byRedirectKey.set(record.redirect.key, transaction)
    this.#remember(record)

    const open = record.state === 'pending' || record.state === 'waiting'
    if (open && record.becomes) this.#undecided.add(transaction)
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

  #execute(transaction: Transaction, at: number): void {
    const { record } = transaction
    this.ledger.enter(transaction, at)

    const reasonCode = triggerByKey(record.trigger).later.chargeback
    if (reasonCode === undefined || !takesMoney.has(record.type)) return
    this.#disputes.add({ kind: 'chargeback', id: record.id, at: at + CHARGEBACK_AFTER_MS, reasonCode })
  }

  #chargeBack(record: ChargebackRecord): Transaction {
    for (const dispute of this.#disputes) if (dispute.id === record.id) this.#disputes.delete(dispute)
    const transaction = this.#known(record.id)
    const { at, reasonCode } = record
    this.chargebacks.push({ sequence: this.chargebacks.length + 1, transaction, at, reasonCode })
    this.ledger.enter(transaction, at, 'chargeback')
    return transaction
  }

  /** Only what some row looks at: an entry for every payment ever seen would be memory for nothing. */
  #remember({ group, mid, recurring, trigger, paymentId }: TransactionRecord): void {
    if (group !== null && !this.#firstMids.has(group)) this.#firstMids.set(group, mid)
    if (recurring === 'subsequent' && triggerByKey(trigger).later.recurring) {
      this.#recurringTries.set(paymentId, this.recurringTries(paymentId) + 1)
    }
  }

  #known(id: string): Transaction {
    const transaction = this.#byId.get(id)
    if (!transaction) throw new Error(`The journal names the unknown transaction ${id}.`)
    return transaction
  }
}

const takesMoney: ReadonlySet<string> = new Set(['sale', 'debit', 'transfer', 'capture'])

function laterStepOf({ type }: TransactionRecord): LaterStep | undefined {
  return laterSteps.find((step) => step === type)
}

/** The operations that protocols may call, and the questions that they may ask about payments, with their dependencies bound. */

import type { PaymentFacts } from '#domain/payment/facts.ts'
import type { RuleSet } from '#domain/routing/rule.ts'
import type { AcquirerEvent } from '../connectors/connector.ts'
import type { NotificationRequest } from '../connectors/notification.ts'
import type { RestoredRecord } from '../contracts/ports.ts'
import type { PaymentRecord, TransactionRecord } from '../contracts/records.ts'
import { findNewestAttempt, hideUnfinishedDecline, readNewestAttempt } from './attempt/cascade-end.ts'
import { type Chain, findValidChain, type NamedChain } from './attempt/chain.ts'
import { type CompleteRequest, complete } from './commands/calculation.ts'
import { decideByHand, type HandRequest, type HandResult } from './commands/decide-by-hand.ts'
import { enterDispute } from './commands/dispute.ts'
import { type ReturnedMoney, returnMoney } from './commands/dispute-report.ts'
import { findPayerStep, type PresentedAddress, takeStoredForm } from './commands/find-payer-step.ts'
import { takeFirstStep } from './commands/first-step.ts'
import { type FollowUpRequest, followUp } from './commands/follow-up.ts'
import { type NotificationResult, receiveNotification, refuseNotification } from './commands/notification.ts'
import { handleVisit, type Visit, type VisitResult } from './commands/payer-step.ts'
import { type RestoreReport, reconcileRestored } from './commands/reconcile-restored.ts'
import { type GiveBackRequest, recordGiveBack } from './commands/record-give-back.ts'
import { chargeChain, type RecurringRequest } from './commands/recurring.ts'
import { type RetryRequest, retry } from './commands/retry.ts'
import { type ScheduleOperations, scheduleOperations } from './commands/schedules.ts'
import {
  findSettledChargebackFault,
  recordSettledChargeback,
  type SettledChargeback,
  type SettledResult,
} from './commands/settled-chargeback.ts'
import { type MalformedToken, recordMalformed } from './methods/refused-token.ts'
import { factsOf } from './outcome/facts.ts'
import { withCurrentFirstDate } from './outcome/first-date.ts'
import { type PaymentWithTransaction, readTransaction } from './outcome/perform.ts'
import type { Deps } from './request/deps.ts'
import type { FirstStepRequest } from './request/first-step-request.ts'
import {
  type Decision,
  type HypotheticalPayment,
  type PaymentReplay,
  replay,
  type StoredPayment,
  simulate,
} from './routing/simulate.ts'
import { type PayerSessions, payerSessions } from './sessions/payer-sessions.ts'
import { type SessionOperations, sessionOperations } from './sessions/sessions.ts'

type CommandRequest = Omit<FollowUpRequest, 'command'>

export interface Operations {
  takeFirstStep(request: FirstStepRequest): Promise<PaymentWithTransaction>
  /** Records why a token of an authenticated request has no shape. */
  recordMalformedToken(refused: MalformedToken): Promise<void>
  capture(request: CommandRequest): Promise<PaymentWithTransaction>
  creditvoid(request: CommandRequest): Promise<PaymentWithTransaction>
  void(request: CommandRequest): Promise<PaymentWithTransaction>
  chargeRecurring(request: RecurringRequest): Promise<PaymentWithTransaction>
  retry(request: RetryRequest): Promise<PaymentWithTransaction>
  /** A chargeback that the acquirer reported to a person instead of to the service. */
  dispute(midId: string, event: Extract<AcquirerEvent, { kind: 'chargeback' }>): Promise<void>
  /** A chargeback that only a settlement file reports. */
  recordSettledChargeback(request: SettledChargeback): Promise<SettledResult>
  /** Why it cannot be recorded now; null if it can. */
  findSettledChargebackFault(request: SettledChargeback): Promise<string | null>
  /** The money of a chargeback came back, as a person says. False if not so much of the payment is charged back. */
  returnChargeback(payment: Pick<PaymentRecord, 'merchantId' | 'id'>, returned: ReturnedMoney): Promise<boolean>
  /** The outcome of an unresolved transaction, as two people decided it. */
  decideByHand(request: HandRequest): Promise<HandResult>
  /** Money that people gave back outside of this service. */
  recordGiveBack(request: GiveBackRequest): Promise<HandResult>
  /** An acquirer calls us about one of its MIDs, named by `mid`. */
  receiveNotification(mid: string, request: NotificationRequest): Promise<NotificationResult>
  /** Counts one that is refused unread. False if there is no such MID. */
  refuseNotification(mid: string, reason: string): Promise<boolean>
  /** DEBIT2VIRTUAL_COMPLETE of a calculated debit. */
  complete(request: CompleteRequest): Promise<PaymentWithTransaction>
  findChain(named: NamedChain): Promise<Chain | null>
  /** How a payment would be routed; under the published rules unless others are given. */
  simulate(question: HypotheticalPayment, sets?: readonly RuleSet[]): Promise<Decision>
  /** How stored payments would have been routed under other rules. */
  replay(stored: readonly StoredPayment[], drafted: RuleSet): readonly PaymentReplay[]
  /** Compares the restored record with the acquirers' records. */
  reconcileRestored(record: RestoredRecord, since: Date | null): Promise<RestoreReport>
  readonly schedules: ScheduleOperations
  readonly sessions: SessionOperations
  readonly payerSessions: PayerSessions
  /** The payment of a one-time address, before the visit counts; `waits` is false if the payer has nothing left to do. */
  findPayerStep(at: PresentedAddress): Promise<{ readonly payment: PaymentRecord; readonly waits: boolean }>
  /** A payer's browser opens a one-time address. */
  handleVisit(visit: Visit): Promise<VisitResult>
  /** Memory storage: the form that was stored for the payer; once for each address, and before it expires. */
  takeForm(at: Pick<PresentedAddress, 'paymentId' | 'key' | 'issue'>): ReturnType<typeof takeStoredForm>
  find(merchantId: string, id: string): Promise<PaymentRecord | null>
  /** The newest attempt of the payment's cascade; the payment itself if there is no cascade. */
  readNewestAttempt(payment: PaymentRecord): Promise<PaymentRecord>
  findNewestOfOrder: Deps['payments']['findNewestOfOrder']
  findNewestWithBrand: Deps['payments']['findNewestWithBrand']
  listOfOrder: Deps['payments']['listOfOrder']
  listTransactions(payment: PaymentRecord): Promise<readonly TransactionRecord[]>
  /** The payment with the date of its first plan payment as it is now. */
  withFirstDate(payment: PaymentRecord): Promise<PaymentRecord>
  /** The result of the request that used an idempotency key, if its intent was written. */
  recall(merchantId: string, useId: string): Promise<PaymentWithTransaction | null>
  facts(about: {
    readonly payment: PaymentRecord
    readonly transaction?: TransactionRecord
    readonly transactions?: readonly TransactionRecord[]
  }): PaymentFacts
}

export function operations(deps: Deps): Operations {
  return {
    takeFirstStep: (request) => takeFirstStep(deps, request),
    recordMalformedToken: (refused) => recordMalformed(deps, refused),
    findPayerStep: (at) => findPayerStep(deps, at),
    handleVisit: (visit) => handleVisit(deps, visit),
    takeForm: (at) => takeStoredForm(deps, at),
    capture: (request) => followUp(deps, { ...request, command: 'CAPTURE' }),
    creditvoid: (request) => followUp(deps, { ...request, command: 'CREDITVOID' }),
    void: (request) => followUp(deps, { ...request, command: 'VOID' }),
    chargeRecurring: (request) => chargeChain(deps, request),
    retry: (request) => retry(deps, request),
    dispute: async (midId, event) => {
      const entry = await enterDispute(deps, midId, event, { isDecided: true })
      if (entry.kind === 'later') throw new Error(entry.reason)
    },
    recordSettledChargeback: (request) => recordSettledChargeback(deps, request),
    findSettledChargebackFault: (request) => findSettledChargebackFault(deps, request),
    returnChargeback: (payment, returned) => returnMoney(deps, payment, returned),
    decideByHand: (request) => decideByHand(deps, request),
    recordGiveBack: (request) => recordGiveBack(deps, request),
    receiveNotification: (mid, request) => receiveNotification(deps, mid, request),
    refuseNotification: (mid, reason) => refuseNotification(deps, mid, reason),
    complete: (request) => complete(deps, request),
    findChain: (named) => findValidChain(deps, named),
    simulate: (payment, sets) => simulate(deps, payment, sets),
    replay: (stored, drafted) => replay(deps, stored, drafted),
    reconcileRestored: (record, since) => reconcileRestored(deps, record, since),
    schedules: scheduleOperations(deps),
    sessions: sessionOperations(deps),
    payerSessions: payerSessions(deps),
    find: (merchantId, id) => deps.payments.find(merchantId, id),
    readNewestAttempt: async (payment) => hideUnfinishedDecline((await findNewestAttempt(deps, payment)) ?? payment),
    findNewestOfOrder: async (...order) => reportablePayment(await deps.payments.findNewestOfOrder(...order)),
    findNewestWithBrand: async (...order) => reportablePayment(await deps.payments.findNewestWithBrand(...order)),
    listOfOrder: async (...order) => (await deps.payments.listOfOrder(...order)).map(hideUnfinishedDecline),
    listTransactions: (payment) => deps.payments.listTransactions(payment.merchantId, payment.id),
    withFirstDate: (payment) => withCurrentFirstDate(deps, payment),
    recall: async (merchantId, useId) => {
      const transaction = await deps.payments.findByUse(merchantId, useId)
      const payment = transaction && (await deps.payments.find(merchantId, transaction.paymentId))
      if (!payment) return null
      return payment.cascading !== null ? readNewestAttempt(deps, payment) : readTransaction(deps, payment, transaction)
    },
    facts: ({ payment, ...reported }) => factsOf(deps, payment, reported),
  }
}

const reportablePayment = (payment: PaymentRecord | null): PaymentRecord | null =>
  payment && hideUnfinishedDecline(payment)

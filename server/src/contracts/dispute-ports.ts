/** Disputes as the commands that record acquirers' reports, and the worker that warns of deadlines, use them. Chapter 70 §4. */
import type { DisputeStage } from '#domain/dispute/dispute.ts'
import type { EvidenceKind, EvidenceType } from '#domain/dispute/evidence.ts'
import type { Entry } from '#domain/money/ledger.ts'
import type { PaymentRecord } from './records.ts'

export interface OpenedDispute {
  readonly merchantId: string
  /** The id of its CHARGEBACK transaction; of an inquiry that which the transaction would have. */
  readonly id: string
  readonly paymentId: string
  readonly midId: string
  readonly reference: string
  readonly reasonCode: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly amountDecimals: number
  readonly network: string | null
  readonly openedAt: Date
}

/** A stored dispute that later reports refer to. */
export interface KnownDispute extends Pick<OpenedDispute, 'merchantId' | 'id' | 'midId' | 'reference' | 'amountMinor'> {
  /** The acquirer's reference of the dispute; null if it named none. */
  readonly caseReference: string | null
  readonly stage: DisputeStage
  /** Its money was taken; until then it is an inquiry. */
  readonly isChargedBack: boolean
  /** When its money came back; null if it did not. */
  readonly returnedAt: Date | null
  readonly returnedMinor: bigint
  /** People recorded it, and no report of the acquirer has confirmed it. */
  readonly isReturnedByHand: boolean
}

/** What the acquirer says of a dispute; null is unchanged. */
export interface DisputeReport {
  readonly stage: 'pre-arbitration' | 'won' | 'lost' | null
  /** `YYYY-MM-DD`. */
  readonly dueOn: string | null
  /** The acquirer's reference of the dispute. */
  readonly caseReference: string
  /** When the acquirer reported it, by the acquirer's clock: reports may arrive in another order. */
  readonly reportedAt: Date
  /** As the dispute was when this was decided: a report about an inquiry does not change a chargeback. */
  readonly isChargedBack: boolean
  readonly at: Date
}

/** The money of a chargeback that came back, guarded by the version of the payment. */
export interface ReturnedChargeback {
  readonly before: PaymentRecord
  readonly after: PaymentRecord
  readonly disputeId: string
  /** People decided that the dispute is won; otherwise the acquirer reports the return, and its decision apart: the issuer may still object. */
  readonly isWon: boolean
  readonly entry: Entry
  readonly at: Date
}

/** A return that people recorded, and that the acquirer did not make. */
interface UndoneReturn extends Omit<ReturnedChargeback, 'isWon'> {
  /** Of the dispute. */
  readonly midId: string
}

export interface Disputes {
  /** Once: a dispute whose chargeback is known is not changed. An inquiry becomes the chargeback, and waits for an answer again. */
  open(dispute: OpenedDispute): Promise<void>
  /** Once, and never in place of a chargeback. */
  openInquiry(dispute: OpenedDispute): Promise<void>
  /** The acquirer's own reference and reason of a dispute that was opened without them. False if it has another than `before` by now. */
  name(
    dispute: Pick<OpenedDispute, 'merchantId' | 'id' | 'reference' | 'reasonCode'>,
    before: string,
    at: Date,
  ): Promise<boolean>
  /** Oldest first. */
  listOfPayment(merchantId: string, paymentId: string): Promise<readonly KnownDispute[]>
  /** Changes nothing if a later report was entered before; a dispute that was won or lost is changed only by another decision. */
  report(dispute: Pick<KnownDispute, 'merchantId' | 'id'>, report: DisputeReport): Promise<void>
  /** The acquirer has an answer of the merchant. */
  recordArrivedAnswer(
    dispute: Pick<KnownDispute, 'merchantId' | 'id'>,
    answer: 'accepted' | 'contested',
    at: Date,
  ): Promise<void>
  /** Payment, ledger and dispute change together. False if the payment changed meanwhile, the money came back before, or the dispute is decided. */
  returnMoney(returned: ReturnedChargeback): Promise<boolean>
  /** Posts back the return that people recorded. Payment, ledger and dispute change together. False if one of them changed meanwhile. */
  undoReturn(undone: UndoneReturn): Promise<boolean>
  /** The acquirer has made the return that people recorded. */
  confirmReturn(dispute: Pick<KnownDispute, 'merchantId' | 'id'>, at: Date): Promise<void>
  /** A row of a settlement file has paid the return. */
  isReturnSettled(dispute: Pick<KnownDispute, 'id'>): Promise<boolean>
}

export interface DueDispute extends Omit<OpenedDispute, 'openedAt'> {
  readonly isChargedBack: boolean
  /** `YYYY-MM-DD`. */
  readonly dueOn: string | null
  /** The last warning, in days before the deadline. */
  readonly warnedDays: number | null
}

export interface DisputeDeadlines {
  /** Unanswered disputes whose deadline is within a week of the day. */
  listDueSoon(today: string): Promise<readonly DueDispute[]>
  /** Marks the warning and queues its mails together. */
  recordWarning(dispute: Pick<DueDispute, 'merchantId' | 'id'>, days: number, mail: DeadlineMail): Promise<void>
}

export interface DeadlineMail {
  readonly mails: readonly { readonly id: string; readonly to: string }[]
  readonly subject: string
  readonly text: string
  readonly at: Date
}

/** An answer on its way to the acquirer. Chapter 60 §5, decisions/disputes#answers. */
export interface DueAnswer {
  readonly merchantId: string
  readonly disputeId: string
  readonly id: string
  readonly answer: 'accepted' | 'contested'
  /** The acquirer's code of the reason; null where it has none. */
  readonly reason: string | null
  /** `sending`: an earlier try may have reached the acquirer. */
  readonly state: 'waiting' | 'sending'
  readonly requestedAt: Date
  /** This one included. */
  readonly tries: number
  readonly midId: string
  readonly paymentId: string
  /** Our reference of the dispute, for people. */
  readonly reference: string
  /** The acquirer's own. */
  readonly caseReference: string
}

export interface SealedEvidence {
  readonly name: string
  readonly type: EvidenceType
  readonly kind: EvidenceKind
  readonly sealed: Buffer
}

type AnswerKey = Pick<DueAnswer, 'merchantId' | 'disputeId' | 'id'>

export interface DisputeAnswers {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueAnswer[]>
  listEvidence(answer: AnswerKey): Promise<readonly SealedEvidence[]>
  /** The intent, before anything is sent that counts at the acquirer. */
  begin(answer: AnswerKey, at: Date): Promise<void>
  /** The acquirer has it. The evidence of an objection is marked as sent. */
  recordTaken(answer: AnswerKey, at: Date): Promise<void>
  /** The dispute is unanswered again, so that people are warned of its deadline. */
  recordRefused(answer: AnswerKey, at: Date, note: string): Promise<void>
  /** Whether it arrived is not known: `nextAt` is when the acquirer is asked, null if a person has to find out. */
  recordUnknown(answer: AnswerKey, nextAt: Date | null, note: string): Promise<void>
  /** Nothing has arrived. */
  postpone(answer: AnswerKey, nextAt: Date, note: string): Promise<void>
}

import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Capabilities } from '#domain/routing/candidate.ts'
import type { LimitUse } from '#domain/routing/limit-use.ts'
import type { Schedule } from '#domain/schedule/schedule.ts'
import type {
  AcquirerAccount,
  AcquirerEffects,
  AcquirerEvents,
  Answer,
  EffectsQuery,
  Outcome,
  RegisteredConnector,
  RequestRecovery,
  StatusQuery,
} from '../connectors/connector.ts'
import type {
  Beginning,
  CallbackDraft,
  CardRecord,
  CardTokenRecord,
  ChainRecord,
  DeferredCommand,
  Firing,
  Opening,
  OutcomeRecord,
  PayerStep,
  PaymentRecord,
  PlanEndReason,
  PlanRecord,
  RecordedFacts,
  ScheduleRecord,
  StoredPurpose,
  TokenUse,
  TransactionRecord,
} from './records.ts'
import type { ValueFault } from './value-faults.ts'

export type {
  BrowserReason,
  MissingButton,
  MissingReason,
  RefusedTokens,
  WalletAccount,
  WalletAccounts,
  WalletButton,
  WalletButtons,
  WalletFiles,
  WalletSessions,
} from '../wallets/tokens/account.ts'
export type {
  CallbackAddresses,
  CallbackAttempt,
  CallbackNext,
  CallbackRows,
  DueCallback,
} from './callback-ports.ts'
export type { Configuration, MerchantSecrets } from './configuration-ports.ts'
export type { Recovery, RestoredRecord } from './recovery-ports.ts'
export type {
  OpenCascade,
  OpenCascades,
  TransactionWatches,
  UnresolvedTransaction,
  UnresolvedTransactions,
  WatchedTransaction,
} from './unresolved-ports.ts'

/** The only source of business time. A sandbox instance can move it forward, so SQL never reads the database's clock for business time. */
export interface Clock {
  now(): Date
}

/** The only source of identifiers and randomness. */
export interface Ids {
  /** A time-ordered UUID (version 7), so that indexes stay compact. */
  next(): string
  /** Random bytes as lower-case hexadecimal, two characters each. */
  random(bytes: number): string
}

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

type AlertDraft = { kind: AlertKind; merchantId: string | null; paymentId: string | null; text: string; once?: true }

export interface Alerts {
  /** Raises the alert; with `once` not while one of this kind with this text is open. */
  raise(alert: AlertDraft): Promise<void>
}

/** Why nothing was written, or `opened`. `session-changed` includes a session that was closed. */
export type OpenResult =
  | 'opened'
  | 'idempotency-clash'
  | 'duplicate-order'
  | 'token-used'
  | 'session-busy'
  | 'session-changed'
  | LimitClash
  | 'budget-spent'
  /** The declined attempt that this one follows has changed, or its cascade has ended. */
  | 'cascade-ended'

/** The limit that has no room left. */
export type LimitClash = 'mid-day-limit' | 'mid-month-limit' | 'mapping-day-limit' | 'mapping-week-limit'

/**
 * Payments. Every change is one statement guarded by the version that was read. A second writer changes nothing, reads again and decides
 * again.
 */
export interface Payments {
  open(opening: Opening): Promise<OpenResult>
  /** The data that was sealed with the payment; null once erased. */
  readSealedData(merchantId: string, paymentId: string, purpose: StoredPurpose): Promise<Uint8Array | null>
  /** The `check` names of those token ids that were used before. */
  listUsedBefore(uses: readonly TokenUse[]): Promise<readonly string[]>
  begin(beginning: Beginning): Promise<'begun' | 'stale' | 'idempotency-clash' | 'budget-spent' | LimitClash>
  settle(outcome: OutcomeRecord): Promise<'settled' | 'stale'>
  /** Writes an action that the acquirer took by itself, such as a chargeback. Like `settle`, but no command began the transaction. */
  enter(outcome: OutcomeRecord): Promise<'settled' | 'stale'>
  find(merchantId: string, id: string): Promise<PaymentRecord | null>
  /** Searches only payments of these protocols. */
  findNewestOfOrder(
    merchantId: string,
    orderId: string,
    mode: Mode,
    protocols: readonly Protocol[],
  ): Promise<PaymentRecord | null>
  /** The newest `atMost` payments of the order, newest first. */
  listOfOrder(
    merchantId: string,
    orderId: string,
    mode: Mode,
    search: { readonly protocols: readonly Protocol[]; readonly atMost: number },
  ): Promise<readonly PaymentRecord[]>
  /** Searches only payments made with a brand of the catalogue, by any protocol. */
  findNewestWithBrand(merchantId: string, orderId: string, mode: Mode): Promise<PaymentRecord | null>
  /** The newest payment of the order that was not declined. */
  findNewestUndeclined(merchantId: string, orderId: string, mode: Mode): Promise<PaymentRecord | null>
  listTransactions(merchantId: string, paymentId: string): Promise<readonly TransactionRecord[]>
  /** Adds what the acquirer reported about an ended transaction, such as its number in the networks' clearing. */
  addFacts(transaction: TransactionRecord, facts: RecordedFacts): Promise<void>
  findByUse(merchantId: string, useId: string): Promise<TransactionRecord | null>
  /** Finds the payment by the identifier that an acquirer reports. Acquirers know our payments but not our merchants. */
  findAtMid(midId: string, id: string): Promise<PaymentRecord | null>
  readAtMid(midId: string, id: string): Promise<PaymentAtMid | null>
  /** The times of recent retries of the card. */
  listTriesOfCard(merchantId: string, cardId: string): Promise<readonly Date[]>
  /** The newest attempt of the cascade that begins with this payment; the payment itself if no attempt followed. */
  findNewestOfCascade(merchantId: string, firstId: string): Promise<PaymentRecord | null>
}

export interface PaymentAtMid {
  readonly payment: PaymentRecord
  /** In the order in which they began. */
  readonly transactions: readonly TransactionRecord[]
}

export interface Chains {
  /** `id` is the recurring token. */
  find(merchantId: string, id: string): Promise<ChainRecord | null>
}

export interface Schedules {
  /** False if the id is taken: the same request created it before. */
  add(schedule: ScheduleRecord, createdAt: Date): Promise<boolean>
  find(merchantId: string, id: string): Promise<ScheduleRecord | null>
  /** Writes the schedule and all its running plans, as changed by `replan`, in one transaction. `deletedAt` deletes the schedule. */
  change(
    before: ScheduleRecord,
    after: Schedule,
    replan: (plan: PlanRecord) => PlanRecord,
    deletedAt?: Date,
  ): Promise<'changed' | 'stale'>
}

/** Plans and their due payments. */
export interface Plans {
  /** Plans due at `now`. A plan whose newest payment has no outcome yet is not due. */
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly PlanRecord[]>
  fire(firing: Firing): Promise<'fired' | 'stale' | LimitClash>
  postpone(plan: PlanRecord, nextAt: Date): Promise<void>
  /** Whether the plan still charges for payments that it created before. */
  readState(merchantId: string, id: string): Promise<'goes on' | 'paused' | 'stopped'>
  /** The plan that charges this chain. */
  findOfChain(merchantId: string, chainId: string): Promise<PlanRecord | null>
  /** The date of the first payment of the plan that this payment began; null if the plan ended before it made one. */
  findFirstDate(merchantId: string, chainId: string, startedBy: string): Promise<string | null>
  /** Ends the running plan of a chain, or of all chains, on a schedule. Returns how many ended. */
  end(schedule: ScheduleRecord, chainId: string | null, reason: PlanEndReason): Promise<number>
}

export interface DeferredCommands {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DeferredCommand[]>
  postpone(command: DeferredCommand, dueAt: Date): Promise<void>
  drop(command: DeferredCommand): Promise<void>
}

/** How far each MID's acquirer events have been read. */
export interface AcquirerCursors {
  claim(midIds: readonly string[], now: Date, limit: number, leaseSeconds: number): Promise<readonly AcquirerCursor[]>
  keep(cursor: AcquirerCursor, nextAt: Date): Promise<void>
}

export interface AcquirerCursor {
  readonly midId: string
  /** Empty before the first report. */
  readonly cursor: string
}

/** Pages that payers were sent to, and whether they came back. */
export interface PayerSteps {
  findNewest(payment: Pick<PaymentRecord, 'merchantId' | 'id'>): Promise<PayerStep | null>
  /** Finds the step by the payment's identifier alone: a returning browser presents nothing else. */
  findNewestById(paymentId: string): Promise<PayerStep | null>
  /** False if another process ended it first, so that a step ends once. The winner gets a lease on the step's transaction. */
  end(step: PayerStep, state: 'returned' | 'expired', at: Date, leaseSeconds: number): Promise<boolean>
  /** The device data collector has finished: the same step continues at another address. */
  move(step: PayerStep, to: Pick<PayerStep, 'url' | 'method' | 'params' | 'mpi'>): Promise<void>
  /** Memory storage: returns the form once for each address, counted by `issue`, and before it expires; otherwise null. */
  giveOut(payment: Pick<PaymentRecord, 'merchantId' | 'id'>, issue: number, now: Date): Promise<PayerStep | null>
  claimExpired(now: Date, limit: number, leaseSeconds: number): Promise<readonly PayerStep[]>
}

export interface Cards {
  /** Stores a card that does not pay: the recipient's card of a transfer. */
  keep(card: CardRecord, createdAt: Date): Promise<void>
  find(merchantId: string, id: string): Promise<CardRecord | null>
  findToken(merchantId: string, token: string): Promise<CardTokenRecord | null>
  /** A token of another merchant is refused differently from an unknown one. */
  isTokenOfAny(token: string): Promise<boolean>
  /** Whether any payment of the merchant was meant to issue the token, whatever its outcome. */
  isIssued(merchantId: string, token: string, mode: Mode): Promise<boolean>
}

/** The acquirer of a MID: its connector, and exchanges that return network failures as values instead of throwing. */
export interface Acquirer {
  readonly connector: RegisteredConnector
  /** What it offers. Its operations are called inside `exchange`, which makes an outcome of every failure. */
  readonly account: AcquirerAccount
  /** Why no request is sent: the stored credentials do not fit the connector. Null if they do. */
  readonly unusableBecause: ValueFault | null
  readonly recovery: RequestRecovery
  exchange(operation: string, call: () => Promise<Outcome>): Promise<Outcome>
  /** Makes the call of `account.undo`: one that did not reach the acquirer leaves the transaction unknown. */
  undo(call: () => Promise<Outcome>): Promise<Outcome>
  status(query: StatusQuery): Promise<Answer>
  /** Events since the cursor that no request of ours caused; null if the acquirer reports none or could not be reached. */
  events(cursor: string): Promise<AcquirerEvents | null>
  /** Null if the acquirer cannot list them, or could not be reached. */
  effects(query: EffectsQuery): Promise<AcquirerEffects | null>
}

export interface Acquirers {
  find(midId: string): Promise<Acquirer>
  connector(id: string): RegisteredConnector | null
  capabilities(connectorId: string): Capabilities
}

/** Writes the callback for a transaction in the format of the payment's protocol; null if no callback is due. */
export interface Reporter {
  composeCallback(payment: PaymentRecord, transaction: TransactionRecord): Promise<CallbackDraft | null>
}

/** How much of each limit is used. Read only if a candidate has limits. */
export interface LimitUsages {
  /** In the order of `uses`, which are limits of the MID and of its mapping: minor units, or a number of payments. */
  readUsage(midId: string, uses: readonly LimitUse[]): Promise<readonly bigint[]>
}

/** The result of an attempt to use an idempotency key. `useId` identifies this use, because a key may be used again after a day. */
export type KeyUse =
  | { readonly use: 'first'; readonly useId: string }
  /** The first process died. If it wrote an intent, that intent has the outcome. */
  | { readonly use: 'abandoned'; readonly useId: string }
  | { readonly use: 'running' }
  | { readonly use: 'other-body' }
  | { readonly use: 'answered'; readonly http: number; readonly body: string }

export interface StoredAnswer {
  readonly http: number
  readonly body: string
}

export interface Idempotency {
  /** A key that is not renewed within this time counts as abandoned. */
  readonly leaseMs: number
  take(merchantId: string, key: string, bodyHash: Buffer): Promise<KeyUse>
  /** Extends the use by another lease, so that no other process takes the key. */
  renew(merchantId: string, key: string, useId: string): Promise<void>
  /** Stores the answer unless this use already has one. Returns the stored answer. */
  keep(merchantId: string, key: string, useId: string, answer: StoredAnswer): Promise<StoredAnswer>
  /** Does nothing if the key is in another use by now. */
  release(merchantId: string, key: string, useId: string): Promise<void>
}

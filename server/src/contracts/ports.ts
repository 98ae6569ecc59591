import type { Mode, Protocol } from '#domain/merchant.ts'
import type { Capabilities } from '#domain/routing/candidate.ts'
import type { LimitUse } from '#domain/routing/limit-use.ts'
import type { Schedule } from '#domain/schedule/schedule.ts'
import type {
  AcquirerEffects,
  AcquirerEvents,
  Answer,
  Connector,
  Outcome,
  RequestRecovery,
} from '../connectors/connector.ts'
import type { Wire } from '../connectors/wire.ts'
import type {
  Beginning,
  CallbackDraft,
  CardRecord,
  CardTokenRecord,
  ChainRecord,
  DeferredCommand,
  Firing,
  KeptPurpose,
  Opening,
  PayerStep,
  PaymentRecord,
  PlanEndReason,
  ScheduleRecord,
  Settlement,
  SubscriptionRecord,
  TokenUse,
  TransactionRecord,
} from './records.ts'

/** The wallets of merchants; a file of its own because it speaks the words of tokens. */
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
/** The outbox, in a file of its own. */
export type {
  CallbackAddresses,
  CallbackAttempt,
  CallbackNext,
  CallbackRows,
  DueCallback,
} from './callback-ports.ts'
/** What is configured, in a file of its own. */
export type { Configuration, MerchantSecrets } from './configuration-ports.ts'
/** Recovery after a restore, in a file of its own. */
export type { Recovery, RestoredRecord } from './recovery-ports.ts'
/** What is not known of sent transactions, in a file of its own. */
export type {
  DoubtfulTransaction,
  OpenCascade,
  OpenCascades,
  TransactionWatches,
  Unresolved,
  WatchedTransaction,
} from './unresolved-ports.ts'

/** The only source of time. An instance in sandbox mode moves it forward; SQL never reads its own clock for business time. */
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

export interface Alerts {
  raise(alert: { kind: string; merchantId: string | null; paymentId: string | null; text: string }): Promise<void>
}

/** Why nothing was written, where something was in the way. `session-changed` also when the session was closed. */
export type Opened =
  | 'opened'
  | 'idempotency-clash'
  | 'duplicate-order'
  | 'token-used'
  | 'session-busy'
  | 'session-changed'
  | LimitClash
  | 'budget-spent'
  /** The attempt that it was to follow was changed, or its cascade ended, meanwhile. */
  | 'cascade-ended'

/** No room in one of the limits. */
export type LimitClash = 'mid-day-limit' | 'mid-month-limit' | 'mapping-day-limit' | 'mapping-week-limit'

/**
 * Payments. Every change is one statement guarded by the version that was read: it locks the row, and a writer that
 * came second changes nothing, reads again and decides again.
 */
export interface Payments {
  open(opening: Opening): Promise<Opened>
  /** What was sealed with the payment and is still there. */
  kept(merchantId: string, paymentId: string, purpose: KeptPurpose): Promise<Uint8Array | null>
  /** Those of the tokens' ids that were used before, by their checks. */
  usedBefore(uses: readonly TokenUse[]): Promise<readonly string[]>
  begin(beginning: Beginning): Promise<'begun' | 'stale' | 'idempotency-clash' | 'budget-spent' | LimitClash>
  settle(settlement: Settlement): Promise<'settled' | 'stale'>
  /** What the acquirer did by itself: like `settle`, but of a transaction that nobody began. */
  enter(settlement: Settlement): Promise<'settled' | 'stale'>
  find(merchantId: string, id: string): Promise<PaymentRecord | null>
  /** Among the payments of these protocols. */
  newestOfOrder(
    merchantId: string,
    orderId: string,
    mode: Mode,
    protocols: readonly Protocol[],
  ): Promise<PaymentRecord | null>
  /** The newest so many of them, newest first. */
  ofOrder(
    merchantId: string,
    orderId: string,
    mode: Mode,
    protocols: readonly Protocol[],
    atMost: number,
  ): Promise<readonly PaymentRecord[]>
  /** Among those made with a brand of the catalogue, whichever protocol made them. */
  newestWithBrand(merchantId: string, orderId: string, mode: Mode): Promise<PaymentRecord | null>
  /** The newest that was not declined. */
  standingOfOrder(merchantId: string, orderId: string, mode: Mode): Promise<PaymentRecord | null>
  transactions(merchantId: string, paymentId: string): Promise<readonly TransactionRecord[]>
  byUse(merchantId: string, useId: string): Promise<TransactionRecord | null>
  /** By an identifier that an acquirer names, which knows our payments but not our merchants. */
  atMid(midId: string, id: string): Promise<PaymentRecord | null>
  /** When the card was tried again lately. */
  triesOfCard(merchantId: string, cardId: string): Promise<readonly Date[]>
  /** The newest attempt of the cascade that begins with this payment, which is the payment itself where nothing followed it. */
  newestOfCascade(merchantId: string, firstId: string): Promise<PaymentRecord | null>
}

export interface Chains {
  /** By its token. */
  find(merchantId: string, id: string): Promise<ChainRecord | null>
}

export interface Schedules {
  /** False when the id is taken: the same request made it before. */
  add(schedule: ScheduleRecord, createdAt: Date): Promise<boolean>
  find(merchantId: string, id: string): Promise<ScheduleRecord | null>
  /** Writes the schedule and every running plan of it, as `replan` changes them, in one transaction. `deletedAt` deletes it. */
  change(
    before: ScheduleRecord,
    after: Schedule,
    replan: (subscription: SubscriptionRecord) => SubscriptionRecord,
    deletedAt?: Date,
  ): Promise<'changed' | 'stale'>
}

/** Plans, and what is due of them. */
export interface Subscriptions {
  /** Plans due at `now` whose newest payment has an outcome. */
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly SubscriptionRecord[]>
  fire(firing: Firing): Promise<'fired' | 'stale' | LimitClash>
  postpone(subscription: SubscriptionRecord, nextAt: Date): Promise<void>
  /** Whether a plan still takes money for the payments it has made. */
  standing(merchantId: string, id: string): Promise<'goes on' | 'paused' | 'stopped'>
  /** The plan that the chain runs on. */
  ofChain(merchantId: string, chainId: string): Promise<SubscriptionRecord | null>
  /** Ends the running plan of a chain, or of every chain, on a schedule; answers how many ended. */
  end(schedule: ScheduleRecord, chainId: string | null, reason: PlanEndReason): Promise<number>
}

export interface DeferredCommands {
  claim(now: Date, limit: number, leaseSeconds: number): Promise<readonly DeferredCommand[]>
  postpone(command: DeferredCommand, dueAt: Date): Promise<void>
  drop(command: DeferredCommand): Promise<void>
}

/** What acquirers report by themselves, MID by MID. */
export interface AcquirerCursors {
  claim(midIds: readonly string[], now: Date, limit: number, leaseSeconds: number): Promise<readonly AcquirerCursor[]>
  keep(cursor: AcquirerCursor, nextAt: Date): Promise<void>
}

export interface AcquirerCursor {
  readonly midId: string
  /** Empty before the first report. */
  readonly cursor: string
}

/** Where payers were sent. */
export interface PayerSteps {
  /** By the payment's identifier alone: that is all a returning browser has. */
  newest(paymentId: string): Promise<PayerStep | null>
  /** False when another process ended it first: a step counts once. Its transaction is leased to the one that did. */
  end(step: PayerStep, state: 'returned' | 'expired', at: Date, leaseSeconds: number): Promise<boolean>
  /** The collector is done: the same step goes on elsewhere. */
  move(step: PayerStep, to: Pick<PayerStep, 'url' | 'method' | 'params' | 'mpi'>): Promise<void>
  /** Memory storage: the form, once and in time; null otherwise. */
  giveOut(paymentId: string, now: Date): Promise<PayerStep | null>
  /** Whether the form is still there to be given out. */
  isStored(paymentId: string, now: Date): Promise<boolean>
  claimExpired(now: Date, limit: number, leaseSeconds: number): Promise<readonly PayerStep[]>
}

export interface Cards {
  /** A card that is not the payment's own: the recipient's of a transfer. */
  keep(card: CardRecord, createdAt: Date): Promise<void>
  find(merchantId: string, id: string): Promise<CardRecord | null>
  /** By the token alone, because a token of another merchant is told apart from an unknown one. */
  token(token: string): Promise<CardTokenRecord | null>
  /** Whether a payment of the merchant was to issue the token, whatever became of it. */
  issued(merchantId: string, token: string, test: boolean): Promise<boolean>
}

/** A MID's acquirer: its connector, and a way to ask that never throws for what the network does. */
export interface Acquirer {
  readonly connector: Connector
  readonly recovery: RequestRecovery
  /** A request that could not leave before `sendBy`, by this process's monotonic clock, does not leave any more. */
  exchange(
    operation: string,
    call: (connector: Connector, wire: Wire) => Promise<Outcome>,
    sendBy: number,
  ): Promise<Outcome>
  status(call: (connector: Connector, wire: Wire) => Promise<Answer>): Promise<Answer>
  /** What happened there without our asking, after the cursor; null when it reports nothing or could not be reached. */
  events(cursor: string): Promise<AcquirerEvents | null>
  /** Null when it cannot be asked for them. */
  effects(cursor: string): Promise<AcquirerEffects | null>
}

export interface Acquirers {
  of(midId: string): Promise<Acquirer>
  connector(id: string): Connector | null
  capabilities(connectorId: string): Capabilities
}

/** Says what the merchant is told about a transaction, in the words of the payment's protocol; null when nothing. */
export interface Reporter {
  draft(payment: PaymentRecord, transaction: TransactionRecord): Promise<CallbackDraft | null>
}

/** What was used of the limits; read only when a candidate has any. */
export interface Usage {
  /** In the order of `uses`, which are limits of the MID and of its mapping. */
  of(midId: string, uses: readonly LimitUse[]): Promise<readonly Used[]>
}

interface Used {
  readonly amountMinor: bigint
  readonly count: number
}

/** How the store answers an attempt to use a key. `useId` names this use of it, because a key may be used anew after a day. */
export type KeyUse =
  | { readonly use: 'first'; readonly useId: string }
  /** The first process died: its intent, if any, tells the outcome. */
  | { readonly use: 'abandoned'; readonly useId: string }
  | { readonly use: 'running' }
  | { readonly use: 'other-body' }
  | { readonly use: 'answered'; readonly http: number; readonly body: string }

export interface KeptAnswer {
  readonly http: number
  readonly body: string
}

export interface Idempotency {
  /** After this time without a renewal a key counts as abandoned. */
  readonly leaseMs: number
  take(merchantId: string, key: string, bodyHash: Buffer): Promise<KeyUse>
  /** The use goes on: nobody else may take the key for another lease. */
  renew(merchantId: string, key: string, useId: string): Promise<void>
  /** Keeps an answer unless another one of the same use was kept meanwhile; answers the one that stands. */
  keep(merchantId: string, key: string, useId: string, answer: KeptAnswer): Promise<KeptAnswer>
  /** Does nothing when the key is in another use by now. */
  release(merchantId: string, key: string, useId: string): Promise<void>
}

/** The operations of the hosted page and hosted fields on an existing session. Chapter 30 §7.10, §8. */
import type { Secret } from '#domain/secret.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { SessionRecord, SessionRequest } from '../../contracts/session-records.ts'
import { cancelStep } from '../commands/cancel-step.ts'
import { findNextRedirect, type NextRedirect } from '../commands/find-payer-step.ts'
import type { PaymentWithTransaction } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { loadSessionContext, type SessionContext, withOrderAmount } from './session-context.ts'
import {
  beginCollection,
  type CollectedCard,
  collect,
  type FieldSending,
  type FieldValues,
  readCollectedCard,
  takeCode,
} from './session-fields.ts'
import { pay, recallAttempt, type SessionAttempt } from './session-payment.ts'

export interface PayerSessions {
  /** With the amount that the visitor of a payment link chose, in place of the stored one. */
  find(id: string, visitorAmount?: string): Promise<SessionRecord | null>
  /** Null if its merchant can no longer take payments. */
  load(session: SessionRecord): Promise<SessionContext | null>
  /** A payer's browser shows the page. */
  noteOpening(session: SessionRecord): Promise<void>
  pay(context: SessionContext, attempt: SessionAttempt): Promise<PaymentWithTransaction>
  /** The result of an attempt that the browser repeats. */
  recall(session: SessionRecord, attemptId: string): Promise<PaymentWithTransaction | null>
  /** The address at which the payer can continue an open step; each works once. Null if no step is open. */
  findNextRedirect(payment: PaymentRecord): Promise<NextRedirect | null>
  /** The payer gives up the open step of an attempt. Without effect if the attempt has gone on meanwhile or cannot be stopped. */
  cancelStep(payment: PaymentRecord): Promise<void>
  /** Resolves when this process wrote an outcome or a change of the session, or when the time is over. */
  waitForChange(session: SessionRecord, milliseconds: number): Promise<void>
  /** Erases what was collected before. */
  beginCollection(session: SessionRecord, collection: string | null): Promise<void>
  collect(session: SessionRecord, values: FieldValues, sending: FieldSending): Promise<void>
  readCollected(session: SessionRecord): Promise<CollectedCard>
  takeCode(session: SessionRecord): Promise<Secret<string> | null>
  update(session: SessionRecord, request: SessionRequest): Promise<'changed' | 'stale' | 'begun'>
}

export function payerSessions(deps: Deps): PayerSessions {
  const { sessions, clock, watch } = deps
  return {
    find: async (id, visitorAmount) => {
      const session = await sessions.find(id)
      return session && (visitorAmount === undefined ? session : withVisitorAmount(session, visitorAmount))
    },
    load: (session) => loadSessionContext(deps, session),
    noteOpening: (session) => sessions.noteOpening(session, clock.now()),
    pay: (context, attempt) => pay(deps, context, attempt),
    recall: (session, attemptId) => recallAttempt(deps, session, attemptId),
    findNextRedirect: (payment) => findNextRedirect(deps, payment),
    cancelStep: (payment) => cancelStep(deps, payment),
    waitForChange: (session, milliseconds) => watch.waitForChange(session.id, milliseconds),
    beginCollection: (session, collection) => beginCollection(deps, session, collection),
    collect: (session, values, sending) => collect(deps, session, values, sending),
    readCollected: (session) => readCollectedCard(deps, session),
    takeCode: (session) => takeCode(deps, session),
    update: async (session, request) => {
      const written = await sessions.change(session, request, clock.now())
      if (written === 'changed') watch.announceChange(session.id)
      return written
    },
  }
}

/** A visitor of a payment link pays the amount that the visitor chose, whatever the stored one is. */
export const withVisitorAmount = (session: SessionRecord, visitorAmount: string): SessionRecord => ({
  ...withOrderAmount(session, visitorAmount),
  visitorAmount,
})

/** Answers to disputes: given by people, sent by a worker, ended by what the acquirer says. */

import { closedStages } from '#domain/dispute/dispute.ts'
import type { RowKey } from '#server/contracts/records.ts'
import type { DisputeAnswers, DueAnswer, SealedEvidence } from '../../../contracts/dispute-ports.ts'
import { literals } from '../../database/columns.ts'
import { databaseNow } from '../../database/lease.ts'
import { type Nothing, type Queryable, query, sql } from '../../database/pool.ts'

/** It may be at the acquirer: it was sent, or a worker holds it. */
export const onItsWay = (name: string): string =>
  `(${name}.state in ('sending', 'unknown') or (${name}.state = 'waiting' and coalesce(${name}.lease_until >= ${databaseNow}, false)))`

type Key = readonly [merchantId: string, disputeId: string, id: string]

export interface DisputeAnswerRow {
  readonly id: string
  readonly answer: 'accepted' | 'contested'
  readonly way: 'acquirer' | 'hand'
  readonly state: 'waiting' | 'sending' | 'taken' | 'refused' | 'unknown'
  readonly reason: string | null
  readonly note: string | null
  readonly requestedBy: string
  readonly requestedAt: Date
  readonly sentAt: Date | null
  readonly endedAt: Date | null
}

const listAnswers = sql<DisputeAnswerRow, readonly [string, string]>(
  'dispute-answer.list',
  `select id, answer, way, state, reason, note, requested_by as "requestedBy", requested_at as "requestedAt", sent_at as "sentAt",
     ended_at as "endedAt"
   from dispute_answers where merchant_id = $1 and dispute_id = $2 order by requested_at, id limit 100`,
)

/** Of two people who answer at once one finds the dispute answered. */
const giveAnswer = sql<{ id: string }, readonly unknown[]>(
  'dispute-answer.give',
  `with answered as (
     update disputes set answer = $4, answered_at = $8, changed_at = $8
     where merchant_id = $1 and id = $2 and answer is null and stage not in (${literals(closedStages)}) returning id
   )
   insert into dispute_answers (merchant_id, dispute_id, id, answer, way, state, reason, requested_by, requested_at, sent_at, ended_at, next_at)
   select $1, $2, $3, $4, $5, case when $5 = 'hand' then 'taken' else 'waiting' end, $6, $7, $8,
     case when $5 = 'hand' then $8 end, case when $5 = 'hand' then $8 end, case when $5 = 'acquirer' then $8 end
   from answered returning id`,
)
/** `which` chooses the answer of the dispute that ends. Its evidence is sent with it, as far as it was there by then. */
const endingTaken = (which: string): string =>
  `with ended as (
     update dispute_answers set state = 'taken', ended_at = $3, note = null, next_at = null, lease_until = null
     where merchant_id = $1 and dispute_id = $2 and ${which} returning merchant_id, dispute_id, id, answer, sent_at
   ), marked as (
     update dispute_files file set sent_at = $3 from ended
     where file.merchant_id = ended.merchant_id and file.dispute_id = ended.dispute_id and file.sent_at is null
       and ended.answer = 'contested' and file.added_at <= coalesce(ended.sent_at, $3)
   )
   select id from ended`

/** The dispute is unanswered again. */
const endingRefused = (which: string): string =>
  `with ended as (
     update dispute_answers set state = 'refused', ended_at = $3, note = coalesce($4, note), next_at = null, lease_until = null
     where merchant_id = $1 and dispute_id = $2 and ${which} returning merchant_id, dispute_id, id, answer
   ), reopened as (
     update disputes one set answer = null, answered_at = null, changed_at = $3 from ended
     where one.merchant_id = ended.merchant_id and one.id = ended.dispute_id and one.answer = ended.answer and one.stage not in (${literals(closedStages)})
   )
   select id from ended`

type Ended = { readonly id: string }

/** A person found out what became of an answer. */
const settleTaken = sql<Ended, readonly [string, string, Date]>(
  'dispute-answer.settle-taken',
  endingTaken("state = 'unknown'"),
)
const settleRefused = sql<Ended, readonly [string, string, Date, string | null]>(
  'dispute-answer.settle-refused',
  endingRefused("state = 'unknown'"),
)

interface GivenAnswer {
  readonly merchantId: string
  readonly disputeId: string
  readonly id: string
  readonly answer: DisputeAnswerRow['answer']
  readonly way: DisputeAnswerRow['way']
  readonly reason: string | null
  readonly requestedBy: string
  readonly at: Date
}

export const disputeAnswerLog = (on: Queryable) => ({
  /** Oldest first. */
  list: (merchantId: string, disputeId: string) => query(on, listAnswers, [merchantId, disputeId]),
  /** False if the dispute has an answer already, or is decided. */
  give: async ({ merchantId, disputeId, id, answer, way, reason, requestedBy, at }: GivenAnswer): Promise<boolean> =>
    (await query(on, giveAnswer, [merchantId, disputeId, id, answer, way, reason, requestedBy, at])).length === 1,
  /** False if no answer is in doubt. */
  settle: async (merchantId: string, disputeId: string, isTaken: boolean, at: Date): Promise<boolean> => {
    const ended = isTaken
      ? await query(on, settleTaken, [merchantId, disputeId, at])
      : await query(on, settleRefused, [merchantId, disputeId, at, null])
    return ended.length === 1
  },
})

/**
 * By time alone: two processes must not send the same answer at once, and a process that lost its connection may still be sending
 * (decisions/processes#leases).
 */
const claimAnswers = sql<DueAnswer, readonly [Date, number, number]>(
  'dispute-answer.claim',
  `with due as (
     select merchant_id, dispute_id, id from dispute_answers
     where next_at <= $1 and (lease_until is null or lease_until < ${databaseNow})
     order by next_at limit $2
     for update skip locked
   ), held as (
     update dispute_answers held set tries = held.tries + 1, lease_until = ${databaseNow} + make_interval(secs => $3)
     from due where held.merchant_id = due.merchant_id and held.dispute_id = due.dispute_id and held.id = due.id
     returning held.merchant_id, held.dispute_id, held.id, held.answer, held.reason, held.state, held.requested_at, held.tries
   )
   select held.merchant_id as "merchantId", held.dispute_id as "disputeId", held.id, held.answer, held.reason, held.state,
     held.requested_at as "requestedAt", held.tries, d.mid_id as "midId", d.payment_id as "paymentId", d.reference,
     coalesce(d.case_reference, d.reference) as "caseReference"
   from held join disputes d on d.merchant_id = held.merchant_id and d.id = held.dispute_id`,
)
const listEvidence = sql<SealedEvidence, readonly [string, string]>(
  'dispute-answer.evidence',
  `select name, type, kind, sealed from dispute_files where merchant_id = $1 and dispute_id = $2 order by added_at, id`,
)
const begin = sql<Nothing, readonly [...Key, Date]>(
  'dispute-answer.begin',
  `update dispute_answers set state = 'sending', sent_at = $4 where merchant_id = $1 and dispute_id = $2 and id = $3`,
)
const isOpen = "id = $4 and state in ('waiting', 'sending')"
const endTaken = sql<Ended, readonly [string, string, Date, string]>('dispute-answer.end-taken', endingTaken(isOpen))
const endRefused = sql<Ended, readonly [string, string, Date, string | null, string]>(
  'dispute-answer.end-refused',
  endingRefused(isOpen.replace('$4', '$5')),
)
const postpone = sql<Nothing, readonly [...Key, string, Date | null, string]>(
  'dispute-answer.postpone',
  `update dispute_answers set state = $4, next_at = $5, note = $6, lease_until = null
   where merchant_id = $1 and dispute_id = $2 and id = $3 and state in ('waiting', 'sending')`,
)
const arrived = sql<Ended, readonly [string, string, Date, DisputeAnswerRow['answer']]>(
  'dispute-answer.arrived',
  endingTaken("way = 'acquirer' and state in ('sending', 'unknown') and answer = $4"),
)

/** The acquirer reports that it has an answer, of which we may not have known whether it arrived. */
export async function recordArrivedAnswer(
  on: Queryable,
  { merchantId, id }: RowKey,
  answer: DisputeAnswerRow['answer'],
  at: Date,
): Promise<void> {
  await query(on, arrived, [merchantId, id, at, answer])
}

export function disputeAnswerStore(on: Queryable): DisputeAnswers {
  const keyOf = ({ merchantId, disputeId, id }: Pick<DueAnswer, 'merchantId' | 'disputeId' | 'id'>): Key => [
    merchantId,
    disputeId,
    id,
  ]
  return {
    claim: (now, limit, leaseSeconds) => query(on, claimAnswers, [now, limit, leaseSeconds]),
    listEvidence: ({ merchantId, disputeId }) => query(on, listEvidence, [merchantId, disputeId]),
    begin: async (answer, at) => {
      await query(on, begin, [...keyOf(answer), at])
    },
    recordTaken: async ({ merchantId, disputeId, id }, at) => {
      await query(on, endTaken, [merchantId, disputeId, at, id])
    },
    recordRefused: async ({ merchantId, disputeId, id }, at, note) => {
      await query(on, endRefused, [merchantId, disputeId, at, note, id])
    },
    recordUnknown: async (answer, nextAt, note) => {
      await query(on, postpone, [...keyOf(answer), nextAt === null ? 'unknown' : 'sending', nextAt, note])
    },
    postpone: async (answer, nextAt, note) => {
      await query(on, postpone, [...keyOf(answer), 'waiting', nextAt, note])
    },
  }
}

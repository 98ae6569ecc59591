/**
 * Rehearses the actions of the S2S protocols: the real action with its real presenter, and instead of the operations a world in which the
 * named entity exists or does not, and every payment is the example. Nothing is sent and nothing is stored.
 */
import type { Refusal } from '#domain/errors.ts'
import { defaultMapping, type ProtocolMapping } from '#domain/mapping.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { bareFacts } from '#domain/payment/testing/example-facts.ts'
import { secret } from '#domain/secret.ts'
import type { PaymentRecord } from '#server/contracts/records.ts'
import { RefusedError } from '#server/contracts/refused-error.ts'
import { scheduleOperations } from '#server/payments/commands/schedules.ts'
import type { Operations } from '#server/payments/index.ts'
import type { Deps } from '#server/payments/request/deps.ts'
import type { Action, Caller } from '#server/protocols/kit/action.ts'
import type { AnswerFields } from '#server/protocols/kit/prepared.ts'
import { exampleSchedule } from './example-payment.ts'

export interface World {
  readonly facts: PaymentFacts
  readonly mapping?: ProtocolMapping
  readonly path?: '/post' | '/v2/post'
  /** Whether the named entity exists; by default it does. */
  readonly payment?: boolean
  readonly schedule?: 'running' | 'paused' | 'unknown'
}

/** The action's answer in that world: its fields, or the refusal. */
async function rehearse(action: Action, world: World): Promise<AnswerFields | RefusedError> {
  const prepared = await action.prepare(input, callerIn(world))
  if (prepared.kind === 'unknown') return new RefusedError(prepared.refusal)
  try {
    // Recalled if possible: a repeated request uses the same presenter and moves no money.
    const answered = world.schedule === 'paused' ? null : await prepared.recall('a-use')
    const { answer } = answered ?? (await prepared.run(null))
    return Object.fromEntries(Object.entries(answer))
  } catch (error) {
    if (error instanceof RefusedError) return error
    throw error
  }
}

/** The fields of an answer that are sent, in their order. A schedule has the state that the action needs. */
export async function answerOf(action: Action, world: World): Promise<AnswerFields> {
  const first = await rehearse(action, world)
  const answer = first instanceof RefusedError ? await rehearse(action, { ...world, schedule: 'paused' }) : first
  if (answer instanceof RefusedError) throw new Error(`${action.names[0]} was refused.`, { cause: answer })
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined))
}

export async function refusalIn(action: Action, world: World): Promise<Refusal | null> {
  const answer = await rehearse(action, world)
  return answer instanceof RefusedError ? answer.refusal : null
}

/** Parameters of all actions at once: each reads its own. */
const input = {
  trans_id: bareFacts.id,
  order_id: bareFacts.order.id,
  card_token: 'f'.repeat(64),
  payer_card_number: secret('4111111111111111'),
  recurring_init_trans_id: bareFacts.id,
  recurring_token: '7b3c4d5e-8f90-4a1b-92c3-d4e501020304',
  schedule_id: exampleSchedule.id,
  order_amount: { minor: 1000n, decimals: 2, text: '10.00' },
}

function callerIn(world: World): Caller {
  const { mapping = defaultMapping('S2S_CARD'), path = '/post' } = world
  const caller = {
    merchant: { id: exampleSchedule.merchantId },
    mode: bareFacts.mode,
    mapping: { ...mapping, merchantId: exampleSchedule.merchantId },
    address: '203.0.113.7',
    operations: operationsIn(world),
    path,
  }
  // Presenters read only the merchant's identifier.
  return caller as Caller
}

function operationsIn({ facts, payment = true, schedule = 'running' }: World): Operations {
  // Only what a signature covers; everything else comes from the facts.
  const { id, protocol, kind } = facts
  const record = { id, mode: facts.mode, protocol, kind, facts: { brand: {} } } as PaymentRecord
  const found = payment ? record : null
  const result = { payment: record, transaction: null }
  const paused = schedule === 'paused'
  const known = schedule === 'unknown' ? null : { ...exampleSchedule, paused }
  const store = {
    schedules: { find: async () => known, add: async () => undefined, change: async () => 'changed' },
    plans: { end: async () => (found ? 1 : 0) },
    chains: { find: async () => (found ? { firstPayment: record.id } : null) },
    payments: { find: async () => found },
    clock: { now: () => bareFacts.createdAt },
  }
  const operations = {
    facts: () => facts,
    recall: async () => result,
    find: async () => found,
    findNewestOfOrder: async () => found,
    findNewestWithBrand: async () => found,
    listTransactions: async () => [],
    withFirstDate: async (of: PaymentRecord) => of,
    findChain: async () => (found ? { first: record } : null),
    // Schedules need only the store before they refuse.
    schedules: scheduleOperations(store as unknown as Deps),
  }
  // A rehearsal that used more would fail at once, and the reference would not be written.
  return operations as unknown as Operations
}

// Chapter 60 §3: every command at every acquirer is decided after its request was lost, by the way that the connector declares.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { decideAfterUnknownRequest, decideWithoutAnswer } from '#domain/payment/resend.ts'
import { standIns } from '#sandbox/acquirers/registry.ts'
import type { Answer, FollowUp, Order, Outcome, StatusQuery } from '#server/connectors/connector.ts'
import { enquire } from '#server/connectors/exchange.ts'
import { connectors } from '#server/connectors/registry.ts'
import { followUpWith, orderWith, statusQueryWith } from '#server/connectors/testing/contract-samples.ts'
import { systemClock } from '#server/process/clock.ts'
import { openStandInHere, outcomeOf, type StandInHere, undoOutcomeOf } from './stand-in-here.ts'

/** How far the clocks of both sides are ahead of the machine's. */
let aheadMs = 0
const clock = { now: () => new Date(systemClock().now().getTime() + aheadMs) }

const toStandIn = async ({ url }: StandInHere, method: string, path: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  assert.equal(reply.status, 200, path)
}

async function advance(at: StandInHere, milliseconds: number): Promise<void> {
  await toStandIn(at, 'POST', '/clock', { advance_ms: milliseconds })
  aheadMs += milliseconds
}

// biome-ignore format: a table is read in columns.
const commands = [
  // command       on        recorded as, by one acquirer or another
  [ 'sale',      null,        ['sale'] ],
  [ 'authorize', null,        ['authorize'] ],
  [ 'capture',   'authorize', ['capture'] ],
  [ 'refund',    'sale',      ['refund'] ],
  [ 'void',      'sale',      ['void', 'refund'] ],
  [ 'reverse',   'authorize', ['reverse'] ],
] as const

type Command = (typeof commands)[number][0]

// biome-ignore format: a table is read in columns.
const losses = [
  [ 'request-lost', 'the request is lost' ],
  [ 'error',        'the acquirer answers with an error instead' ],
  [ 'reply-lost',   'the acquirer executes and never answers' ],
] as const

interface Sent {
  /** Sends it, or repeats it under the same id. */
  readonly send: () => Promise<Outcome>
  readonly query: StatusQuery
}

function firstStep({ account }: StandInHere, command: 'sale' | 'authorize'): Sent & { readonly order: Order } {
  const order = orderWith({ transactionId: randomUUID(), paymentId: randomUUID(), createdAt: clock.now() })
  const { transactionId, paymentId, createdAt } = order
  const first = { transactionId, reference: null, amountMinor: 1000n, createdAt, facts: {} }
  const query = statusQueryWith({ transactionId, paymentId, operation: command, reference: null, createdAt, first })
  return { order, send: () => outcomeOf(() => account[command]?.(order)), query }
}

async function followUp(
  at: StandInHere,
  command: 'capture' | 'refund' | 'void' | 'reverse',
  on: 'sale' | 'authorize',
): Promise<Sent> {
  const { order, send } = firstStep(at, on)
  const { result, facts } = await send()
  assert.equal(result, 'approved', `the ${on} before the ${command}`)
  const { transactionId: originalTransactionId, paymentId, createdAt } = order
  const reference = facts.reference ?? null
  const first = { transactionId: originalTransactionId, reference, amountMinor: 1000n, createdAt, facts }
  const ids = { transactionId: randomUUID(), paymentId, amountMinor: '1000', first, createdAt }
  const step: FollowUp = followUpWith({ ...ids, originalTransactionId, reference })
  const query = statusQueryWith({ ...ids, operation: command, reference: null })
  return { send: () => outcomeOf(() => at.account[command]?.(step)), query }
}

/** Ages of the transaction at which the reconciler asks: while it may still be executed, afterwards, and when every connector decides. */
const agesMs = [60_000, 600_000, 1_200_000, 7_200_000]

/** As the reconciler goes on, by the tables of the domain. */
async function recover(at: StandInHere, { send, query }: Sent): Promise<Outcome> {
  const { account } = at
  const { idempotencyKey, executesWithinMs } = account.recovery
  for (const ageMs of agesMs) {
    await advance(at, Math.max(0, query.createdAt.getTime() + ageMs - clock.now().getTime()))
    const answer: Answer = await enquire(
      () => account.status(query),
      (fault) => assert.fail(String(fault)),
    )
    const mayStillExecute = ageMs < executesWithinMs
    const facts = { wasSent: true, wasAcknowledged: false, mayStillExecute, keyHonoured: idempotencyKey !== null }
    const outcome = await goOn(answer)
    if (outcome.result !== 'unknown') return outcome

    async function goOn(found: Answer): Promise<Outcome> {
      if (found.result === 'never-arrived') {
        const next = decideAfterUnknownRequest(facts)
        if (next === 'send') return send()
        return next === 'write-off' ? notExecuted : stillUnknown
      }
      if (found.result !== 'cannot-be-asked') return found
      const possible = { canBeSent: true, canBeUndone: account.undo !== undefined }
      const next = decideWithoutAnswer(facts, possible)
      if (next === 'send') return send()
      return next === 'undo' ? undoOutcomeOf(() => account.undo?.(query)) : stillUnknown
    }
  }
  return stillUnknown
}

const notExecuted: Outcome = { result: 'not-executed', reason: 'Written off', facts: {} }
const stillUnknown: Outcome = { result: 'unknown', reason: 'Nothing was decided', facts: {} }

for (const connector of connectors.filter(({ id }) => id !== 'sandbox')) {
  describe(connector.title, () => {
    let at: StandInHere
    before(async () => {
      const load = standIns.get(connector.id) ?? assert.fail(`No stand-in for ${connector.id}.`)
      at = await openStandInHere(await load(), connector, clock)
    })
    afterEach(() => fetch(`${at.url}/faults`, { method: 'DELETE' }))
    after(() => at.close())

    for (const [command, on, kinds] of commands) {
      if (!connector.operations.has(command)) continue
      for (const [fault, what] of losses) {
        test(`${what}: the ${command} is decided, as the acquirer’s record has it`, async () => {
          const sent = await prepare(at, command, on)
          const before = (await at.ledger()).length
          await toStandIn(at, 'PUT', '/faults', { fault, every: 1 })
          const first = await sent.send()
          // An ISO 8583 host has no other error than a response code, which declines.
          const isAnswered = connector.id === 'iso8583' && fault === 'error'
          assert.equal(first.result, isAnswered ? 'declined' : 'unknown')
          const { result } = isAnswered ? first : await recover(at, sent)
          const moved = (await at.ledger()).slice(before).map((entry) => entry.split(' ')[0])
          const isExecutedOnce = moved.length === 1 && kinds.some((kind) => kind === moved[0])
          // An acquirer that takes a follow-up first reports its end by a notification.
          if (result === 'approved' || result === 'waiting') assert.ok(isExecutedOnce, moved.join())
          else {
            assert.equal(result, isAnswered ? 'declined' : 'not-executed')
            assert.ok(moved.length === 0 || (moved.length === 2 && moved[1] !== moved[0]), moved.join())
          }
        })
      }
    }
  })
}

const prepare = (at: StandInHere, command: Command, on: 'sale' | 'authorize' | null): Promise<Sent> =>
  command === 'sale' || command === 'authorize'
    ? Promise.resolve(firstStep(at, command))
    : followUp(at, command, on ?? 'sale')

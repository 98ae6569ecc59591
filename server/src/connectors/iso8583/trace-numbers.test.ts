/** Two processes with one terminal: no two requests have the same trace number in the same second. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TraceNumbers } from '../../contracts/trace-numbers.ts'
import type { AcquirerAccount, Outcome } from '../connector.ts'
import { askUndo, exchange } from '../exchange.ts'
import { traceNumbersHere } from '../lines/trace-numbers-here.ts'
import { followUpWith, orderWith, statusQueryWith } from '../testing/contract-samples.ts'
import { createWires, type Wires } from '../wire.ts'
import { type Message, unpackMessage } from './codec/message.ts'
import { credentialsSchema, dialectOf } from './credentials.ts'
import sample from './fixtures/credentials.json' with { type: 'json' }
import { iso8583 } from './index.ts'
import { lineProtocol } from './line-protocol.ts'
import { numbersOf, type Purpose } from './original.ts'
import { FakeHost } from './testing/fake-host.ts'

const clock = { now: () => new Date('2026-03-01T12:00:00Z') }
const dialect = dialectOf(credentialsSchema.parse(sample))
const host = new FakeHost(dialect)
const wires: Wires[] = []
let port = 0
before(async () => {
  port = await host.listen()
})
after(async () => {
  await Promise.all(wires.map((one) => one.close()))
  await host.close()
})
beforeEach(() => host.answer('00'))

const idOf = (number: number): string => `0199a1b2-c3d4-7e5f-8a6b-${String(number).padStart(12, '0')}`

/** Two transactions of one second whose derived trace numbers are the same. */
function clashingIds(purpose: Purpose): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let number = 0; ; number += 1) {
    const { stan } = numbersOf({ transactionId: idOf(number), createdAt: clock.now() }, purpose)
    const other = seen.get(stan)
    if (other !== undefined) return [other, idOf(number)]
    seen.set(stan, idOf(number))
  }
}

function processWith(traceNumbers: TraceNumbers, credentials: object = {}): AcquirerAccount {
  const own = createWires({ clock, traceNumbers })
  wires.push(own)
  return iso8583.open({ ...sample, port, ...credentials }, own, 'test')
}

const unexpected = (fault: unknown): never => {
  throw fault
}
const sell = (account: AcquirerAccount, transactionId: string): Promise<Outcome> =>
  exchange(
    () => account.sale(orderWith({ transactionId })),
    unexpected,
    () => undefined,
  )
const undo = (account: AcquirerAccount, transactionId: string) =>
  askUndo(async () => account.undo?.(statusQueryWith({ transactionId })) ?? assert.fail(), unexpected)

/** Trace number of a request, and of the original that it names. */
const ownNumber = ({ fields }: Message): string => String(fields.get(11))
const originalNumber = ({ fields }: Message): string => String(fields.get(90)?.slice(4, 10))
const lastSent = (): Message => host.sent.at(-1) ?? assert.fail('Nothing was sent.')

test('of two transactions with the same number the second gets another one, by which it is captured and reversed', async () => {
  const [first, second] = clashingIds('request')
  const shared = traceNumbersHere()
  const [one, another] = [processWith(shared), processWith(shared)]
  assert.equal((await sell(one, first)).result, 'approved')
  const taken = ownNumber(lastSent())
  const outcome = await sell(another, second)
  assert.equal(outcome.result, 'approved')
  const number = ownNumber(lastSent())
  assert.notEqual(number, taken)

  const { facts } = outcome
  const original = { ...followUpWith({}).first, transactionId: second, facts }
  const later = followUpWith({
    transactionId: idOf(999_999),
    originalTransactionId: second,
    first: { ...original, reference: facts.reference ?? null },
  })
  assert.equal((await one.refund?.(later))?.result, 'approved')
  assert.equal(originalNumber(lastSent()), number)

  // The reservation alone says under which number a request without an answer was sent.
  assert.equal((await undo(one, second)).result, 'not-executed')
  assert.deepEqual([lastSent().mti, originalNumber(lastSent())], ['0420', number])
  assert.equal((await undo(another, first)).result, 'not-executed')
  assert.deepEqual([lastSent().mti, originalNumber(lastSent())], ['0420', taken])
})

test('3000 payments of one second on one terminal are all approved, each under a number of its own', async () => {
  const shared = traceNumbersHere()
  const processes = [processWith(shared), processWith(shared)]
  const ids = Array.from({ length: 3_000 }, (_, number) => idOf(number))
  const derived = ids.map((transactionId) => numbersOf({ transactionId, createdAt: clock.now() }, 'request').stan)
  assert.ok(new Set(derived).size < ids.length, 'some of them derive the same number')
  const results = new Set<string>()
  for (let start = 0; start < ids.length; start += 500) {
    const burst = ids.slice(start, start + 500)
    const outcomes = await Promise.all(burst.map((id, place) => sell(processes[place % 2] ?? assert.fail(), id)))
    for (const { result } of outcomes) results.add(result)
  }
  assert.deepEqual([...results], ['approved'])
  assert.equal(new Set(host.sent.map(ownNumber)).size, ids.length)
})

test('of two reversals with the same number the second gets another one', async () => {
  const [first, second] = clashingIds('reversal')
  const shared = traceNumbersHere()
  for (const id of [first, second, first]) assert.equal((await undo(processWith(shared), id)).result, 'not-executed')
  const [one, another, repeated] = host.sent.map(({ fields }) => fields.get(11))
  assert.notEqual(one, another)
  assert.equal(one, repeated)
})

test('two terminals may use the same number', async () => {
  const [first, second] = clashingIds('request')
  const shared = traceNumbersHere()
  assert.equal((await sell(processWith(shared), first)).result, 'approved')
  assert.equal((await sell(processWith(shared, { terminal_id: 'TERM0002' }), second)).result, 'approved')
})

test('a number that cannot be reserved is not used: the request is not sent', async () => {
  const account = processWith({ reserve: () => Promise.reject(new Error('The database is down.')) })
  assert.equal((await sell(account, idOf(1))).result, 'not-executed')
  assert.equal((await undo(account, idOf(1))).result, 'unknown')
  assert.equal(host.sent.length, 0)
})

test('the numbers of sign-ons and echoes go on at 000001 after 999999', () => {
  const protocol = lineProtocol(dialect, 999_999)
  const stans = [protocol.signOn(clock.now()), protocol.echo(clock.now())].map((bytes) =>
    bytes ? unpackMessage(dialect, bytes).fields.get(11) : null,
  )
  assert.deepEqual(stans, ['999999', '000001'])
})

test('every trace number has six digits and is not 000000', () => {
  for (let number = 0; number < 20_000; number += 1) {
    const { stan } = numbersOf({ transactionId: idOf(number), createdAt: clock.now() }, 'request')
    assert.match(stan, /^(?!000000)[0-9]{6}$/)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from './connector.ts'
import { enquire, exchange } from './exchange.ts'
import { WireFault } from './wire.ts'

const silent = (): void => assert.fail('a fault of the wire is no bug')
const approval: Outcome = { result: 'approved', facts: { reference: 'R' } }
const failing = (fault: unknown) => async (): Promise<never> => {
  throw fault
}
const unsent = new WireFault('Connection refused.', { sent: false })
const sent = new WireFault('No answer within 30000 ms.', { sent: true })

test('an outcome passes unchanged', async () => {
  assert.equal(await exchange(async () => approval, silent, silent), approval)
  assert.equal(await enquire(async () => approval, silent), approval)
})

test('a request that certainly did not go out was not executed, which is reported without telling the merchant where it failed', async () => {
  const reported: unknown[] = []
  assert.deepEqual(await exchange(failing(unsent), silent, (fault) => reported.push(fault)), {
    result: 'not-executed',
    reason: 'The acquirer could not be reached',
    facts: {},
    onlyThisSend: true,
  })
  assert.deepEqual(reported, [unsent])
})

test('a request that may have gone out is unknown, never a decline', async () => {
  assert.deepEqual(await exchange(failing(sent), silent, silent), {
    result: 'unknown',
    reason: sent.message,
    facts: {},
  })
})

test('a question that did not go out says nothing about the transaction', async () => {
  assert.deepEqual(await enquire(failing(unsent), silent), { result: 'unknown', reason: unsent.message, facts: {} })
  assert.deepEqual(await enquire(failing(sent), silent), { result: 'unknown', reason: sent.message, facts: {} })
})

test('a bug is reported and leaves the outcome unknown, without quoting its text', async () => {
  const bug = new TypeError('cannot read 4111111111111111')
  for (const ask of [exchange, enquire]) {
    const faults: unknown[] = []
    const outcome = await ask(failing(bug), (fault) => faults.push(fault), silent)
    assert.deepEqual(outcome, { result: 'unknown', reason: 'The connector failed.', facts: {} })
    assert.deepEqual(faults, [bug])
  }
})

test('a request that the connector could not write was not executed, and is reported as a bug', async () => {
  const unwritten = new WireFault('The connector could not write the request.', { sent: false, isBug: true })
  const faults: unknown[] = []
  const outcome = await exchange(failing(unwritten), (fault) => faults.push(fault), silent)
  assert.equal(outcome.result, 'not-executed')
  const answer = await enquire(failing(unwritten), (fault) => faults.push(fault))
  assert.equal(answer.result, 'unknown')
  assert.deepEqual(faults, [unwritten, unwritten])
})

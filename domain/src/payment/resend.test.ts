import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AfterUnknownRequest,
  decideAfterUnknownRequest,
  isKeyHonoured,
  type UnknownRequest,
  unlessSent,
} from './resend.ts'

const facts = (sent: number, acknowledged: number, underWay: number, key: number): UnknownRequest => ({
  wasSent: sent === 1,
  wasAcknowledged: acknowledged === 1,
  mayStillExecute: underWay === 1,
  keyHonoured: key === 1,
})

// biome-ignore format: a table is read in columns.
const table: readonly (readonly [UnknownRequest, AfterUnknownRequest, ReturnType<typeof unlessSent>])[] = [
  // sent, acknowledged, under way, key   wanted       not wanted
  [facts(0, 0, 0, 0),                     'send',      'drop'],
  [facts(0, 0, 0, 1),                     'send',      'drop'],
  [facts(0, 0, 1, 0),                     'send',      'drop'],
  [facts(0, 0, 1, 1),                     'send',      'drop'],
  [facts(1, 0, 0, 0),                     'write-off',   'write-off'],
  [facts(1, 0, 0, 1),                     'send',      'write-off'],
  [facts(1, 0, 1, 0),                     'ask-again', 'ask-again'],
  [facts(1, 0, 1, 1),                     'send',      'ask-again'],
  [facts(1, 1, 0, 0),                     'ask-again', 'ask-again'],
  [facts(1, 1, 0, 1),                     'ask-again', 'ask-again'],
  [facts(1, 1, 1, 0),                     'ask-again', 'ask-again'],
  [facts(1, 1, 1, 1),                     'ask-again', 'ask-again'],
]

for (const [given, wanted, unwanted] of table) {
  test(`a request unknown to the acquirer: ${JSON.stringify(given)} → ${wanted}, if it must not be sent ${unwanted}`, () => {
    assert.equal(decideAfterUnknownRequest(given), wanted)
    assert.equal(unlessSent(given), unwanted)
  })
}

test('a key is honoured within its validity and not a moment longer', () => {
  assert.equal(isKeyHonoured({ validForMs: 1000 }, 999), true)
  assert.equal(isKeyHonoured({ validForMs: 1000 }, 1000), false)
  assert.equal(isKeyHonoured(null, 0), false)
  assert.equal(isKeyHonoured({ validForMs: 1000 }, 1000, true), false)
  assert.equal(isKeyHonoured({ validForMs: 1000, followUpsValidForMs: 2000 }, 1999, true), true)
  assert.equal(isKeyHonoured({ validForMs: 1000, followUpsValidForMs: 2000 }, 1999), false)
})

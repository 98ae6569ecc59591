import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSampler } from './sampler.ts'
import { newSpanId, newTraceId, newTraceIdFor } from './trace-ids.ts'

const many = Array.from({ length: 20_000 }, newTraceId)
const byRatio = (share: number) => createSampler('traceidratio', share)

test('a share of the traces is chosen by their ids alone', () => {
  const [first, second] = [byRatio(0.1), byRatio(0.1)]
  const chosen = many.filter((id) => first(id, null))
  assert.deepEqual(
    many.filter((id) => second(id, null)),
    chosen,
  )
  // Eight standard deviations.
  assert.ok(Math.abs(chosen.length - 2000) < 340, String(chosen.length))
})

test('a trace of a smaller share is one of every larger share', () => {
  for (const id of many.filter((one) => byRatio(0.1)(one, null))) assert.ok(byRatio(0.3)(id, null), id)
})

test('the lower half of the id is compared with the share of its range', () => {
  const upper = 'f'.repeat(16)
  assert.ok(byRatio(0.5)(`${upper}7fffffffffffffff`, null))
  assert.ok(!byRatio(0.5)(`${'0'.repeat(16)}8000000000000000`, null))
  assert.ok(byRatio(1)('f'.repeat(32), null))
  assert.ok(!byRatio(0)('0'.repeat(32), null))
})

test('traces for one payment are judged alike, and those of many payments by the share', () => {
  let chosen = 0
  for (let payment = 0; payment < 4000; payment += 1) {
    const tail = newSpanId()
    const id = `0196f0c2-1111-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${newSpanId().slice(0, 12)}`
    const answers = new Set(Array.from({ length: 5 }, () => byRatio(0.25)(newTraceIdFor(id), null)))
    assert.equal(answers.size, 1, id)
    assert.match(newTraceIdFor(id), /^[0-9a-f]{32}$/)
    assert.notEqual(newTraceIdFor(id), newTraceIdFor(id))
    if (answers.has(true)) chosen += 1
  }
  assert.ok(Math.abs(chosen - 1000) < 230, String(chosen))
})

test('ids do not repeat', () => {
  assert.equal(new Set(many).size, many.length)
  const spans = Array.from({ length: 20_000 }, newSpanId)
  assert.equal(new Set(spans).size, spans.length)
  assert.match(spans[0] ?? '', /^[0-9a-f]{16}$/)
})

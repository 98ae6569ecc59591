import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#server/process/config.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const tracesOf = (settings: NodeJS.ProcessEnv) => readConfig('all', { ...endpoint, ...settings }).traces

test('without a collector there are no traces, and with one every trace that a proxy does not exclude', () => {
  assert.equal(readConfig('all', { OTEL_TRACES_SAMPLER: 'always_on' }).traces, null)
  assert.deepEqual(tracesOf({}), { endpoint: 'http://127.0.0.1:4318', sampler: 'parentbased_always_on', share: 1 })
  assert.equal(tracesOf({ OTEL_TRACES_SAMPLER: 'always_off' }), null)
})

test('the share of traces is a number from 0 to 1', () => {
  for (const share of ['0', '0.1', '.25', '1', '1.0'])
    assert.equal(tracesOf({ OTEL_TRACES_SAMPLER_ARG: share })?.share, Number(share))
  for (const share of ['1.1', '-1', '10%', '0x1', 'tenth'])
    assert.throws(
      () => tracesOf({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: share }),
      /OTEL_TRACES_SAMPLER_ARG: Must be a number from 0 to 1, such as 0\.1\./,
      share,
    )
})

test('a sampler that does not exist is refused with those that do', () => {
  assert.throws(
    () => tracesOf({ OTEL_TRACES_SAMPLER: 'ratio' }),
    /OTEL_TRACES_SAMPLER: Must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio\./,
  )
})

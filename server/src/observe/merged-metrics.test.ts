import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMetrics } from './merged-metrics.ts'

test('the lines of every process get its label, and stand below one heading of their metric', () => {
  const first =
    '# HELP requests Requests.\n# TYPE requests counter\nrequests{a="{x}"} 1\n\n# HELP up Up.\n# TYPE up gauge\nup 1\n'
  const second = '# HELP requests Requests.\n# TYPE requests counter\nrequests{a="b"} 2\nrequests{} 3\n'
  assert.equal(
    mergeMetrics([
      { process: '1', text: first },
      { process: 'worker', text: second },
    ]),
    [
      '# HELP requests Requests.',
      '# TYPE requests counter',
      'requests{process="1",a="{x}"} 1',
      'requests{process="worker",a="b"} 2',
      'requests{process="worker"} 3',
      '# HELP up Up.',
      '# TYPE up gauge',
      'up{process="1"} 1',
      '',
    ].join('\n'),
  )
})

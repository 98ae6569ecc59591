import assert from 'node:assert/strict'
import { test } from 'node:test'
import { panelHosts } from './panel-host.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  // public address             listens on    asked for                 answered
  ['https://panel.example',     '127.0.0.1',  'panel.example',          true ],
  ['https://panel.example',     '127.0.0.1',  '127.0.0.1:8081',         true ],
  ['https://panel.example',     '127.0.0.1',  'pay.example',            false],
  ['https://panel.example',     '0.0.0.0',    'attacker.example',       false],
  [null,                        '127.0.0.1',  'localhost:8081',         true ],
  [null,                        '127.0.0.1',  '[::1]:8081',             true ],
  [null,                        '127.0.0.1',  'attacker.example:8081',  false],
  [null,                        '0.0.0.0',    'machine:8081',           true ],
  [null,                        null,         'anything.example',       true ],
  ['https://panel.example',     '127.0.0.1',  undefined,                false],
] as const

for (const [url, listensOn, host, isAnswered] of cases)
  test(`a panel at ${url ?? 'no address'} that listens on ${listensOn ?? 'the payments’ port'} ${isAnswered ? 'answers' : 'does not answer'} to ${host}`, () => {
    assert.equal(panelHosts({ url, listensOn })(host), isAnswered)
  })

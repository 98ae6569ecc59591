import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret, secret } from './secret.ts'

const value = '4111111111111111'
const hidden = secret(value)

test('reveal() gives the value of a secret', () => {
  assert.equal(hidden.reveal(), value)
  assert.ok(hidden instanceof Secret)
})

const printed: readonly (readonly [string, () => string])[] = [
  ['String()', () => String(hidden)],
  ['a template string', () => `${hidden}`],
  ['joining', () => ['card', hidden].join(' ')],
  ['JSON', () => JSON.stringify({ card: hidden, list: [hidden] })],
  ['inspect', () => inspect({ card: hidden, list: [hidden] }, { depth: null })],
  ['inspect with hidden members shown', () => inspect(hidden, { showHidden: true, getters: true })],
  ['a format string', () => format('%s %o %O %j', hidden, hidden, hidden, hidden)],
  ['an error message', () => inspect(new Error(`refused ${hidden}`, { cause: hidden }))],
  ['its own entries', () => JSON.stringify([Object.entries(hidden), Reflect.ownKeys(hidden)])],
  ['a copy by spreading', () => inspect({ ...hidden })],
  ['a structured clone', () => inspect(structuredClone(hidden))],
]

for (const [how, print] of printed) {
  test(`a secret does not show its value through ${how}`, () => {
    assert.ok(!print().includes(value))
  })
}

test('a secret prints as three asterisks', () => {
  assert.equal(`${hidden}`, '***')
  assert.equal(JSON.stringify(hidden), '"***"')
  assert.equal(inspect(hidden), '***')
})

test('a secret object is hidden as a whole', () => {
  assert.equal(JSON.stringify({ key: secret({ password: value }) }), '{"key":"***"}')
  assert.equal(inspect(secret({ password: value })), '***')
})

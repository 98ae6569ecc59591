import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialFields, credentialsOf } from './schema.ts'

const schema = {
  type: 'object',
  properties: {
    mid: { type: 'string', minLength: 1 },
    base_url: { type: 'string', format: 'uri', description: 'Where the acquirer is.' },
    retries: { type: 'integer' },
    useTls: { type: 'boolean' },
    region: { enum: ['eu', 'us'] },
  },
  required: ['mid', 'base_url', 'useTls'],
}

test('a form has a field for each credential, of its kind, and says which are needed', () => {
  const fields = credentialFields(schema)
  assert.deepEqual(
    fields.map(({ label, kind, isRequired }) => [label, kind, isRequired]),
    [
      ['MID', 'text', true],
      ['Base URL', 'text', true],
      ['Retries', 'number', false],
      ['Use TLS', 'flag', true],
      ['Region', 'choice', false],
    ],
  )
  assert.equal(fields[1]?.hint, 'Where the acquirer is.')
  assert.deepEqual(fields[4]?.choices, ['eu', 'us'])
})

test('what was typed goes to the service in the kinds of the schema, without what stayed empty', () => {
  const typed = { mid: ' m-1 ', base_url: 'https://acquirer.example', retries: '3', useTls: 'true', region: '' }
  assert.deepEqual(credentialsOf(credentialFields(schema), typed), {
    mid: 'm-1',
    base_url: 'https://acquirer.example',
    retries: 3,
    useTls: true,
  })
})

test('a needed credential that stayed empty is sent, so that the service says what is missing', () => {
  assert.deepEqual(credentialsOf(credentialFields(schema), {}), { mid: '', base_url: '', useTls: false })
})

test('a connector without credentials has no fields', () => {
  assert.deepEqual(credentialFields({}), [])
})

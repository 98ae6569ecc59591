import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialFields, credentialsOf } from './credential-schema.ts'

const schema = {
  type: 'object',
  properties: {
    mid: { type: 'string', minLength: 1 },
    base_url: { type: 'string', format: 'uri', description: 'Where the acquirer is.' },
    retries: { type: 'integer' },
    useTls: { type: 'boolean' },
    region: { enum: ['eu', 'us'] },
    api_key: { type: 'string', title: 'Secret key', writeOnly: true },
    client_key: { type: 'string', title: 'Private key', multiline: true, writeOnly: true },
  },
  required: ['mid', 'base_url', 'useTls'],
}

test('the form has a field of the right kind and with the title of each credential, and marks the required ones', () => {
  const fields = credentialFields(schema)
  assert.deepEqual(
    fields.map(({ label, kind, isRequired }) => [label, kind, isRequired]),
    [
      ['MID', 'text', true],
      ['Base URL', 'text', true],
      ['Retries', 'number', false],
      ['Use TLS', 'flag', true],
      ['Region', 'choice', false],
      ['Secret key', 'secret', false],
      ['Private key', 'lines', false],
    ],
  )
  assert.equal(fields[1]?.hint, 'Where the acquirer is.')
  assert.deepEqual(fields[4]?.choices, ['eu', 'us'])
})

test('typed credentials are sent in the types of the schema, without empty ones', () => {
  const typed = { mid: ' m-1 ', base_url: 'https://acquirer.example', retries: '3', useTls: 'true', region: '' }
  assert.deepEqual(credentialsOf(credentialFields(schema), typed), {
    mid: 'm-1',
    base_url: 'https://acquirer.example',
    retries: 3,
    useTls: true,
  })
})

test('an empty required credential is sent, so that the service reports it as missing', () => {
  assert.deepEqual(credentialsOf(credentialFields(schema), {}), { mid: '', base_url: '', useTls: false })
})

test('a connector without credentials has no fields', () => {
  assert.deepEqual(credentialFields({}), [])
})

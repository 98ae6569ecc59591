import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainFaultText } from './domain-fault.ts'

test('a failed check of a domain is told in words, and one that is not known as it is', () => {
  assert.equal(domainFaultText('dns'), 'Its name is not known to the DNS.')
  assert.equal(domainFaultText('status:404'), 'It answers with status 404.')
  assert.equal(domainFaultText('moon'), 'moon')
})

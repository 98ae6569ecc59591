import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainFaultText } from './domain-fault.ts'

test('a failed check of a domain is explained in words, and an unknown fault is shown as it is', () => {
  assert.equal(domainFaultText('dns'), 'The domain name cannot be resolved (DNS).')
  assert.equal(domainFaultText('status:404'), 'The server responds with status 404.')
  assert.equal(domainFaultText('moon'), 'moon')
})

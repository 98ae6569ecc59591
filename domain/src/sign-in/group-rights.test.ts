import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGroupRules, rightsOfGroups } from './group-rights.ts'

const rules =
  readGroupRules(
    'cn=owners,ou=people=owner; help = support ;acme=merchant-admin:acme+acme-outlet;beta=merchant-admin:beta',
  ) ?? []

test('groups give a role and merchants, and names of directories are groups too', () => {
  assert.deepEqual(
    rules.map(({ group, role }) => [group, role]),
    [
      ['cn=owners,ou=people', 'owner'],
      ['help', 'support'],
      ['acme', 'merchant-admin'],
      ['beta', 'merchant-admin'],
    ],
  )
  assert.deepEqual(rightsOfGroups(rules, ['acme']), { role: 'merchant-admin', merchants: ['acme', 'acme-outlet'] })
})

test('the first rule decides the role, and the merchants of that role are added up', () => {
  assert.deepEqual(rightsOfGroups(rules, ['acme', 'help', 'cn=owners,ou=people']), { role: 'owner', merchants: 'all' })
  assert.deepEqual(rightsOfGroups(rules, ['beta', 'acme']), {
    role: 'merchant-admin',
    merchants: ['acme', 'acme-outlet', 'beta'],
  })
})

test('a user without a listed group has no rights', () => {
  assert.equal(rightsOfGroups(rules, []), null)
  assert.equal(rightsOfGroups(rules, ['ACME', 'other']), null)
})

test('a text that is no list of rules is refused', () => {
  for (const text of ['', ';', 'owners', '=owner', 'a=', 'a=Owner', 'a=support:', 'a=support:x y', 'a=support; b'])
    assert.equal(readGroupRules(text), null, text)
})

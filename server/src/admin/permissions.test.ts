import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  builtInRoles,
  covers,
  type Grant,
  may,
  merchantRoles,
  permissions,
  permissionsOfRole,
  reaches,
} from './permissions.ts'

const grant = (role: string, merchants: Grant['merchants'] = 'all'): Grant => ({
  permissions: permissionsOfRole(role, null),
  merchants,
})

// Written from chapter 50 §8, which names the roles, and from what their names promise.
test('the eight roles of the panel are there', () => {
  assert.deepEqual(
    builtInRoles(),
    'owner operator support finance developer auditor merchant-admin merchant-viewer'.split(' '),
  )
})

test('an owner has every permission', () => {
  assert.equal(permissionsOfRole('owner', null).size, permissions.length)
})

test('an auditor and a merchant’s viewer change nothing', () => {
  const harmless = /\.(read|export|verify)$/
  for (const role of ['auditor', 'merchant-viewer'])
    for (const permission of permissionsOfRole(role, null)) assert.match(permission, harmless, role)
})

test('support neither moves money nor sees secrets', () => {
  for (const permission of ['payments.capture', 'payments.refund', 'payments.reveal', 'merchants.secrets'] as const)
    assert.equal(may(grant('support'), permission), false)
  assert.equal(may(grant('support'), 'callbacks.resend'), true)
})

test('only an owner sees the numbers of cards', () => {
  const roles = builtInRoles().filter((role) => may(grant(role), 'payments.reveal'))
  assert.deepEqual(roles, ['owner'])
})

test('roles of a merchant’s people have nothing that reaches the platform', () => {
  for (const role of merchantRoles)
    for (const { name, reach } of permissions)
      if (reach === 'platform') assert.equal(permissionsOfRole(role, null).has(name), false, `${role} ${name}`)
})

test('who is restricted to merchants uses no permission of the platform, not even as an owner', () => {
  const scoped = grant('owner', new Set(['a']))
  for (const { name, reach } of permissions) assert.equal(may(scoped, name), reach === 'merchant', name)
  assert.equal(reaches(scoped, 'a'), true)
  assert.equal(reaches(scoped, 'b'), false)
})

test('nobody gives more than they have, neither permissions nor merchants', () => {
  const admin = grant('merchant-admin', new Set(['a', 'b']))
  assert.equal(covers(admin, grant('merchant-viewer', new Set(['a']))), true)
  assert.equal(covers(admin, grant('merchant-viewer', new Set(['a', 'c']))), false)
  assert.equal(covers(admin, grant('merchant-viewer', 'all')), false)
  assert.equal(covers(admin, grant('finance', new Set(['a']))), false)
  assert.equal(covers(grant('owner'), grant('owner')), true)
  assert.equal(covers(grant('operator'), grant('owner')), false)
})

test('a custom role has what was chosen, and an unknown one nothing', () => {
  assert.deepEqual([...permissionsOfRole('night-shift', ['callbacks.read', 'no.such'])], ['callbacks.read'])
  assert.equal(permissionsOfRole('nobody', null).size, 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  builtInRoles,
  covers,
  type Grant,
  isPermission,
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

// Written from chapter 50 §8, which names the roles, and from what the role names imply.
test('the panel has its eight roles', () => {
  assert.deepEqual(
    builtInRoles(),
    'owner operator support finance developer auditor merchant-admin merchant-viewer'.split(' '),
  )
})

test('an owner has every permission', () => {
  assert.equal(permissionsOfRole('owner', null).size, permissions.length)
})

test('an auditor and a merchant’s viewer can change nothing', () => {
  const harmless = /\.(read|export|verify)$/
  for (const role of ['auditor', 'merchant-viewer'])
    for (const permission of permissionsOfRole(role, null)) assert.match(permission, harmless, role)
})

test('support can neither move money nor see secrets', () => {
  for (const permission of ['payments.capture', 'payments.refund', 'payments.reveal', 'merchants.secrets'] as const)
    assert.equal(may(grant('support'), permission), false)
  assert.equal(may(grant('support'), 'callbacks.resend'), true)
})

test('only an owner can see card numbers', () => {
  const roles = builtInRoles().filter((role) => may(grant(role), 'payments.reveal'))
  assert.deepEqual(roles, ['owner'])
})

test('merchant roles have no permission that reaches the platform', () => {
  for (const role of merchantRoles)
    for (const { name, reach } of permissions)
      if (reach === 'platform') assert.equal(permissionsOfRole(role, null).has(name), false, `${role} ${name}`)
})

test('a user restricted to merchants has no platform permission, not even as an owner', () => {
  const scoped = grant('owner', new Set(['a']))
  for (const { name, reach } of permissions) assert.equal(may(scoped, name), reach === 'merchant', name)
  assert.equal(reaches(scoped, 'a'), true)
  assert.equal(reaches(scoped, 'b'), false)
})

test('a user can grant no permission and no merchant beyond their own', () => {
  const admin = grant('merchant-admin', new Set(['a', 'b']))
  assert.equal(covers(admin, grant('merchant-viewer', new Set(['a']))), true)
  assert.equal(covers(admin, grant('merchant-viewer', new Set(['a', 'c']))), false)
  assert.equal(covers(admin, grant('merchant-viewer', 'all')), false)
  assert.equal(covers(admin, grant('finance', new Set(['a']))), false)
  assert.equal(covers(grant('owner'), grant('owner')), true)
  assert.equal(covers(grant('operator'), grant('owner')), false)
})

/** By role, whereas the code's table goes by permission. */
const ofRole: Readonly<Record<string, string>> = {
  support: `dashboard.read payments.read payments.annotate payments.retry links.write terminal.use callbacks.read callbacks.resend merchants.read wallets.read wallet-platform.read
    mids.read mappings.read brands.read routing.read schedules.read branding.read alerts.read alerts.resolve simulator.use`,
  finance: `dashboard.read links.write payments.read payments.annotate payments.export payments.capture payments.refund payments.retry payments.dispute payments.decide
    callbacks.read merchants.read mids.read mappings.read brands.read routing.read schedules.read schedules.write approvals.read approvals.decide
    alerts.read alerts.resolve settlements.read settlements.write accounts.read accounts.write payouts.read payouts.write`,
  developer: `dashboard.read payments.read callbacks.read callbacks.resend merchants.read merchants.settings wallets.read
    wallet-platform.read mids.read mappings.read mappings.write brands.read routing.read schedules.read branding.read branding.write
    alerts.read system.read simulator.use clock.write`,
  auditor: `dashboard.read payments.read payments.export callbacks.read merchants.read wallets.read wallet-platform.read mids.read
    mappings.read brands.read routing.read schedules.read branding.read users.read approvals.read audit.read audit.verify alerts.read
    settlements.read accounts.read payouts.read system.read`,
  'merchant-admin': `links.write terminal.use dashboard.read payments.read payments.annotate payments.export payments.capture payments.refund payers.erase callbacks.read
    callbacks.resend merchants.read merchants.settings merchants.secrets wallets.read wallets.write mappings.read schedules.read
    schedules.write branding.read branding.write users.read users.write approvals.read audit.read alerts.read accounts.read simulator.use`,
  'merchant-viewer': `dashboard.read payments.read callbacks.read merchants.read wallets.read mappings.read schedules.read branding.read
    accounts.read`,
}

for (const [role, names] of Object.entries(ofRole)) {
  test(`the role ${role} has exactly the permissions of its work`, () => {
    assert.deepEqual([...permissionsOfRole(role, null)].toSorted(), names.split(/\s+/).toSorted())
  })
}

test('an operator has every permission except card numbers, users and roles', () => {
  const operator = permissionsOfRole('operator', null)
  const missing = permissions.filter(({ name }) => !operator.has(name)).map(({ name }) => name)
  assert.deepEqual(missing.toSorted(), ['payments.reveal', 'roles.write', 'users.write'])
})

test('permissions over shared data reach the platform, all others a merchant', () => {
  const ofPlatform =
    `merchants.create wallet-platform.read wallet-platform.write mids.read mids.write brands.read brands.write routing.read
    routing.write forms.review roles.write audit.verify settlements.read settlements.write payouts.read payouts.write alerts.write system.read clock.write`.split(
      /\s+/,
    )
  for (const { name, reach } of permissions)
    assert.equal(reach, ofPlatform.includes(name) ? 'platform' : 'merchant', name)
  assert.deepEqual(
    ofPlatform.filter((name) => !isPermission(name)),
    [],
  )
})

test('only names of the table are permissions, and an unknown one reaches no merchant', () => {
  assert.deepEqual(['merchants.write', 'merchants', 'no.such'].map(isPermission), [true, false, false])
  assert.deepEqual([...merchantRoles].toSorted(), ['merchant-admin', 'merchant-viewer'])
})

test('a user without restriction reaches every merchant and can grant each', () => {
  assert.equal(may(grant('owner'), 'mids.write'), true)
  assert.equal(reaches(grant('owner'), 'a'), true)
  assert.equal(covers(grant('owner'), grant('owner', new Set(['a']))), true)
})

test('a custom role has the chosen permissions, and an unknown role none', () => {
  assert.deepEqual([...permissionsOfRole('night-shift', ['callbacks.read', 'no.such'])], ['callbacks.read'])
  assert.equal(permissionsOfRole('nobody', null).size, 0)
})

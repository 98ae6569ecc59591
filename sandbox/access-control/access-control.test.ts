// Written from chapter 10 §12: what each test card requires of the payer.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { openIssuer } from './testing/test-issuer.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const cards = ['4111111111111111', '4601541833776519', '5555555555554444', '378282246310005']

for (const expiry of ['05/2038', '06/2038', '02/2040']) {
  test(`every test card with expiry ${expiry} is challenged`, async (t) => {
    const issuer = await openIssuer(t)
    for (const acctNumber of cards) {
      const { status, body } = await issuer.authenticate(expiry, { acctNumber })
      assert.equal(status, 200)
      assert.equal(body.transStatus, 'C')
      assert.equal(body.messageVersion, '2.2.0')
      for (const id of [body.threeDSServerTransID, body.dsTransID, body.acsTransID]) assert.match(id, uuid)
      assert.match(body.pareq, /^[\w-]+$/)
      assert.equal(body.authenticationValue, undefined)
      assert.equal(body.eci, undefined)
    }
  })
}

test('expiry 01/2040 is authenticated without a challenge', async (t) => {
  const issuer = await openIssuer(t)
  const { body } = await issuer.authenticate('01/2040')
  assert.equal(body.transStatus, 'Y')
  assert.equal(body.eci, '05')
  assert.equal(Buffer.from(body.authenticationValue, 'base64').length, 20)
  assert.equal(body.pareq, undefined)
})

test('another expiry, no expiry and an unknown number are not enrolled in 3-D Secure', async (t) => {
  const issuer = await openIssuer(t)
  for (const expiry of ['01/2038', '02/2038', '04/2038', '12/2038', '12/2039', '03/2040', '05/2031']) {
    assert.deepEqual((await issuer.authenticate(expiry)).body, { enrolled: false }, expiry)
  }
  assert.deepEqual((await issuer.authenticate('05/2038', { cardExpiryDate: undefined })).body, { enrolled: false })
  const other = { acctNumber: '4000000000000002' }
  assert.deepEqual((await issuer.authenticate('05/2038', other)).body, { enrolled: false })
})

test('of a wallet, only the funding number of the challenge card is challenged: a device has already authenticated its holder', async (t) => {
  const issuer = await openIssuer(t)
  const authenticate = async (acctNumber: string) => (await issuer.authenticate('12/2031', { acctNumber })).body
  assert.equal((await authenticate('4000009000000060')).transStatus, 'C')
  for (const number of ['4000001000000067', '4000009000000011', '4000001000000018']) {
    assert.deepEqual(await authenticate(number), { enrolled: false }, number)
  }
})

test('only approve authenticates the payer; decline and any other value do not', async (t) => {
  const issuer = await openIssuer(t)
  const outcome = async (pares: string, number = '4111111111111111') => {
    const { body } = await issuer.authenticate('05/2038', { acctNumber: number })
    return (await issuer.result(body.threeDSServerTransID, pares)).body
  }
  const approved = await outcome('approve')
  assert.deepEqual([approved.transStatus, approved.eci], ['Y', '05'])
  assert.match(approved.authenticationValue, /^[\w+/]{27}=$/)
  assert.equal((await outcome('approve', '5555555555554444')).eci, '02')
  for (const pares of ['decline', '', 'APPROVE', 'eJxVUs1u']) {
    const declined = await outcome(pares)
    assert.deepEqual([declined.transStatus, declined.eci, declined.transStatusReason], ['N', '07', '01'], pares)
    assert.equal(declined.authenticationValue, undefined)
  }
  assert.equal((await outcome('decline', '5555555555554444')).eci, '00')
})

test('the first outcome of a challenge is final, also after a restart, and a repeated question gets the same proof', async (t) => {
  const folder = await temporaryFolder(t)
  const before = await openIssuer(t, folder)
  const { threeDSServerTransID: approved } = (await before.authenticate('05/2038')).body
  const { threeDSServerTransID: declined } = (await before.authenticate('05/2038')).body
  const { threeDSServerTransID: open } = (await before.authenticate('05/2038')).body
  const first = (await before.result(approved, 'approve')).body
  await before.result(declined, 'decline')
  assert.deepEqual((await before.result(approved, 'decline')).body, first)

  const after = await openIssuer(t, folder)
  assert.deepEqual((await after.result(approved, 'decline')).body, first)
  assert.equal((await after.result(declined, 'approve')).body.transStatus, 'N')
  assert.equal((await after.result(open, 'approve')).body.transStatus, 'Y')
})

test('every authentication has its own identifiers and its own proof', async (t) => {
  const issuer = await openIssuer(t)
  const answers = await Promise.all(Array.from({ length: 5 }, () => issuer.authenticate('01/2040')))
  for (const name of ['threeDSServerTransID', 'dsTransID', 'acsTransID', 'authenticationValue'] as const) {
    assert.equal(new Set(answers.map(({ body }) => body[name])).size, 5, name)
  }
})

test('an unknown authentication is not found', async (t) => {
  const issuer = await openIssuer(t)
  const { status, body } = await issuer.result(randomUUID(), 'approve')
  assert.deepEqual([status, body.error.code], [404, 'authentication_not_found'])
})

test('the record shows the authentications of a payment', async (t) => {
  const issuer = await openIssuer(t)
  const { body } = await issuer.authenticate('06/2038', { paymentId: 'p-2' })
  await issuer.authenticate('06/2038', { paymentId: 'p-3' })
  await issuer.result(body.threeDSServerTransID, 'approve')
  const { authentications } = (await issuer.get('/3ds/authentications?payment_id=p-2')).body
  assert.deepEqual(authentications, [
    {
      threeDSServerTransID: body.threeDSServerTransID,
      dsTransID: body.dsTransID,
      acsTransID: body.acsTransID,
      paymentId: 'p-2',
      card: '411111******1111',
      amount: '1000',
      currency: 'EUR',
      transStatus: 'Y',
      at: '2027-01-15T08:00:00.000Z',
    },
  ])
})

test('the stored record contains neither a card number nor a proof', async (t) => {
  const folder = await temporaryFolder(t)
  const issuer = await openIssuer(t, folder)
  const { body } = await issuer.authenticate('01/2040')
  const { threeDSServerTransID } = (await issuer.authenticate('05/2038')).body
  const { authenticationValue } = (await issuer.result(threeDSServerTransID, 'approve')).body
  const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8')
  assert.match(journal, /411111\*{6}1111/)
  for (const canary of ['4111111111111111', body.authenticationValue, authenticationValue]) {
    assert.ok(!journal.includes(canary), canary)
  }
})

// biome-ignore format: a table is read in columns.
const malformedRequests = [
  // title                    changed fields
  [ 'a wrong check digit',    { acctNumber: '4111111111111112' } ],
  [ 'no number',              { acctNumber: undefined } ],
  [ 'a thirteenth month',     { cardExpiryDate: '3813' } ],
  [ 'a decimal amount',       { purchaseAmount: '10.00' } ],
  [ 'no currency',            { purchaseCurrency: undefined } ],
  [ 'no payment',             { paymentId: '' } ],
  [ 'a script as an address', { notificationURL: 'javascript:alert(1)' } ],
  [ 'half an address',        { notificationURL: 'https://' } ],
] as const

for (const [title, fields] of malformedRequests) {
  test(`${title} is refused without quoting the value`, async (t) => {
    const issuer = await openIssuer(t)
    const { status, body } = await issuer.authenticate('05/2038', fields)
    assert.deepEqual([status, body.error.code], [400, 'invalid_request'])
    assert.doesNotMatch(JSON.stringify(body), /\d{12}/)
  })
}

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { readValue } from '../../contracts/value-faults.ts'
import { orderWith, statusQueryWith } from '../testing/contract-samples.ts'
import { FakeAcquirer } from '../testing/fake-acquirer.ts'
import { createWires } from '../wire.ts'
import { checkout } from './index.ts'

const channel = { processing_channel_id: 'pc_ovo75iz4hdyudnx6tu74mum3fq' }
const withSecretKey = { ...channel, secret_key: 'sk_sbox_m73dzbpy7cf3gfd46xr4yj5xo4e' }
const withAccessKey = {
  ...channel,
  access_key_id: 'ack_ovo75iz4hdyudnx6tu74mum3fq',
  access_key_secret: 'a-secret-of-the-key',
}

const fake = new FakeAcquirer()
const wires = createWires({ clock: { now: () => new Date('2026-03-01T12:00:00Z') }, connect: () => fake.connect })
const open = (credentials: object) => checkout.open(credentials, wires, 'test')
const never = { status: 200, body: { data: [] } }

before(() => fake.listen())
beforeEach(() => fake.answer(never))
after(async () => {
  await wires.close()
  fake.close()
})

const faultsOf = (credentials: object): readonly string[] => {
  const reading = readValue(checkout.credentials, credentials)
  return reading.ok ? [] : reading.faults.map(({ path }) => path)
}

test('a secret key or an access key with its secret is needed, and what does not fit is named', () => {
  assert.deepEqual(faultsOf(withSecretKey), [])
  assert.deepEqual(faultsOf(withAccessKey), [])
  assert.deepEqual(faultsOf(channel), ['secret_key'])
  assert.deepEqual(faultsOf({ ...withSecretKey, access_key_id: 'ack_1' }), ['access_key_secret'])
  assert.deepEqual(faultsOf({ ...withSecretKey, secret_key: 'pk_sbox_m73dzbpy7cf3gfd46xr4yj5xo4e' }), ['secret_key'])
  assert.deepEqual(faultsOf({ ...withSecretKey, url_prefix: 'https://vkuhvk4v.api.checkout.com' }), ['url_prefix'])
})

test('the hosts follow the mode and the prefix, and a base URL replaces all of them', () => {
  const prefixed = { ...withSecretKey, url_prefix: 'vkuhvk4v' }
  assert.deepEqual(checkout.addresses(prefixed, 'live'), [
    'https://vkuhvk4v.api.checkout.com',
    'https://vkuhvk4v.access.checkout.com',
  ])
  assert.deepEqual(checkout.addresses(withSecretKey, 'test'), [
    'https://api.sandbox.checkout.com',
    'https://access.sandbox.checkout.com',
  ])
  assert.deepEqual(checkout.addresses({ ...prefixed, base_url: 'http://127.0.0.1:1' }, 'live'), [
    'http://127.0.0.1:1',
    'http://127.0.0.1:1',
  ])
})

test('an access key is exchanged for a token once, and a secret key is sent as it is', async () => {
  let issued = 0
  fake.behave(({ path }, response) => {
    const isToken = path === '/connect/token'
    if (isToken) issued += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(isToken ? { access_token: 'T1', expires_in: 14_400, token_type: 'Bearer' } : never.body),
    )
  })
  const account = open(withAccessKey)
  const query = statusQueryWith({ reference: null })
  await account.status(query)
  await account.status(query)
  assert.equal(issued, 1)
  const [token, ...asked] = fake.sent
  assert.equal(
    token?.body,
    'grant_type=client_credentials&client_id=ack_ovo75iz4hdyudnx6tu74mum3fq&client_secret=a-secret-of-the-key',
  )
  assert.deepEqual(
    asked.map(({ headers }) => headers.authorization),
    ['Bearer T1', 'Bearer T1'],
  )

  fake.answer(never)
  await open(withSecretKey).status(query)
  assert.equal(fake.requests, 1)
  assert.equal(fake.last().headers.authorization, `Bearer ${withSecretKey.secret_key}`)
})

test('without an access token nothing is sent, so that nothing was executed', async () => {
  fake.answer({ status: 400, body: { error: 'invalid_client' } })
  await assert.rejects(open(withAccessKey).sale(orderWith({})), { name: 'WireFault', sent: false })
})

test('3-D Secure is asked for as the MID says', async () => {
  const sent = async (three_ds: string | undefined, changes = {}): Promise<unknown> => {
    fake.answer({ status: 500 })
    await open({ ...withSecretKey, ...(three_ds && { three_ds }) }).sale(orderWith(changes))
    return JSON.parse(fake.last().body)['3ds']
  }
  assert.deepEqual(await sent(undefined), { enabled: true, attempt_n3d: true })
  assert.deepEqual(await sent('on-demand'), { enabled: false, allow_upgrade: true })
  assert.equal(await sent('never'), undefined)
  for (const changes of [{ moto: true }, { returnUrl: null }, { payerPresent: false }])
    assert.equal(await sent('always', changes), undefined, JSON.stringify(changes))
})

test('what a MID lacks is said before anything is sent', async () => {
  const wallet = { wallet: { name: 'walletapay', token: '{"version":"EC_v1"}' }, card: null }
  const outcomes = [
    await open(withSecretKey).sale(orderWith(wallet)),
    await open(withSecretKey).credit?.(orderWith({})),
  ]
  assert.equal(fake.requests, 0)
  assert.deepEqual(
    outcomes.map((outcome) => outcome && 'reason' in outcome && outcome.reason),
    ['The MID has no public key, which wallet tokens need', 'The MID has no currency account for payouts'],
  )
})

test('a wallet’s token of which Checkout.com made none has charged nothing, however the answer was lost', async () => {
  const wallet = { wallet: { name: 'walletapay', token: '{"version":"EC_v1"}' }, card: null }
  fake.trouble('hang-up')
  const account = open({ ...withSecretKey, public_key: 'pk_sbox_7d5gkb4yfzqkgsjxxlrwmaiuyme' })
  await assert.rejects(account.sale(orderWith(wallet)), { name: 'WireFault', sent: false })
  assert.deepEqual(
    fake.sent.map(({ path }) => path),
    ['/tokens'],
  )
})

test('the check names the key that is wrong', async () => {
  const both = { ...withSecretKey, public_key: 'pk_sbox_7d5gkb4yfzqkgsjxxlrwmaiuyme' }
  const check = async (credentials: object, replies: readonly { status: number; body?: unknown; text?: string }[]) => {
    fake.answerInTurn(replies)
    const answer = await open(credentials).check?.(null)
    return answer?.kind === 'refused' ? answer.field : answer?.kind
  }
  assert.equal(await check(both, [never, { status: 422, body: {} }]), 'accepted')
  assert.equal(await check(both, [never, { status: 401, text: '' }]), 'public_key')
  assert.equal(await check(both, [{ status: 401, text: '' }]), 'secret_key')
  assert.equal(await check(withSecretKey, [{ status: 403, text: '' }]), 'secret_key')
  assert.equal(await check(withSecretKey, [{ status: 503, text: '' }]), 'no-answer')
  assert.equal(await check(withAccessKey, [{ status: 400, body: {} }]), 'no-answer')
})

// Written from chapter 60 §6: the acquirer is asked something harmless, and the answer names the wrong value.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStandIns, type StandIns } from '../../test/stand-ins.ts'

let standIns: StandIns
before(async () => {
  standIns = await openStandIns()
})
after(() => standIns[Symbol.asyncDispose]())

// biome-ignore format: a table is read in columns.
const wrongValues = [
  // connector      a wrong value                                           the field that is named
  [ 'adyen',       { api_key: 'x'.repeat(30) },                'api_key' ],
  [ 'adyen',       { merchant_account: 'AnotherECOM' },        'merchant_account' ],
  [ 'stripe',      { secret_key: 'sk_test_wrong' },            'secret_key' ],
  [ 'checkout',    { secret_key: 'sk_wrong_key' },             'secret_key' ],
  [ 'paypal',      { client_secret: 'wrong' },                 null ],
  [ 'cybersource', { shared_secret: 'd3Jvbmcgd3Jvbmcgd3Jvbmcgd3Jvbmc=' }, null ],
] as const

for (const [connector, change, field] of wrongValues) {
  const [name] = Object.keys(change)
  test(`${connector} accepts right credentials; a wrong ${name} is refused, and ${field ?? 'no field'} is named`, async () => {
    const { run, createMid } = standIns
    const right = await createMid(connector)
    const checked = await run('mid', 'check', right)
    assert.deepEqual([checked.code, checked.out], [0, 'The acquirer accepts the credentials.'], checked.err)
    const wrong = await createMid(connector, change)
    const { code, json } = await run('mid', 'check', wrong, '--json')
    assert.deepEqual([code, json.kind, json.field], [1, 'refused', field])
    assert.deepEqual(await standIns.listLedger(connector), [], 'no money moved')
  })
}

// An echo names no merchant, so that a host of ISO 8583 refuses wrong numbers only with a payment.
test('an acquirer that does not answer is no proof of wrong credentials', async () => {
  assert.equal((await standIns.run('mid', 'check', await standIns.createMid('iso8583'))).code, 0)
  for (const unreachable of [
    await standIns.createMid('stripe', { base_url: 'http://127.0.0.1:9' }),
    await standIns.createMid('iso8583', { port: 9 }),
  ]) {
    const { code, out } = await standIns.run('mid', 'check', unreachable)
    assert.equal(code, 1)
    assert.match(out, /^The credentials could not be checked\./)
  }
})

test('a MID of an acquirer without a check is told apart from one that was checked', async () => {
  const credentials = '{"mid":"main","base_url":"http://127.0.0.1:9"}'
  const { run } = standIns
  await run('mid', 'create', 'plain', '--connector', 'sandbox', '--side', 'test', '--credentials', credentials)
  const { code, out } = await run('mid', 'check', 'plain')
  assert.deepEqual([code, out], [0, 'This acquirer offers no check of credentials.'])
  assert.match((await run('mid', 'check', 'gone')).err, /There is no MID "gone"/)
})

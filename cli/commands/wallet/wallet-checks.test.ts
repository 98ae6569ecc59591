import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { systemIds } from '#server/process/ids.ts'
import { refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { openWalletA } from '#server/wallets/tokens/formats/wallet-a.ts'
import { termsA } from '#server/wallets/tokens/testing/terms.ts'
import { mint, signedAt } from '#server/wallets/tokens/testing/wallet-a.ts'
import { insertPayment } from '../../../server/test/callbacks/callback-rows.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
let merchantId: string
let paymentId: string

const token = JSON.stringify(mint())
const genuine = openWalletA(token, termsA)
const stale = openWalletA(token, { ...termsA, now: new Date(signedAt.getTime() + 301_000) })

before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
  const { pool } = instance.database
  const { rows } = await pool.query<{ id: string }>('select id from merchants')
  merchantId = rows[0]?.id ?? ''
  paymentId = (await insertPayment(pool, { merchantId })).paymentId
  const wallet = {
    name: 'walletapay',
    sentAs: 'walletapay',
    flow: 'decrypted',
    panType: 'DPAN',
    numberKind: 'device number',
    displayName: 'Visa 0018',
    networkLabel: 'Visa',
    deviceId: '040010030273',
    eci: '7',
    checks: genuine.record,
  }
  await pool.query(
    "update payments set card_mask = '400000******0018', card_expiry = '12/2031', facts = $2 where id = $1",
    [paymentId, JSON.stringify({ wallet })],
  )
})
after(() => instance[Symbol.asyncDispose]())

const ids = systemIds({ now: () => new Date('2030-05-06T08:00:00Z') })
const refuse = (requestId: string, orderId: string, at: string, of = merchantId) =>
  refusedTokenStore(instance.database.pool, ids).add({
    requestId,
    orderId,
    merchantId: of,
    mode: 'live',
    protocol: 'S2S_CARD',
    at: new Date(at),
    record: stale.record,
  })

test('the checks of a payment are listed in words, with the card masked', async () => {
  const { out } = await instance.do('wallet', 'checks', paymentId)
  for (const line of [
    /^merchant +acme$/m,
    /^card +400000\*{6}0018 12\/2031$/m,
    /^name in the wallet +Visa 0018$/m,
    /^device +040010030273$/m,
    /^processed as +decrypted$/m,
    /^wallet +walletapay EC_v1$/m,
    /^number +DPAN, device number, visa$/m,
    /^A11 +time +passed +signed at 2030-05-06T07:08:09\.000Z, 0 s from now$/m,
  ])
    assert.match(out, line)
  assert.doesNotMatch(out, /4000001000000018/)
})

test('with --json the record is printed as it is stored', async () => {
  const { json } = await instance.do('wallet', 'checks', paymentId, '--json')
  assert.deepEqual([json.trans_id, json.wallet.checks], [paymentId, JSON.parse(JSON.stringify(genuine.record))])
})

test('for a payment without checks, the reason is given', async () => {
  const { paymentId: card } = await insertPayment(instance.database.pool, { merchantId })
  assert.match((await instance.run(['wallet', 'checks', card])).err, /was not paid with a wallet/)
  const nothing = await instance.run(['wallet', 'checks', '00000000-0000-4000-8000-000000000000'])
  assert.match(nothing.err, /There is no payment .*--refused/s)
  assert.equal((await instance.run(['wallet', 'checks'])).code, 2)
  assert.equal((await instance.run(['wallet', 'checks', paymentId, '--refused'])).code, 2)
})

test('refused tokens are listed newest first, and filtered by merchant, order, request and time', async () => {
  assert.match((await instance.do('wallet', 'checks', '--refused')).out, /No token was refused/)
  await refuse('req-1', 'ORDER-1', '2030-05-06T08:00:00Z')
  await refuse('req-2', 'ORDER-2', '2030-05-06T09:00:00Z')
  await refuse('req-3', 'ORDER-2', '2030-05-06T10:00:00Z', '00000000-0000-4000-8000-000000000001')
  const found = async (...options: readonly string[]): Promise<readonly string[]> =>
    (await instance.do('wallet', 'checks', '--refused', '--json', ...options)).json.map(
      ({ requestId }: { requestId: string }) => requestId,
    )
  const [newest] = (await instance.do('wallet', 'checks', '--refused', '--json')).json
  assert.deepEqual([newest.side, 'mode' in newest], ['live', false])
  assert.deepEqual(await found(), ['req-3', 'req-2', 'req-1'])
  assert.deepEqual(await found('--merchant', 'acme'), ['req-2', 'req-1'])
  assert.deepEqual(await found('--order', 'ORDER-2'), ['req-3', 'req-2'])
  assert.deepEqual(await found('--request', 'req-1'), ['req-1'])
  assert.deepEqual(await found('--since', '2030-05-06T09:00:00Z'), ['req-3', 'req-2'])
  assert.deepEqual(await found('--limit', '1'), ['req-3'])
  assert.match(
    (await instance.do('wallet', 'checks', '--refused')).out,
    /S2S_CARD +ORDER-2 +walletapay EC_v1 +A11 time +req-2/,
  )
})

test('a single refused token is shown with every check', async () => {
  const { out } = await instance.do('wallet', 'checks', '--refused', '--request', 'req-1')
  assert.match(out, /^A10 +signature +passed/m)
  assert.match(out, /^A11 +time +failed +\S/m)
  assert.match(out, /^A12 +replay +not reached/m)
})

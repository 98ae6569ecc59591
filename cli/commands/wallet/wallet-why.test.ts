import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantIdentifier, pairOf } from '../../../server/test/wallets/wallet-setup.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
before(async () => {
  instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
})
after(() => instance[Symbol.asyncDispose]())

const why = (...options: readonly string[]) => instance.run(['wallet', 'why', 'acme', ...options])

test('from missing settings to a shown button, every step is explained with its remedy', async () => {
  const empty = await why('--host', 'shop.example')
  assert.equal(empty.code, 1)
  assert.match(empty.out, /^button {2}missing: not enabled\n +→ The wallet has no settings in this mode/)
  assert.match(empty.out, /^flow {4}none/m)

  await instance.do('wallet', 'settings', 'set', 'acme', '--merchant-identifier', merchantIdentifier, '--enabled')
  assert.match(
    (await why()).out,
    /missing: incomplete\n +→ It is usable on S2S only, Checkout needs: identity certificate, Country, Shop name/,
  )

  const identity = pairOf('why identity')
  const fields = '--country DE --shop-name Acme --capability supports3DS --network visa'.split(' ')
  const pair = [`--certificate=${identity.certificate}`, '--private-key', identity.privateKey]
  await instance.do('wallet', 'settings', 'set', 'acme', ...fields, ...pair)
  assert.match((await why()).out, /missing: no mid\n +→ The merchant has no enabled MID/)

  const credentials = JSON.stringify({ mid: 'm', base_url: 'http://127.0.0.1:9' })
  await instance.do('mid', 'create', 'main', '--connector', 'sandbox', '--side', 'live', '--credentials', credentials)
  await instance.do('mid', 'link', 'acme', 'main')
  assert.match((await why()).out, /missing: no mid\n +→ Enable the wallet/)

  await instance.database.pool.query(
    `update mids set wallets = '{walletapay}', card_flow = true, accepts_decrypted = false`,
  )
  const virtual = await why('--host', 'shop.example')
  assert.match(virtual.out, /missing: domain unverified\n +→ Add shop\.example/)
  assert.match(virtual.out, /flow {4}virtual\n +There is no active processing key\.\n +→ Enter the processing key/)

  assert.match((await why()).out, /missing: domain unverified\n +→ No domain of the merchant is verified/)
  await instance.do('wallet', 'domain', 'add', 'acme', 'shop.example')
  await instance.database.pool.query(`update wallet_domains set state = 'verified'`)
  assert.equal((await why('--browser', 'maker')).code, 0)
  assert.match((await why('--browser', 'unsupported')).out, /missing: browser unsupported/)
  assert.match((await why('--recurring')).out, /missing: needs card flow/)
})

test('with --json it reports the same', async () => {
  const { privateKey } = pairOf('why')
  await instance.do('wallet', 'settings', 'set', 'acme', '--processing-private-key', privateKey)
  const { json } = await instance.do('wallet', 'why', 'acme', '--json')
  assert.deepEqual([json.button, json.flow.flow, json.flow.unmet.length], [null, 'passed_on', 1])
})

test('what pages and browsers reported in the last days is shown, and older reports are not', async () => {
  await instance.database.pool.query(
    `insert into missing_buttons (merchant_id, side, wallet, reason, source, day, count, last_at)
     select m.id, 'live', 'walletapay', r.reason, 'browser', (now() - r.ago)::date, r.count, now() - r.ago
     from merchants m, (values ('no card', interval '0', 2), ('no card', interval '1 day', 3), ('frame', interval '20 days', 9))
       as r (reason, ago, count)
     where m.name = 'acme'`,
  )
  const { out } = await why('--browser', 'maker')
  assert.match(out, /Not shown in the last 7 days:\n.*REASON.*\nno card +browser +5 /)
  assert.doesNotMatch(out, /frame/)
  const { json } = await instance.do('wallet', 'why', 'acme', '--json')
  assert.deepEqual([json.recorded.length, json.recorded[0].count], [1, 5])
  assert.doesNotMatch((await why('--side', 'test')).out, /Not shown in the last/)
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openShop, type Shop } from '../../../server/test/shop.ts'
import { type CommandRun, findUnusedUrl, runGatehouse } from '../../test/gatehouse.ts'
import { openOtherProgram } from '../../test/other-program.ts'

let shop: Shop
let environment: NodeJS.ProcessEnv

before(async () => {
  shop = await openShop()
  const { dataDir, databaseUrl } = shop.base.config
  await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ base_url: shop.url, sandbox_url: shop.sandbox.url }))
  environment = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', PORT: '0' }
})
after(() => shop[Symbol.asyncDispose]())

const run = (...argv: readonly string[]): Promise<CommandRun> => runGatehouse(['wallet', ...argv], { environment })

test('only the minted token goes to standard output; its description goes to standard error', async () => {
  const { code, out, err } = await run('mint', '--card', 'decline')
  assert.equal(code, 0, err)
  assert.equal(JSON.parse(out).paymentData.version, 'EC_v1')
  assert.match(err, /walletapay EC_v1 for demo, card 400000\*{6}0026/)
})

test('every option reaches the simulator, and the expected result is shown', async () => {
  const { test_key } = shop.merchant('demo-sha256')
  const wished =
    '--wallet walletbpay --version ECv1 --pan-type FPAN --card approve-mc --envelope bare --fault b-expired'
  const { json } = await run('mint', '--merchant', test_key, ...wished.split(' '), '--json')
  assert.deepEqual([json.facts.version, json.facts.pan_type, json.facts.card_name], ['ECv1', 'FPAN', 'approve-mc'])
  assert.equal(json.expect.card.check, 'B10')
  assert.equal(JSON.parse(json.token).protocolVersion, 'ECv1')
  assert.match((await run('mint', '--fault', 'stale')).err, /card flow 250003 by check A11; in virtual flow 250003/)
})

test('the same seed mints the same token except for its time', async () => {
  const idOf = async (seed: string) => JSON.parse((await run('mint', '--seed', seed)).out).transactionIdentifier
  assert.equal(await idOf('seven'), await idOf('seven'))
  assert.notEqual(await idOf('seven'), await idOf('eight'))
})

for (const form of ['s2s-card', 's2s-apm']) {
  test(`the curl command for ${form} makes a payment`, async () => {
    const { out } = await run('mint', '--form', form, '--amount', '3.21', '--currency', 'EUR')
    const [, url = '', body = ''] = /^curl -sSw '\\n' '([^']+)' --data '([^']+)'$/.exec(out) ?? []
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(url, { method: 'POST', headers, body })
    const paid = (await reply.json()) as Record<string, string>
    assert.deepEqual([paid['result'], paid['amount']], ['SUCCESS', '3.21'])
  })
}

test('a minted token verifies with the root of the sandbox authority, and a faulty one fails the check of its fault', async () => {
  const file = join(shop.base.config.dataDir, 'token.json')
  const authority = join(shop.base.config.dataDir, 'authority.json')
  await writeFile(authority, await (await fetch(`${shop.url}/simulator/api/authority`)).text())
  await writeFile(file, (await run('mint')).out)
  assert.match((await run('open', file, '--root', `${authority}#root_pem`)).out, /A10 +signature +passed/)
  await writeFile(file, (await run('mint', '--fault', 'signature-flip')).out)
  const refused = await run('open', file, '--root', `${authority}#root_pem`)
  assert.equal(refused.code, 1)
  assert.match(refused.out, /A10 +signature +failed/)
})

test('a refusal of the simulator is shown in its words, and an unreachable service in ours', async () => {
  assert.match((await run('mint', '--card', '4111111111111111')).err, /standard test cards do not work with a wallet/)
  assert.match((await run('mint', '--merchant', 'demoo')).err, /Did you mean "demo"/)
  const away = await run('mint', '--url', await findUnusedUrl())
  assert.equal(away.code, 1)
  assert.match(away.err, /does not answer/)
  await using other = await openOtherProgram()
  const foreign = await run('mint', '--url', other.url)
  assert.equal(foreign.code, 1)
  assert.match(foreign.err, /^http.* answered 200; it is not the simulator\.\n/)
})

test('every case of a row gives the expected result, and rows that need their own instance are named', async () => {
  const { code, out, err } = await run('matrix', '--only', '0,1,44,46,47,48,49,60,71,79,81', '--all')
  assert.equal(code, 0, out)
  assert.match(out, /48 +parallel +s2s-apm +virtual +EC_v1 +1 passes, 19 x 250003 +1 passes, 19 x 250003 +ok/)
  assert.match(out, /47 +replayed-merchant +s2s-card +card +RSA_v1 +250003 A12 +250003 A12 +ok/)
  assert.match(out, /79 +b-message-id +s2s-apm +virtual +ECv2 +passes +passes +ok/)
  assert.match(out, /0 +no key +s2s-card +virtual +ECv1 +250002 +250002 +ok/)
  assert.match(out, /, 0 different\.$/)
  assert.match(err, /rows 81 need an instance of their own/)
})

const doctorsWarnings = async (): Promise<readonly string[]> =>
  (await runGatehouse(['doctor'], { environment })).out
    .split('\n')
    .filter((line) => /^(warning|problem) +wallets/.test(line))
const openAlerts = async (): Promise<number> =>
  (await shop.base.pool.query('select from alerts where resolved_at is null')).rows.length

test('a run removes the warnings and alerts it caused; with --keep they stay', async () => {
  const wrongKeys = ['matrix', '--only', '49,50,51,75', '--protocol', 's2s-card']
  const { code, err } = await run(...wrongKeys)
  assert.equal(code, 0, err)
  assert.match(err, /Removed: the records of [1-9][0-9]* refused tokens and the [0-9]+ alerts they raised\./)
  await shop.service.awaitIdle()
  assert.deepEqual([await doctorsWarnings(), await openAlerts()], [[], 0])

  assert.equal((await run(...wrongKeys, '--keep')).code, 0)
  assert.ok((await doctorsWarnings()).length > 0)
})

test('a difference is shown, and the exit code is 1', async () => {
  await shop.configure(
    "update wallet_settings set enabled = false where merchant_id = (select id from merchants where name = 'demo')",
  )
  const { code, out } = await run('matrix', '--only', '44', '--protocol', 's2s-card', '--version', 'EC_v1')
  assert.equal(code, 1)
  assert.match(out, /stale +s2s-card +card +EC_v1 +250003 A11 +204018 +DIFFERS/)
})

test('--list shows the faults and sends nothing', async () => {
  const { out } = await run('matrix', '--list')
  assert.match(out, /44 +stale +EC_v1, RSA_v1 +250003 +250003/)
})

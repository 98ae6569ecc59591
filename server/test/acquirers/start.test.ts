/** `npm start -- --acquirers …`: the real program with stand-ins for acquirers beside it. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { pan10 } from '#domain/card.ts'
import { cardFormulas, sign } from '#domain/signature/signature.ts'
import { connectorById, connectors } from '#server/connectors/registry.ts'
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { spawnGateway } from '../instance/gateway-process.ts'

const [number, email] = ['4111111111111111', 'doe@example.com']

let folder: string
let database: TestDatabase
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-acquirers-'))
  database = await testDatabase()
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function start(...args: readonly string[]): ChildProcess {
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: 'none',
    SESSION_KEY_BITS: '2048',
  }
  return spawnGateway(args, { environment: settings })
}

interface DemoAccount {
  readonly connector: string
  readonly merchant: string
  readonly key: string
  readonly test_key: string
  readonly password: string
  readonly ledger_url: string
  readonly disputes_url: string | null
  readonly mid_credentials: Readonly<Record<'live' | 'test', unknown>>
}

interface Demo {
  readonly base_url: string
  readonly acquirers: readonly DemoAccount[]
}

async function untilReady(child: ChildProcess): Promise<Demo> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    errors += words
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(errors)))
    child.stdout?.setEncoding('utf8').on('data', (words: string) => {
      output += words
      if (output.includes('Try a first payment')) resolve()
    })
  })
  assert.match(output, /demo-adyen +\S+ +\S+ +\S+ +http:\S+\/ledger/)
  return JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
}

test('every stand-in that can be chosen has a connector, and an unknown name is refused with the list', () => {
  const names = chosenStandIns('all')
  assert.ok(names.includes('adyen'))
  for (const name of names)
    assert.ok(
      connectors.some(({ id }) => id === name),
      name,
    )
  assert.deepEqual(chosenStandIns(' adyen, adyen '), ['adyen'])
  assert.throws(() => chosenStandIns('adyen,nobody'), { message: 'There is no stand-in for the acquirer "nobody".' })
  assert.throws(() => chosenStandIns(','), { message: '--acquirers names no acquirer.' })
})

for (const [args, sentence] of [
  [['--acquirers', 'nobody'], /no stand-in for the acquirer "nobody"[\s\S]*adyen/],
  [['worker', '--acquirers', 'adyen'], /Only the role all starts stand-ins/],
  [['--acquirers'], /^--acquirers needs names, for example adyen,stripe, or all\.[\s\S]*Usage: npm start/],
] as const) {
  test(`${args.join(' ')} is refused before anything is started`, async () => {
    const child = start(...args)
    const [errors, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
    assert.match(errors, sentence)
    assert.notEqual(code, 0)
  })
}

type Fields = Readonly<Record<string, string>>

async function post(url: string, fields: Fields): Promise<Fields> {
  const reply = await fetch(`${url}/post`, { method: 'POST', body: new URLSearchParams(fields) })
  return JSON.parse(await reply.text())
}

const saleOf = (key: string, password: string): Fields => ({
  action: 'SALE',
  client_key: key,
  order_id: randomUUID(),
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Shoes',
  card_number: number,
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '000',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: email,
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
  hash: sign(cardFormulas.start, { email, pan10: pan10(number) }, { password, digest: 'md5' }),
})

test('a demo merchant pays over each stand-in with both keys, captures and refunds are decided by notifications, and SIGTERM ends all', async (t) => {
  const child = start('--acquirers', 'all')
  t.after(() => child.kill('SIGKILL'))
  const { base_url: url, acquirers } = await untilReady(child)
  assert.deepEqual(
    acquirers.map(({ connector, merchant }) => [connector, merchant]),
    chosenStandIns('all').map((name) => [name, `demo-${name}`]),
  )
  for (const { connector, disputes_url } of acquirers) {
    const hasPage = disputes_url !== null && (await fetch(disputes_url)).ok
    assert.equal(hasPage, connector !== 'cybersource' && connector !== 'iso8583', connector)
  }
  for (const { connector, mid_credentials: entered } of acquirers)
    for (const mode of ['live', 'test'] as const)
      assert.ok(connectorById(connector)?.credentials.safeParse(entered[mode]).success, `${connector} ${mode}`)
  for (const { connector, key, test_key, password } of acquirers) {
    for (const one of [key, test_key]) {
      const { status, ...rest } = await post(url, saleOf(one, password))
      assert.equal(status, 'SETTLED', `${connector}: ${JSON.stringify(rest)}`)
    }
  }

  const account = acquirers.find(({ connector }) => connector === 'adyen')
  assert.ok(account)
  const { key, password, ledger_url } = account
  const { trans_id = '' } = await post(url, { ...saleOf(key, password), auth: 'Y' })
  const hash = sign(cardFormulas.followUp, { email, pan10: pan10(number), trans_id }, { password, digest: 'md5' })
  const later = (action: string, more = {}) => post(url, { action, client_key: key, trans_id, hash, ...more })
  const until = async (status: string) => {
    while ((await later('GET_TRANS_STATUS')).status !== status) await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await later('CAPTURE', { amount: '6.00' })
  await until('SETTLED')
  await later('CREDITVOID', { amount: '6.00' })
  await until('REFUND')

  const ledger: readonly Fields[] = JSON.parse(await (await fetch(ledger_url)).text())
  assert.deepEqual(
    ledger.map((entry) => `${entry.kind} ${entry.amount}`),
    ['sale 1000', 'sale 1000', 'authorize 1000', 'capture 600', 'refund 600'],
  )
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  for (const { ledger_url: address } of acquirers) await assert.rejects(fetch(address))
})

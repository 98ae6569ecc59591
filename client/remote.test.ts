/** The command for integrators against an instance that it knows by its address only. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeUser } from '../server/test/panel/admin.ts'
import { startReceiver } from '../server/test/receiver.ts'
import { openShop } from '../server/test/shop.ts'
import { run } from './typescript/cli/run.ts'

const remote = await openShop()
let folder: string
let environment: Readonly<Record<string, string>>

const serviceKey = `ghsk_${'5'.repeat(64)}`

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-remote-'))
  const { key, password } = remote.merchant()
  const { pool, ids } = remote.base
  const { rows } = await pool.query<{ id: string }>("select id from merchants where name = 'demo'")
  const { webhookSecrets } = await remote.service.configuration.readSecrets(rows[0]?.id ?? '')
  const { id } = await makeUser(remote, {
    role: 'merchant-viewer',
    allMerchants: false,
    merchantIds: [rows[0]?.id ?? ''],
  })
  await pool.query('update users set is_service = true where id = $1', [id])
  await pool.query(
    `insert into service_keys (id, user_id, key_hash, created_at, created_by, expires_at)
     values ($1, $2, sha256(convert_to($3, 'UTF8')), now(), 'a test', now() + interval '1 day')`,
    [ids.next(), id, serviceKey],
  )
  await writeFile(join(folder, 'password'), `${password}\n`)
  environment = {
    GATEHOUSE_URL: remote.url,
    GATEHOUSE_KEY: key,
    GATEHOUSE_PASSWORD_FILE: join(folder, 'password'),
    GATEHOUSE_WEBHOOK_SECRET: webhookSecrets[0]?.reveal() ?? '',
    GATEHOUSE_SERVICE_KEY: serviceKey,
  }
})
after(async () => {
  await rm(folder, { recursive: true, force: true })
  await remote[Symbol.asyncDispose]()
})

interface Came {
  readonly code: number
  readonly out: readonly string[]
  readonly err: string
}

async function gatehouse(argv: readonly string[], over: Readonly<Record<string, string>> = {}): Promise<Came> {
  const out: string[] = []
  const err: string[] = []
  const { signal } = new AbortController()
  const code = await run(
    argv,
    { ...environment, ...over },
    { out: (line) => out.push(line), err: (line) => err.push(line), signal },
  )
  return { code, out, err: err.join('\n') }
}

test('trigger makes a payment, events has its callback, and listen hands it on as it was signed', async () => {
  const triggered = await gatehouse(['trigger', 'refunded'])
  assert.equal(triggered.code, 0, triggered.err)
  const { trans_id, result } = JSON.parse(triggered.out[0] ?? '')
  assert.equal(result, 'ACCEPTED')
  await remote.service.awaitIdle()

  const { out } = await gatehouse(['events'])
  const mine = out.map((line) => JSON.parse(line)).filter(({ fields }) => fields.trans_id === trans_id)
  assert.deepEqual(
    mine.map(({ sequence, fields }) => [sequence, fields.action]),
    [
      [1, 'SALE'],
      [2, 'CREDITVOID'],
    ],
  )
  const behind = await gatehouse(['events', '--after', mine[0].cursor])
  assert.equal(JSON.parse(behind.out[0] ?? '').id, mine[1].id)

  const program = await startReceiver()
  const interruption = new AbortController()
  const lines: string[] = []
  const signal = interruption.signal
  const outside = { out: (line: string) => lines.push(line) >= 3 && interruption.abort(), err: () => undefined, signal }
  const listening = run(['listen', '--forward', program.url, '--last', '2'], environment, {
    ...outside,
    out: (line) => void outside.out(line),
  })
  await gatehouse(['trigger', 'declined'])
  assert.equal(await listening, 0)
  await program.stop()
  assert.deepEqual(
    program.received.map(({ fields, headers }) => [fields['status'], typeof headers['webhook-signature']]),
    [
      ['SETTLED', 'string'],
      ['REFUND', 'string'],
      ['DECLINED', 'string'],
    ],
  )
  assert.match(lines[2] ?? '', /result=DECLINED status=DECLINED -> 200 OK$/)
})

test('logs explains a refused request with a service account, and says what is wrong with a key', async () => {
  const refused = await remote.sale({ hash: '0'.repeat(32), order_id: 'REMOTE-1' })
  await remote.service.awaitIdle()
  const { code, out } = await gatehouse(['logs', '--request', refused.headers.get('x-request-id') ?? ''])
  assert.equal(code, 0)
  assert.match(out.join('\n'), /SALE of order REMOTE-1[\s\S]*✖ The hash is correct\n {4}hash: [\s\S]*formula {2}md5/)
  assert.doesNotMatch(out.join('\n'), new RegExp(remote.merchant().password))

  const other = await gatehouse(['logs'], { GATEHOUSE_SERVICE_KEY: `ghsk_${'6'.repeat(64)}` })
  assert.deepEqual([other.code, /service account is not valid/.test(other.err)], [2, true])
})

test('a missing setting, an unknown command, event or option is explained, and nothing is sent', async () => {
  for (const [argv, over, expected] of [
    [['trigger', 'settled'], { GATEHOUSE_URL: '' }, /Set GATEHOUSE_URL, or GATEHOUSE_URL_FILE/],
    [['events'], { GATEHOUSE_WEBHOOK_SECRET: '' }, /Set GATEHOUSE_WEBHOOK_SECRET/],
    [['trigger', 'settled'], { GATEHOUSE_PASSWORD_FILE: '/nowhere' }, /which cannot be read/],
    [['trigger', 'explosion'], {}, /Name an event: settled/],
    [['trigger', 'settled', '--password', 'x'], {}, /--password/],
    [['listen', '--last', '501'], {}, /--last is a number up to 500/],
    [['dance'], {}, /There is no command "dance"/],
  ] as const) {
    const { code, err } = await gatehouse(argv, over)
    assert.equal(code, 2, err)
    assert.match(err, expected)
  }
  assert.match((await gatehouse(['--help'])).out[0] ?? '', /GATEHOUSE_SERVICE_KEY/)
})

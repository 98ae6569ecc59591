/** `npm start -- --processes`: the real program, with several processes on one port. */

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { pan10 } from '#domain/card.ts'
import { cardFormulas, sign } from '#domain/signature/signature.ts'
import { isAlive } from '#server/process/programs/is-alive.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { argumentsBelow } from '../hosts/process-arguments.ts'
import { spawnGateway } from './gateway-process.ts'

const [number, email] = ['4111111111111111', 'doe@example.com']

let folder: string
let database: TestDatabase
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-processes-'))
  database = await testDatabase()
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function start(args: readonly string[], more: Readonly<Record<string, string>> = {}): ChildProcess {
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    PORT: '0',
    DATABASE_POOL: '4',
    PANEL_DATABASE_POOL: '2',
    SESSION_KEY_BITS: '2048',
    ...more,
  }
  return spawnGateway(args, { environment: settings })
}

const demoFile = z.object({
  base_url: z.string(),
  merchants: z.array(z.object({ key: z.string(), password: z.string() })),
})
type Demo = z.infer<typeof demoFile>

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
  return demoFile.parse(JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')))
}

/** The processes with the role, by their own command lines. */
async function members(supervisor: ChildProcess, role: 'api' | 'worker'): Promise<readonly number[]> {
  const { pid = 0 } = supervisor
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number)
  const lines = await Promise.all(children.map((one) => readFile(`/proc/${one}/cmdline`, 'utf8').catch(() => '')))
  return children.filter((_, index) => lines[index]?.includes(`\0${role}\0--member`))
}

async function pay({ base_url, merchants: [merchant] }: Demo, agent = ownConnection): Promise<unknown> {
  assert.ok(merchant)
  const form = {
    action: 'SALE',
    client_key: merchant.key,
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
    hash: sign(cardFormulas.start, { email, pan10: pan10(number) }, { password: merchant.password, digest: 'md5' }),
  }
  const { body: answer } = await call(`${base_url}/post`, new URLSearchParams(form).toString(), agent)
  const body: unknown = JSON.parse(answer)
  // The whole answer of a failed payment says why it failed.
  return typeof body === 'object' && body !== null && 'result' in body && body.result === 'SUCCESS' ? body.result : body
}

/** One that is kept ends with its process. */
const ownConnection = new Agent({ keepAlive: false })

function call(
  url: string,
  form?: string,
  agent = ownConnection,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const method = form === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    request(url, { agent, method, headers }, (reply) =>
      text(reply).then((body) => resolve({ status: reply.statusCode ?? 0, body }), reject),
    )
      .on('error', reject)
      .end(form)
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 90_000
  while (performance.now() < limit) {
    if (await holds()) return
    await sleep(100)
  }
  assert.fail('It did not happen within 90 seconds.')
}

/** How many requests each process has counted. */
function requestsBy(metrics: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [, process = '', count] of metrics.matchAll(
    /^gatehouse_http_requests_total\{process="(\w+)",.*\} (\d+)$/gm,
  ))
    counts[process] = (counts[process] ?? 0) + Number(count)
  return counts
}

const secretSettings = {
  SMTP_URL: 'smtp://mailer:secret-of-the-mail-server@127.0.0.1:9',
  MAIL_FROM: 'payments@example.com',
  MPI_URL: 'http://127.0.0.1:9',
  MPI_TOKEN: 'secret-of-the-3ds-server',
}

describe('two processes and a worker', () => {
  let supervisor: ChildProcess
  let demo: Demo
  before(async () => {
    supervisor = start(['--processes', '2'], secretSettings)
    demo = await untilReady(supervisor)
  })
  after(async () => {
    if (supervisor.exitCode !== null || supervisor.signalCode !== null) return
    supervisor.kill('SIGKILL')
    await once(supervisor, 'exit')
  })

  test('serve one port, and demo.json names it', async () => {
    assert.equal((await members(supervisor, 'api')).length, 2)
    assert.equal((await members(supervisor, 'worker')).length, 1)
    assert.equal(await pay(demo), 'SUCCESS')
    assert.equal((await call(`${demo.base_url}/service/health`)).status, 200)
  })

  test('have no secret in their arguments', async () => {
    const shown = argumentsBelow(supervisor.pid ?? 0)
    assert.ok(shown.length >= 4, shown.join('\n'))
    const keys = (await readFile(join(folder, 'keys.json'), 'utf8')).match(/[\w+/-]{32,}={0,2}/g) ?? []
    assert.ok(keys.length > 0)
    const password = decodeURIComponent(new URL(database.url.replace('@/', '@socket/')).password)
    const secrets = [
      ...keys,
      ...demo.merchants.map((merchant) => merchant.password),
      ...(password === '' ? [] : [password]),
      'secret-of-the-mail-server',
      'secret-of-the-3ds-server',
    ]
    for (const words of shown) for (const secret of secrets) assert.ok(!words.includes(secret), words)
  })

  test('share the connections, and any of them reports the metrics of all', async () => {
    await until(async () => {
      await Promise.all(Array.from({ length: 16 }, () => call(`${demo.base_url}/service/alive`)))
      const { body } = await call(`${demo.base_url}/metrics`)
      const counts = requestsBy(body)
      return Number(counts['1']) > 0 && Number(counts['2']) > 0
    })
    const { body } = await call(`${demo.base_url}/metrics`)
    assert.match(body, /^gatehouse_callbacks_total\{process="worker",event="delivered"\} \d+$/m)
    assert.match(body, /^gatehouse_processes\{state="serving"\} 3$/m)
    assert.equal(body.match(/^# TYPE gatehouse_http_requests_total /gm)?.length, 1)
  })

  test('are all busy: callers wait in the queue of the shared socket, more of them than by default', async () => {
    const serving = await members(supervisor, 'api')
    for (const pid of serving) process.kill(pid, 'SIGSTOP')
    let waiting = 0
    const callers = Array.from({ length: 700 }, () =>
      connect(Number(new URL(demo.base_url).port), '127.0.0.1', () => {
        waiting += 1
      }).on('error', () => undefined),
    )
    await until(async () => waiting === callers.length).finally(() => {
      for (const pid of serving) process.kill(pid, 'SIGCONT')
      for (const caller of callers) caller.destroy()
    })
    assert.equal(await pay(demo), 'SUCCESS')
  })

  test('one that is killed is started again, while the other serves', async () => {
    const [victim = 0] = await members(supervisor, 'api')
    process.kill(victim, 'SIGKILL')
    assert.equal(await pay(demo), 'SUCCESS')
    await until(async () => {
      const running = await members(supervisor, 'api')
      const { body } = await call(`${demo.base_url}/metrics`)
      return (
        running.length === 2 && !running.includes(victim) && body.includes('gatehouse_processes{state="serving"} 3')
      )
    })
    assert.match((await call(`${demo.base_url}/metrics`)).body, /^gatehouse_process_restarts_total\{process="\d"\} 1$/m)
  })

  test('are replaced one by one on SIGHUP, also on one that comes meanwhile, and no request or payment fails', async () => {
    const readMembers = async () => [...(await members(supervisor, 'api')), ...(await members(supervisor, 'worker'))]
    const before = await readMembers()
    const failures: unknown[] = []
    let [sent, paid] = [0, 0]
    let replaced = false
    const keepAsking = async (): Promise<void> => {
      while (!replaced) {
        sent += 1
        await call(`${demo.base_url}/service/alive`).then(
          ({ status }) => status === 200 || failures.push(status),
          (error: unknown) => failures.push(error),
        )
        await sleep(5)
      }
    }
    const keepPaying = async (agent: Agent): Promise<void> => {
      while (!replaced) {
        const result = await pay(demo, agent).catch((error: unknown) => error)
        if (result === 'SUCCESS') paid += 1
        else failures.push(result)
      }
    }
    const keptConnections = new Agent({ keepAlive: true })
    const load = [keepAsking(), keepAsking(), keepPaying(ownConnection), keepPaying(keptConnections)]
    supervisor.kill('SIGHUP')
    let first: readonly number[] = []
    await until(async () => {
      first = (await readMembers()).filter((pid) => !before.includes(pid))
      return first.length > 0
    })
    supervisor.kill('SIGHUP')
    await until(async () => {
      const now = await readMembers()
      return now.length === 3 && now.every((pid) => !before.includes(pid) && !first.includes(pid))
    })
    replaced = true
    await Promise.all(load)
    keptConnections.destroy()
    assert.deepEqual(failures, [])
    assert.ok(sent > 50, `Only ${sent} requests were sent.`)
    assert.ok(paid > 10, `Only ${paid} payments were made.`)
    assert.equal(await pay(demo), 'SUCCESS')
  })

  test('end with the supervisor within ten seconds of SIGTERM', async () => {
    const running = [...(await members(supervisor, 'api')), ...(await members(supervisor, 'worker'))]
    const began = performance.now()
    supervisor.kill('SIGTERM')
    const [code] = await once(supervisor, 'exit')
    assert.equal(code, 0)
    assert.ok(performance.now() - began < 10_000)
    assert.deepEqual(running.filter(isAlive), [])
    await assert.rejects(call(`${demo.base_url}/service/alive`), { code: 'ECONNREFUSED' })
  })
})

test('processes whose supervisor is killed end by themselves; SIGHUP during its start did not end it', async () => {
  const supervisor = start(['--processes', '1'])
  let [first]: readonly number[] = []
  await until(async () => {
    ;[first] = await members(supervisor, 'api').catch(() => [])
    return first !== undefined
  })
  supervisor.kill('SIGHUP')
  await untilReady(supervisor)
  // It is obeyed after the start. The worker is replaced last, and for a moment there are two.
  let running: readonly number[] = []
  await until(async () => {
    running = [...(await members(supervisor, 'api')), ...(await members(supervisor, 'worker'))]
    return running.length === 2 && running[0] !== first
  })
  supervisor.kill('SIGKILL')
  await once(supervisor, 'exit')
  await until(async () => !running.some(isAlive))
})

// biome-ignore format: a table is read in columns.
const refusals: readonly (readonly [what: string, args: readonly string[], settings: Readonly<Record<string, string>>, words: RegExp])[] = [
  ['a number of processes that is none', ['--processes', '0'],           {},                       /"0" is not a number of processes\.\n {2}Use auto, or a number from 1 to 128\./],
  ['a worker of several processes',      ['worker', '--processes', '2'], {},                       /The role worker does not take --processes\.\n {2}Start another worker/],
  ['more connections than there are',    ['--processes', '120'],         { DATABASE_POOL: '16' },  /120 processes, a worker and one during a replacement need 122 × 19 database connections and 10 in reserve: 2328\. The server allows \d+\.\n {2}Start with --processes \d+, or .*raise max_connections of the server by \d+\./],
]

for (const [what, args, settings, words] of refusals) {
  test(`a start with ${what} is refused with what to do`, async () => {
    const child = start(args, settings)
    const [code] = await Promise.all([
      once(child, 'exit').then(([ended]) => ended),
      child.stderr && text(child.stderr),
    ]).then(([ended, said]) => {
      assert.match(said ?? '', words)
      return [ended]
    })
    assert.equal(code, 1)
  })
}

/** An instance whose processes run in a root: migration, sandbox, api and worker on a database of the test's own, and one payment. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { runIn, startIn } from './debian-root.ts'

/** How the root runs programs of the release. */
interface Runtime {
  readonly root: string
  readonly entrypoint: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  readonly user: string
  readonly writable: readonly string[]
  /** The command by which a container engine asks whether a process serves. */
  readonly healthCheck?: readonly string[]
}

interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

interface PaymentRun {
  readonly answer: string
  readonly workerHealth: string
  readonly workerMetrics: string
  /** How the processes ended after SIGTERM, in the order in which they were started. */
  readonly exits: readonly Exit[]
  /** What the health checks of the api process and the worker end with; null if the runtime has none. */
  readonly healthChecks: { readonly serving: readonly HealthStatus[]; readonly stopped: readonly HealthStatus[] }
}

type HealthStatus = number | null

const patienceMs = 120_000

/** Starts everything, pays once, and stops everything with SIGTERM. */
export async function payInRoot(runtime: Runtime, databaseUrl: string): Promise<PaymentRun> {
  const relay = await relayTo(databaseUrl)
  try {
    return await payAt(runtime, relay.url)
  } finally {
    relay.server.close()
  }
}

async function payAt(runtime: Runtime, databaseUrl: string): Promise<PaymentRun> {
  const [sandboxPort, port, workerPort] = [await freePort(), await freePort(), await freePort()]
  const environment = {
    ...runtime.environment,
    DATABASE_URL: databaseUrl,
    GATEHOUSE_MODE: 'sandbox',
    SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    HOST: '127.0.0.1',
    ADMIN_HOST: '127.0.0.1',
    PORT: String(port),
    SESSION_KEY_BITS: '2048',
  }
  const sandboxSettings = { SANDBOX_PORT: String(sandboxPort), SANDBOX_DATA: '/var/lib/gatehouse/sandbox' }
  const cli = (...words: readonly string[]) =>
    runIn(runtime.root, [...runtime.entrypoint, 'programs/gatehouse.mjs', ...words], { ...runtime, environment })
  const printed: string[] = []
  const start = (settings: Readonly<Record<string, string>>, ...words: readonly string[]) => {
    const child = startIn(runtime.root, [...runtime.entrypoint, ...words], {
      ...runtime,
      environment: { ...environment, ...settings },
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => printed.push(String(text)))
    return child
  }
  const health = (): Promise<readonly HealthStatus[]> =>
    Promise.all(
      [{}, { WORKER_PORT: String(workerPort) }].map((settings) =>
        healthStatus(runtime, { ...environment, ...settings }),
      ),
    )

  await cli('migrate')
  const running: ChildProcess[] = [start(sandboxSettings, 'programs/sandbox.mjs')]
  try {
    await waitFor(`http://127.0.0.1:${sandboxPort}/`, running, printed)
    running.push(start({}, 'programs/gateway.mjs', 'api'))
    await waitFor(`http://127.0.0.1:${port}/service/health`, running, printed)
    running.push(start({ WORKER_PORT: String(workerPort) }, 'programs/gateway.mjs', 'worker'))
    await waitFor(`http://127.0.0.1:${workerPort}/service/health`, running, printed)
    const { key } = JSON.parse(await cli('merchant', 'show', 'demo', '--json'))
    const signed = { email: 'doe@example.com', card_number: '4111111111111111' }
    const words = Object.entries(signed).map(([name, value]) => `${name}=${value}`)
    const hash = (await cli('sign', 'card.start', ...words, '--merchant', 'demo')).trim()
    const answer = await fetch(`http://127.0.0.1:${port}/post`, {
      method: 'POST',
      body: saleForm({ client_key: key, hash, order_id: 'ORDER-1' }),
    })
    const service = (path: string) => fetch(`http://127.0.0.1:${workerPort}${path}`).then((reply) => reply.text())
    const [workerHealth, workerMetrics] = [await service('/service/health'), await service('/metrics')]
    const text = await answer.text()
    assert.match(text, /"result":"SUCCESS"/, printed.join(''))
    const serving = await health()
    const exits = await stopAll(running)
    return { answer: text, workerHealth, workerMetrics, exits, healthChecks: { serving, stopped: await health() } }
  } finally {
    await stopAll(running)
  }
}

async function healthStatus(runtime: Runtime, environment: Runtime['environment']): Promise<HealthStatus> {
  if (!runtime.healthCheck) return null
  const child = startIn(runtime.root, runtime.healthCheck, { ...runtime, environment })
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}

const sale = {
  action: 'SALE',
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Shoes',
  card_number: '4111111111111111',
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '000',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
}

/** A sale that the sandbox approves. */
export const saleForm = (own: { readonly client_key: string; readonly hash: string; readonly order_id: string }) =>
  new URLSearchParams({ ...sale, ...own })

async function stopAll(running: readonly ChildProcess[]): Promise<readonly Exit[]> {
  return Promise.all(
    running.toReversed().map(async (child) => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return { code: child.exitCode, signal: child.signalCode }
    }),
  )
}

async function waitFor(url: string, running: readonly ChildProcess[], printed: readonly string[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 200) {
    for (const child of running)
      assert.equal(child.exitCode, null, `A program ended instead of starting:\n${printed.join('')}`)
    if (
      await fetch(url).then(
        (reply) => reply.status < 500,
        () => false,
      )
    )
      return
    await sleep(200)
  }
  assert.fail(`${url} did not answer:\n${printed.join('')}`)
}

/** The database of the tests listens on a socket outside the root; the root shares only the network with it. */
async function relayTo(databaseUrl: string): Promise<{ readonly url: string; readonly server: Server }> {
  // Not read as a web address: one of a socket has no host.
  const form = /^postgres(?:ql)?:\/\/(?:([^@]*@))?([^/:?]*)(?::(\d+))?(\/[^?]*)(?:\?(.*))?$/
  const [, login = '', host = '', ownPort = '5432', path = '', query = ''] = form.exec(databaseUrl) ?? []
  const folder = new URLSearchParams(query).get('host') ?? decodeURIComponent(host)
  const target = folder.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${ownPort}` }
    : { host: folder, port: Number(ownPort) }
  const server = createServer((socket) => {
    const database = connect(target)
    for (const [one, other] of [
      [socket, database],
      [database, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : assert.fail('There is no port.')
  return { url: `postgres://${login}127.0.0.1:${port}${path}`, server }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : assert.fail('There is no port.')
}

/**
 * Addresses chosen by others that lead into our own network: by their text, by every spelling of it, by what their name resolves to, by
 * what it resolves to the second time, and by a redirect. A live instance calls none of them. Callbacks are delivered by a real worker;
 * domain checks run the worker's code. Acquirers and the 3DS server, whose addresses an operator enters, are called by a program with the
 * connections of the service. Chapter 10 §11.1, "Addresses"; chapter 40 §8.
 *
 * Return addresses are not tested: they go to the payer's browser, and no process of ours calls them.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { openProcessContext } from '#server/assembly/process-context.ts'
import { domainChecker } from '#server/due/wallets/wallet-domain-check.ts'
import { createLog } from '#server/observe/log.ts'
import { readConfig } from '#server/process/config.ts'
import { createMerchant } from '#server/setup/merchants.ts'
import { insertCallback, insertPayment } from '../../server/test/callbacks/callback-rows.ts'
import { type Campaign, type Findings, sizeOf, type Terms } from '../campaign.ts'
import { openDatabase } from '../stage/database.ts'
import { Program } from '../stage/program.ts'
import { until } from '../stage/stage.ts'
import { forbiddenHosts, isPrivate, nameServer, outsideHosts } from './ssrf-addresses.ts'

export const ssrf: Campaign = {
  name: 'ssrf',
  asserts: 'a live instance connects to no address that is, resolves to, redirects to or later becomes private.',
  sizes: { repeats: 3 },
  quick: { repeats: 1 },
  run,
  plantedFault: {
    what: 'only the first address of a name is checked',
    seenIn: 'connections to private addresses',
    patches: [
      {
        file: 'server/src/network/address-guard.ts',
        find: 'for (const { address } of [first, ...others]) check(address, hostname)',
        replace: 'check(first.address, hostname)',
      },
    ],
  },
}

const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }
const deliveredWithinMs = 120_000
/** Two attempts: a name that changes its address does so in between. */
const retrySeconds = [1]

async function run(terms: Terms): Promise<Findings> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ssrf-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  // A live instance does not start on the database server of the tests, which runs without fsync.
  const database = await openDatabase('own', folder)
  parts.defer(() => database.close())
  const settings = {
    GATEHOUSE_MODE: 'live',
    GATEHOUSE_KEYS: JSON.stringify(keys),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    DATABASE_POOL: '4',
    BASE_URL: 'https://pay.example.com',
    SESSION_KEY_BITS: '2048',
    LOG_LEVEL: 'warn',
  }
  const context = await openProcessContext(readConfig('all', settings), database.url, createLog({ level: 'error' }))
  parts.defer(() => context.pool.end())
  const { merchant } = await createMerchant(context, { name: 'acme', title: 'Acme' })

  const inside = await listener()
  parts.defer(() => inside.close())
  const outside = await publicServer(inside.port)
  parts.defer(() => outside.close())
  const urls = Array.from({ length: sizeOf(terms, 'repeats') }, (_, repeat) => [
    ...forbiddenHosts.map((host) => `http://${host}:${inside.port}/private?${repeat}`),
    ...outsideHosts.map((host) => `http://${host}:${outside.port}/${host}?${repeat}`),
  ]).flat()
  for (const url of urls) {
    const payment = await insertPayment(context.pool, { merchantId: merchant.id })
    await insertCallback(context.pool, payment, { url, retrySeconds })
  }

  const seen = join(folder, 'connections')
  await writeFile(seen, '')
  const hook = new URL('./ssrf-hook.ts', import.meta.url)
  hook.searchParams.set('file', seen)
  const worker = new Program({
    name: 'worker',
    script: ['server/src/main.ts', 'worker'],
    nodeFlags: [`--import=${hook.href}`],
    env: settings,
    logFile: join(folder, 'worker.log'),
    ready: /ready/,
  })
  parts.defer(() => worker.stop())
  await worker.start()
  const delivered = await until(
    async () => {
      const { rows } = await context.pool.query("select from callbacks where state = 'due' limit 1")
      return rows.length === 0
    },
    deliveredWithinMs,
    100,
  )

  await worker.stop()
  const acquirers = await askAcquirers(folder, hook, [inside.port, outside.port])
  const domains = await checkDomains(inside.port)
  const { rows } = await context.pool.query<{ url: string; reached: boolean }>(
    `select c.url, bool_or(a.http_status is not null) as reached from callbacks c
     left join callback_attempts a on a.callback_id = c.id group by c.id, c.url`,
  )
  const answered = rows.filter(({ url, reached }) => reached && url.includes('/private')).map(({ url }) => url)
  const unanswered = rows.filter(({ url, reached }) => !reached && !url.includes('/private')).map(({ url }) => url)
  const privateConnections = (await readFile(seen, 'utf8'))
    .split('\n')
    .filter((address) => address !== '' && isPrivate(address))
  return {
    figures: [
      { name: 'addresses of callbacks', value: urls.length },
      { name: 'addresses of domain checks', value: domains.tried },
      { name: 'addresses of acquirers and the 3DS server', value: acquirers.tried },
      { name: 'private acquirers that answered', value: acquirers.answered.length, must: 0 },
      { name: 'private addresses accepted for a MID', value: acquirers.entered.length, must: 0 },
      { name: 'public acquirers not reached', value: acquirers.unanswered.length, must: 0 },
      { name: 'private addresses that answered', value: answered.length, must: 0 },
      { name: 'connections to private addresses', value: privateConnections.length, must: 0 },
      { name: 'connections that reached a private listener', value: inside.connections(), must: 0 },
      { name: 'domain checks not refused', value: domains.taken.length, must: 0 },
      // A control: a gateway that reaches no address at all would otherwise pass.
      { name: 'public addresses not reached', value: unanswered.length, must: 0 },
      { name: 'neither delivered nor failed', value: delivered === null ? 1 : 0, must: 0 },
    ],
    faults: [
      ...answered,
      ...privateConnections,
      ...domains.taken,
      ...unanswered,
      ...acquirers.answered,
      ...acquirers.entered,
      ...acquirers.unanswered,
    ],
  }
}

const acquirersShape = z.object({
  tried: z.number(),
  answered: z.array(z.string()),
  unanswered: z.array(z.string()),
  entered: z.array(z.string()),
})

async function askAcquirers(folder: string, hook: URL, ports: readonly number[]) {
  const logFile = join(folder, 'acquirers.log')
  const program = new Program({
    name: 'acquirers',
    script: ['campaigns/input/ssrf-acquirers.ts', ...ports.map(String)],
    nodeFlags: [`--import=${hook.href}`],
    env: {},
    logFile,
    ready: /^ready$/m,
  })
  await program.start()
  await program.stop()
  const line = (await readFile(logFile, 'utf8')).split('\n').find((one) => one.startsWith('{"tried"'))
  return acquirersShape.parse(JSON.parse(line ?? 'null'))
}

/** A wallet's domain is queried over TLS; even a connection to a private address is too much. */
async function checkDomains(port: number): Promise<{ readonly tried: number; readonly taken: readonly string[] }> {
  const resolve = nameServer()
  const addresses = { allowPrivate: false, resolve: (hostname: string) => Promise.resolve(resolve(hostname)) }
  const checker = domainChecker({ addresses, port, timeoutMs: 2_000 })
  const taken: string[] = []
  try {
    for (const host of forbiddenHosts) {
      const fault = await checker.check(host, Buffer.from('x'))
      // A name without a public address cannot reach the wallet provider, either.
      if (fault !== 'dns') taken.push(`The domain ${host}: ${fault ?? 'verified'}`)
    }
  } finally {
    await checker.close()
  }
  return { tried: forbiddenHosts.length, taken }
}

/** Records every connection, none of which may be made. */
async function listener() {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    // A socket that is not read does not notice the end of the connection and would keep the campaign from ending.
    socket.resume()
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nOK')
  })
  const port = await startListening(server)
  return { port, connections: () => connections, close: () => closeServer(server) }
}

/** The public server: answers with an error, so that every callback is retried, or redirects to a private address. */
async function publicServer(privatePort: number) {
  const server = createHttpServer((request, response) => {
    request.resume()
    if (!request.headers.host?.startsWith('redirects')) response.writeHead(500).end()
    else response.writeHead(307, { location: `http://127.0.0.1:${privatePort}/private` }).end()
  })
  const port = await startListening(server)
  return { port, close: () => closeServer(server) }
}

function startListening(server: Server | HttpServer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.listen(0, () => {
    const address = server.address()
    resolve(typeof address === 'object' && address !== null ? address.port : 0)
  })
  return promise
}

async function closeServer(server: Server | HttpServer): Promise<void> {
  if (server instanceof HttpServer) server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

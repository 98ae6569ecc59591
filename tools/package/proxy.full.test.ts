/** The proxies' configurations as Caddy reads them, and how the proxy of the compose file treats containers that drain or die. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../tidy/source-files.ts'

const skip = caddyFault() ?? false
const patienceMs = 30_000

test('Caddy accepts the configurations of both proxies', { skip }, async (t) => {
  const environment = await homeOf(t)
  for (const name of ['Caddyfile', 'machine.Caddyfile']) {
    const args = ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/proxy', name)]
    const { stderr } = await promisify(execFile)('caddy', args, { env: environment })
    assert.doesNotMatch(stderr, /deprecated|"level":"error"/i, name)
  }
})

test('containers share the requests, one that drains gets no more, and no request fails', { skip }, async (t) => {
  const containers = [await startContainer(t), await startContainer(t)] as const
  const url = await startProxy(t, containers)
  const pay = async (): Promise<number> => (await fetch(url, { method: 'POST', body: 'action=SALE' })).status
  const statuses = new Set<number>()
  const payTimes = async (times: number): Promise<void> => {
    for (let paid = 0; paid < times; paid += 1) statuses.add(await pay())
  }
  const [first, second] = containers

  await payTimes(50)
  assert.ok(first.requests > 0 && second.requests > 0, `${first.requests} and ${second.requests}`)

  second.drain()
  for (const end = performance.now() + patienceMs; ; ) {
    const before = second.requests
    await payTimes(20)
    if (second.requests === before) break
    assert.ok(performance.now() < end, 'the container that drains still gets requests')
  }
  await second.stop()
  await payTimes(20)
  assert.deepEqual([...statuses], [200])
})

test('the panel is reached while no container can take payments, and while one of them is down', {
  skip,
}, async (t) => {
  const containers = [await startContainer(t), await startContainer(t)] as const
  const url = await startProxy(t, containers, 'panel')
  for (const container of containers) container.drain()
  // Longer than the interval at which the proxy looks.
  await sleep(2_500)
  assert.equal((await fetch(`${url}admin`)).status, 200)
  await containers[0].stop()
  for (let times = 0; times < 20; times += 1) assert.equal((await fetch(`${url}admin`)).status, 200)
})

test('the panel is passed on, its metrics and its health in detail are not', { skip }, async (t) => {
  const container = await startContainer(t)
  const text = await readFile(join(root, 'deploy/proxy/machine.Caddyfile'), 'utf8')
  const url = await serve(t, (port) =>
    text
      .replace(/^pay\.example\.com \{\n(?:.*\n)*?^\}\n/m, '')
      .replace('panel.example.com', `http://127.0.0.1:${port}`)
      .replace('localhost:8081', `127.0.0.1:${container.port}`),
  )
  const passed = container.requests
  for (const path of ['metrics', 'metrics/', '%6Detrics', 'METRICS', 'service/health', 'service/version', '/metrics'])
    assert.equal((await fetch(`${url}${path}`)).status, 404, path)
  assert.equal(container.requests, passed)
  assert.equal((await fetch(`${url}admin`)).status, 200)
})

interface Container {
  readonly port: number
  readonly requests: number
  /** As a process after SIGTERM: its health is 503, and it still serves. */
  drain(): void
  stop(): Promise<void>
}

async function startContainer(t: TestContext): Promise<Container> {
  let [requests, health] = [0, 200]
  const server = createServer(({ url }, response) => {
    if (url === '/service/health') return response.writeHead(health).end()
    if (url === '/service/alive') return response.writeHead(200).end()
    requests += 1
    return response.writeHead(200, health === 200 ? {} : { connection: 'close' }).end()
  })
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  t.after(stop)
  return {
    port: await portOf(server),
    get requests() {
      return requests
    },
    drain: () => {
      health = 503
    },
    stop,
  }
}

/** With the addresses of this test instead of those of the compose file, and without TLS. */
async function startProxy(
  t: TestContext,
  containers: readonly [Container, Container],
  site: 'payments' | 'panel' = 'payments',
): Promise<string> {
  const text = await readFile(join(root, 'deploy/proxy/Caddyfile'), 'utf8')
  const [own, other, inside] = site === 'payments' ? [8443, 8444, 8080] : [8444, 8443, 8081]
  return serve(t, (port) =>
    text
      .replaceAll('\ttls internal\n', '')
      .replace(`https://localhost:${own}`, `http://127.0.0.1:${port}`)
      .replace(new RegExp(`^https://localhost:${other} \\{\\n(?:.*\\n)*?^\\}\\n`, 'm'), '')
      .replace(`api-1:${inside}`, `127.0.0.1:${containers[0].port}`)
      .replace(`api-2:${inside}`, `127.0.0.1:${containers[1].port}`),
  )
}

/** Runs Caddy on a free port, until its root answers. */
async function serve(t: TestContext, configure: (port: number) => string): Promise<string> {
  const environment = await homeOf(t)
  const free = createServer()
  const port = await portOf(free)
  await promisify(free.close.bind(free))()
  const file = join(environment.HOME, 'Caddyfile')
  await writeFile(file, configure(port))
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  caddy.stderr.on('data', (line) => said.push(String(line)))
  t.after(() => stopProgram(caddy))
  const url = `http://127.0.0.1:${port}/`
  for (const end = performance.now() + patienceMs; ; await sleep(100)) {
    const status = await fetch(url).then(
      (reply) => reply.status,
      () => null,
    )
    if (status === 200) return url
    assert.ok(caddy.exitCode === null && performance.now() < end, said.join(''))
  }
}

async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : assert.fail('There is no port.')
}

/** Caddy stores certificates in the folder of its user. */
async function homeOf(t: TestContext): Promise<{ readonly HOME: string; readonly PATH: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-proxy-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return { HOME: folder, PATH: process.env['PATH'] ?? '' }
}

function caddyFault(): string | null {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'Caddy is not installed (Debian: apt-get install caddy).'
  }
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import type { Log } from '#server/contracts/ports.ts'
import { createMetrics } from '#server/observe/metrics.ts'
import { type HealthCheck, type ServiceOptions, serviceRoutes } from './index.ts'

const fine: HealthCheck = async () => {}
const broken: HealthCheck = async () => {
  throw new Error('connect ECONNREFUSED postgres://user:hunter2@10.0.0.1/db')
}

const metrics = createMetrics({
  actions: [],
  connectors: [],
  readCallbackBacklog: async () => 0,
  countUnresolvedTransactions: async () => 0,
})

function build(options: Partial<ServiceOptions> = {}) {
  const messages: string[] = []
  const write = (_fields: object, message: string) => void messages.push(message)
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const app = Fastify()
  void app.register(
    serviceRoutes({
      version: '0.1.0',
      checks: { database: fine, keys: fine },
      draining: () => false,
      metrics,
      detailed: true,
      log,
      ...options,
    }),
  )
  return { messages, get: (url: string) => app.inject(url) }
}

describe('/service/version', () => {
  test('names the release of the program and of the interface', async () => {
    const answer = await build().get('/service/version')
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, '{"version":"0.1.0","interface":"6.7.0"}')
  })
})

describe('/service/alive', () => {
  test('is 200 while the process runs, whatever its parts and also while it drains', async () => {
    const answer = await build({ checks: { database: broken }, draining: () => true }).get('/service/alive')
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, '{"status":"alive"}')
  })
})

describe('/service/health', () => {
  test('is 200 when every part is well', async () => {
    const answer = await build().get('/service/health')
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), { status: 'healthy', parts: { database: 'ok', keys: 'ok' }, problems: [] })
  })

  test('is 503 when one part is not, and names it without a word of the reason', async () => {
    const answer = await build({ checks: { database: broken, keys: fine } }).get('/service/health')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json(), {
      status: 'unhealthy',
      parts: { database: 'failing', keys: 'ok' },
      problems: [{ part: 'database', code: 'failing', text: 'The component does not work; see the log.' }],
    })
    assert.doesNotMatch(answer.body, /hunter2|10\.0\.0\.1/)
  })

  test('names what is wrong by a code from a fixed list', async () => {
    const full: HealthCheck = async () => {
      throw Object.assign(new Error('No space left on /var/lib/db'), { fault: 'disk_full' })
    }
    const answer = await build({ checks: { writes: full } }).get('/service/health')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json().problems, [
      { part: 'writes', code: 'disk_full', text: 'The database cannot write: its disk is full.' },
    ])
  })

  test('names the servers of a distributed database that do not answer', async () => {
    const silent: HealthCheck = async () => {
      throw Object.assign(new Error(), { fault: 'node_silent', nodes: ['worker-2:5432'] })
    }
    const answer = await build({ notices: { nodes: silent } }).get('/service/health')
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().status, 'degraded')
    const text = 'A server of the distributed database does not answer: payments of its merchants cannot be written.'
    assert.deepEqual(answer.json().problems, [{ part: 'nodes', code: 'node_silent', text, nodes: ['worker-2:5432'] }])
  })

  test('is 200 and degraded while only parts fail without which payments can be taken', async () => {
    const still: HealthCheck = async () => {
      throw Object.assign(new Error(), { fault: 'worker_standing_still' })
    }
    const answer = await build({ notices: { worker: still } }).get('/service/health')
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().status, 'degraded')
    assert.deepEqual(answer.json().parts, { database: 'ok', keys: 'ok', worker: 'failing' })
  })

  test('is 503 while the process drains, though every part is well', async () => {
    const answer = await build({ draining: () => true }).get('/service/health')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json(), { status: 'draining', parts: { database: 'ok', keys: 'ok' }, problems: [] })
  })

  test('is answered though a part never answers, and though a check throws at once', { timeout: 8000 }, async () => {
    const hanging: HealthCheck = () => new Promise(() => {})
    const throwing: HealthCheck = () => {
      throw new Error('at once')
    }
    const answer = await build({ checks: { worker: hanging, keys: throwing } }).get('/service/health')
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json().parts, { worker: 'failing', keys: 'failing' })
  })

  test('asks a part once for all who ask at the same time, and again for those who ask later', async () => {
    let requests = 0
    const { get } = build({
      checks: {
        database: async () => {
          requests += 1
          await new Promise((resolve) => setTimeout(resolve, 30))
        },
      },
    })
    await Promise.all(Array.from({ length: 50 }, () => get('/service/health')))
    assert.equal(requests, 1)
    await get('/service/health')
    assert.equal(requests, 2)
  })

  test('leaves a line in the log when a part falls ill and when it is well again, not for every question', async () => {
    let well = false
    const { get, messages } = build({ checks: { database: () => (well ? fine() : broken()) } })
    await get('/service/health')
    await get('/service/health')
    well = true
    await get('/service/health')
    await get('/service/health')
    assert.deepEqual(messages, ['A health check fails.', 'A health check passes again.'])
  })
})

describe('/metrics', () => {
  test('is the text that Prometheus reads', async () => {
    const answer = await build().get('/metrics')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.match(answer.body, /^gatehouse_callbacks_backlog 0$/m)
  })
})

test('no answer may be kept by a cache', async () => {
  const { get } = build()
  for (const url of ['/service/version', '/service/alive', '/service/health', '/metrics'])
    assert.equal((await get(url)).headers['cache-control'], 'no-store', url)
})

describe('where everybody may ask', () => {
  test('health is one word, and there are no metrics', async () => {
    const { get } = build({ detailed: false })
    assert.equal((await get('/service/health')).body, '{"status":"healthy"}')
    assert.equal((await get('/service/alive')).statusCode, 200)
    assert.equal((await get('/metrics')).statusCode, 404)
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import type { Alerts } from '../../contracts/ports.ts'
import { assets } from './index.ts'
import { purposes } from './inventory.ts'
import { integrityOf, loadWebFiles } from './web-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-web-'))
after(() => rm(folder, { recursive: true, force: true }))
const warnings: string[] = []
const silent = {
  debug: () => {},
  info: () => {},
  warn: (_: object, text: string) => warnings.push(text),
  error: () => {},
}

const script = Buffer.from('console.info("pay")')
const names = ['checkout.js', 'hosted-fields.js', 'pay-session.js']
for (const name of names) await writeFile(join(folder, `0.${name}`), script)
const manifest = Object.fromEntries(
  names.map((name) => [name, { file: `0.${name}`, integrity: integrityOf(script), bytes: script.length }]),
)
await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))

async function served() {
  const raised: string[] = []
  const alerts: Alerts = { raise: async ({ text }) => void raised.push(text) }
  const app = Fastify()
  const files = await loadWebFiles(silent, folder)
  await app.register(
    assets({
      files,
      release: '1.2.3',
      alerts,
      policyReports: { add: async () => true },
      clock: { now: () => new Date(0) },
    }),
  )
  return { app, raised }
}

test('a file named by its content is kept for ever, and packed as the browser likes it', async () => {
  const { app } = await served()
  const reply = await app.inject({ url: '/web/0.checkout.js', headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(reply.headers['content-encoding'], 'br')
  assert.deepEqual(brotliDecompressSync(reply.rawPayload), script)
  assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(reply.headers['content-type'], 'text/javascript; charset=utf-8')
  const zipped = await app.inject({ url: '/web/0.checkout.js', headers: { 'accept-encoding': 'gzip' } })
  assert.deepEqual(gunzipSync(zipped.rawPayload), script)
  assert.deepEqual((await app.inject('/web/0.checkout.js')).rawPayload, script)
  assert.equal((await app.inject('/web/manifest.json')).statusCode, 404)
})

test('the SDK is served under its usual address and under that of this release', async () => {
  const { app } = await served()
  for (const name of ['hosted-fields.js', 'pay-session.js']) {
    assert.match(String((await app.inject(`/sdk/${name}`)).headers['cache-control']), /max-age=300/)
    assert.match(String((await app.inject(`/sdk/1.2.3/${name}`)).headers['cache-control']), /immutable/)
    assert.equal((await app.inject(`/sdk/1.2.2/${name}`)).statusCode, 404)
  }
  assert.equal((await app.inject('/sdk/checkout.js')).statusCode, 404)
})

test('the inventory names every script with its hash', async () => {
  const { app } = await served()
  const inventory = (await app.inject('/sdk/inventory.json')).json()
  assert.deepEqual(
    inventory.map((one: { script: string }) => one.script),
    names,
  )
  assert.ok(inventory.every((one: { integrity: string }) => one.integrity === integrityOf(script)))
  assert.ok(names.every((name) => purposes[name] !== undefined))
})

test('a file that was changed after it was built is not served, and rings', async () => {
  await writeFile(join(folder, '0.pay-session.js'), 'steal()')
  const { app, raised } = await served()
  assert.equal((await app.inject('/sdk/pay-session.js')).statusCode, 404)
  assert.equal((await app.inject('/sdk/hosted-fields.js')).statusCode, 200)
  assert.equal(raised.length, 1)
  assert.match(raised[0] ?? '', /pay-session\.js was changed after it was built/)
})

test('without a build the service starts, and says what is missing', async () => {
  const empty = await loadWebFiles(silent, join(folder, 'nothing'))
  assert.equal(empty.find('checkout.js'), null)
  assert.match(warnings.at(-1) ?? '', /web\/\.built has no manifest/)
})

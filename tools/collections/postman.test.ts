/** The Postman collection against a sandbox: its own scripts sign every request and judge every answer. Decision 0171. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { openShop } from '../../server/test/shop.ts'
import { makePayersPayments } from '../samples/testing/payers-payments.ts'
import { enterCard } from '../samples/testing/sample-story.ts'
import { root } from '../tidy/source-files.ts'
import { type PostmanItem, runItem } from './testing/run-postman.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const file = `${root}docs/interface/collections/gatehouse.postman_collection.json`
const {
  item: folders,
}: { readonly item: readonly { readonly name: string; readonly item: readonly PostmanItem[] }[] } = JSON.parse(
  readFileSync(file, 'utf8'),
)

/** What the reader sets, and payments that a payer makes in a browser. */
async function readersVariables(): Promise<Readonly<Record<string, string>>> {
  const { key, password } = shop.merchant()
  return { base_url: shop.url, key, password, ...(await makePayersPayments(shop)) }
}

test('every request signs itself and gets the answer that it expects', async () => {
  const variables = new Map(Object.entries(await readersVariables()))
  let count = 0
  for (const { item: requests } of folders) {
    for (const request of requests) {
      if (request.request.url.includes('/processing/')) await enterCard(shop, variables.get('token') ?? '')
      await runItem(request, variables)
      count += 1
    }
  }
  assert.ok(count >= 50, String(count))
})

test('a request whose variable is wrong fails by its own test', async () => {
  const [sale] = folders[0]?.item ?? []
  const variables = new Map(Object.entries({ base_url: shop.url, key: shop.merchant().key, password: 'wrong' }))
  await assert.rejects(runItem(sale ?? assert.fail(), variables), /Hash is not valid/)
})

const hasNewman = spawnSync('newman', ['--version']).status === 0

test('newman runs the folders of both S2S protocols from top to bottom', {
  skip: hasNewman ? false : 'Install it to run this: npm install --global newman',
}, async () => {
  const set = Object.entries(await readersVariables()).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  const run = ['run', file, '--folder', 'S2S CARD', '--folder', 'S2S APM', '--reporters', 'json', '--bail', 'failure']
  await promisify(execFile)('newman', [...run, '--reporter-json-export', '/dev/null', ...set])
})

/** The collections against a sandbox: their own scripts sign every request and judge every answer. See decisions/documentation#collections. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { openShop } from '../../server/test/shop.ts'
import { makePayersPayments } from '../samples/testing/payers-payments.ts'
import { enterCard } from '../samples/testing/sample-story.ts'
import { root } from '../tidy/source-files.ts'
import { collectionFolder } from './collection-files.ts'
import { readBruno, runBruno } from './testing/run-bruno.ts'
import { type PostmanItem, runItem } from './testing/run-postman.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const file = `${root}${collectionFolder}/gatehouse.postman_collection.json`
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

test('Postman: every request signs itself and gets the answer that it expects', async () => {
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

test('Postman: a request whose variable is wrong fails by its own test', async () => {
  const [sale] = folders[0]?.item ?? []
  const variables = new Map(Object.entries({ base_url: shop.url, key: shop.merchant().key, password: 'wrong' }))
  await assert.rejects(runItem(sale ?? assert.fail(), variables), /Hash is not valid/)
})

const brunoFolder = `${root}${collectionFolder}/bruno`

/** In the order in which Bruno runs a folder. */
const brunoRequests = (folder: string) =>
  globSync(`${brunoFolder}/${folder}/*.bru`)
    .map((path) => readBruno(readFileSync(path, 'utf8')))
    .toSorted((one, other) => one.position - other.position)

test('Bruno: every request signs itself and gets the answer that it expects', async () => {
  const variables = new Map(Object.entries(await readersVariables()))
  let count = 0
  for (const folder of ['card', 'card-recurring', 'apm', 'checkout']) {
    for (const request of brunoRequests(folder)) {
      if (request.url.includes('/processing/')) await enterCard(shop, variables.get('token') ?? '')
      await runBruno(request, variables)
      count += 1
    }
  }
  assert.equal(
    count,
    folders.reduce((sum, { item }) => sum + item.length, 0),
  )
})

test('Bruno: a request whose variable is wrong fails by its own assertion', async () => {
  const [sale] = brunoRequests('card')
  const variables = new Map(Object.entries({ base_url: shop.url, key: shop.merchant().key, password: 'wrong' }))
  await assert.rejects(runBruno(sale ?? assert.fail(), variables), /Hash is not valid/)
})

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const otherwise = (program: string, name: string): string | false =>
  isInstalled(program) ? false : `Install it to run this: npm install --global ${name}`

const newman = `${root}node_modules/newman/bin/newman.js`

test('newman runs the folders of both S2S protocols from top to bottom', async () => {
  const set = Object.entries(await readersVariables()).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  const run = ['run', file, '--folder', 'S2S CARD', '--folder', 'S2S APM', '--reporters', 'json', '--bail', 'failure']
  const report = join(await mkdtemp(join(tmpdir(), 'newman-')), 'report.json')
  await promisify(execFile)(process.execPath, [newman, ...run, '--reporter-json-export', report, ...set])
  const { stats } = JSON.parse(readFileSync(report, 'utf8')).run
  rmSync(dirname(report), { recursive: true })
  assert.deepEqual([stats.requests.total, stats.assertions.failed], [41, 0])
})

test("Bruno's own runner runs the folders of both S2S protocols from top to bottom", {
  skip: otherwise('bru', '@usebruno/cli'),
}, async () => {
  const { base_url = '', key = '', password = '' } = await readersVariables()
  const set = Object.entries({ base_url, key, password }).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
  const run = ['run', 'card', 'card-recurring', 'apm', '--env', 'sandbox', '--bail']
  await promisify(execFile)('bru', [...run, ...set], { cwd: brunoFolder })
})

/** A running gateway whose database's name stops resolving, as when the name server is down. Chapter 80, "DNS gone". */
import assert from 'node:assert/strict'
import dns from 'node:dns'
import { after, mock, test } from 'node:test'
import { until } from '../../callbacks/callback-scene.ts'
import { DatabaseLine } from '../../hosts/database-line.ts'
import { openShop } from '../../shop.ts'

const name = 'database.gatehouse.test'
let isResolved = true
let line: DatabaseLine

type Answer = (error: Error | null, ...address: readonly unknown[]) => void
const systemLookup = dns.lookup

/** The system's name service, which knows one name more. Sockets ask it by this function. */
function lookUp(host: string, ...rest: readonly unknown[]): void {
  const [options, answer] = rest as [dns.LookupOptions, Answer]
  if (host !== name) Reflect.apply(systemLookup, dns, [host, ...rest])
  else if (!isResolved) answer(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
  else if (options.all === true) answer(null, [{ address: '127.0.0.1', family: 4 }])
  else answer(null, '127.0.0.1', 4)
}
mock.method(dns, 'lookup', lookUp as typeof dns.lookup)

const shop = await openShop({}, [], {
  barrier: async (url) => {
    line = await DatabaseLine.open(url)
    return line.url.replace('127.0.0.1', name)
  },
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await line.close()
  mock.restoreAll()
})

const readHealth = async () => {
  const answer = await fetch(`${shop.url}/service/health`)
  const { problems } = (await answer.json()) as { readonly problems: readonly { readonly code: string }[] }
  return { status: answer.status, codes: problems.map(({ code }) => code) }
}
const countSent = async () =>
  ((await (await fetch(`${shop.sandbox.url}/ledger`)).json()) as { entries: readonly object[] }).entries.length

test('while the name of the database does not resolve, open connections serve; without them payments are refused until it does', async () => {
  assert.equal((await shop.sale()).body.result, 'SUCCESS')
  isResolved = false
  assert.equal((await shop.sale()).body.result, 'SUCCESS', 'on an open connection')

  await line.cut(0)
  const sent = await countSent()
  const refused = await shop.sale({ order_id: 'NAMELESS' })
  assert.deepEqual([refused.http, refused.body.result], [500, 'ERROR'], 'an error, and no decline')
  assert.equal(await countSent(), sent, 'nothing was sent to the acquirer')
  await until(async () => (await readHealth()).status === 503)
  assert.ok((await readHealth()).codes.includes('database_unreachable'))

  isResolved = true
  await until(async () => (await readHealth()).status === 200)
  assert.equal((await shop.sale({ order_id: 'NAMELESS' })).body.result, 'SUCCESS', 'the merchant repeats it')
})

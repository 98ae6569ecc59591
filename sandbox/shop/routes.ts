/** The addresses of the demo shop, one row each. */
import { readFile } from 'node:fs/promises'
import { failure, type Reply, seeOther } from '../kit/reply.ts'
import type { Call, Routes } from '../kit/routes.ts'
import { members } from './gateway.ts'
import { fieldsPage, frontPage, messagePage, returnPage } from './pages.ts'
import type { Shop } from './shop.ts'

// biome-ignore format: a table is read in columns.
export const shopRoutes = (shop: Shop): Routes => [
  // address                  answers
  [ 'GET /shop',              async ({ query }) => frontPage(await shop.accounts(), query.get('acquirer') ?? '') ],
  [ 'POST /shop/pay/:way',    (call) => pay(shop, call) ],
  [ 'GET /shop/fields',       async () => fieldsPage(await shop.account()) ],
  [ 'POST /shop/fields/begin', async (call) => uncachedReply(await shop.token(addressOf(call))) ],
  [ 'POST /shop/fields/pay',  (call) => charge(shop, call) ],
  [ 'GET /shop/return',       async ({ query }) => returnPage(await shop.returned(query), query.has('left')) ],
  [ 'POST /shop/callbacks',   (call) => receive(shop, call) ],
  [ 'GET /shop/callbacks',    async ({ query }) => uncachedReply(shop.orders.receivedAfter(Number(query.get('after') ?? 0))) ],
  [ 'GET /shop/style.css',    () => file('style.css', 'text/css; charset=utf-8') ],
  [ 'GET /shop/shop.js',      () => file('shop.js', 'text/javascript; charset=utf-8') ],
  [ 'GET /shop/fields.js',    () => file('fields.js', 'text/javascript; charset=utf-8') ],
]

const uncachedReply = (body: unknown): Reply => ({ status: 200, body, headers: { 'cache-control': 'no-store' } })

async function pay(shop: Shop, call: Call): Promise<Reply> {
  const [way = ''] = call.parameters
  const begun = await shop.begin(way, addressOf(call), call.query.get('acquirer') ?? '')
  return begun.kind === 'begun' ? seeOther(begun.url) : messagePage(502, 'An error occurred', begun.fault)
}

async function charge(shop: Shop, { body }: Call): Promise<Reply> {
  const { token, name } = members(body)
  if (typeof token !== 'string' || typeof name !== 'string')
    return failure(400, 'invalid_request', 'token and name are required.')
  const answer = await shop.charge(token, name)
  return answer ? uncachedReply(answer) : failure(502, 'gateway_away', 'The gateway is not ready yet.')
}

/** The gateway counts a callback as delivered only with exactly this answer. */
async function receive(shop: Shop, { body }: Call): Promise<Reply> {
  const fields = Object.entries(members(body)).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  await shop.receive(Object.fromEntries(fields))
  return { status: 200, body: 'OK', headers: { 'content-type': 'text/plain' } }
}

/** The shop's address as the browser sees it, because its port may be forwarded. */
const addressOf = ({ host = '127.0.0.1' }: Call): string => `http://${host}/shop`

async function file(name: string, type: string): Promise<Reply> {
  const text = await readFile(new URL(`./browser/${name}`, import.meta.url), 'utf8')
  return {
    status: 200,
    body: text,
    headers: { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' },
  }
}

/** Chapter 70 §3: a difference of a settlement is read alone, and says whether its resolution waits for a second person. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { createEntities, type Params } from '../../../../../../test/panel/admin-entities.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let finance: PanelClient
let own: Params
let other: Params
before(async () => {
  shop = await openShop({}, ['back office'])
  finance = await panelOf(shop, { role: 'finance' })
  const merchantIds = [await merchantId(shop, 'demo'), await merchantId(shop, 'demo-dms')] as const
  const paramsOf = await createEntities(shop, merchantIds)
  own = paramsOf(merchantIds[0])
  other = paramsOf(merchantIds[1])
})
after(() => shop[Symbol.asyncDispose]())

const addressOf = ({ differenceId }: Params): string => `/settlements/differences/${differenceId}`

async function listed(of: Params, query = '') {
  const { differences } = (await finance.get(`/settlements/differences?limit=200${query}`)).body
  return differences.find(({ id }: { id: string }) => id === of['differenceId'])
}

test('a difference names the request that waits for a second person and who asked, until it is decided or has expired', async () => {
  const owner = await panelOf(shop)
  const { user } = (await finance.get('/session')).body
  assert.equal((await listed(own)).waiting, null)
  const resolve = async () => (await finance.post(`${addressOf(own)}/resolve`, { note: 'A charge of the bank' })).body
  const { approvalId } = await resolve()
  const { waiting } = await listed(own)
  assert.deepEqual([waiting.approvalId, waiting.askedBy, waiting.askedByName], [approvalId, user.id, user.name])
  assert.deepEqual((await finance.get(addressOf(own))).body.waiting, waiting)
  assert.equal((await listed(other)).waiting, null, 'it is of the other difference')

  assert.equal((await owner.post(`/approvals/${approvalId}/refuse`)).http, 200)
  assert.equal((await listed(own)).waiting, null)
  const { approvalId: second } = await resolve()
  assert.equal((await listed(own)).waiting.approvalId, second)
  await shop.base.pool.query("update approvals set expires_at = now() - interval '1 day' where id = $1", [second])
  assert.equal((await listed(own)).waiting, null, 'it can be requested again')
})

test('one difference is returned as the list has it, also after it was resolved', async () => {
  const { http, body } = await finance.get(addressOf(own))
  assert.equal(http, 200)
  assert.deepEqual(body, await listed(own))
  const { id, kind, oursMinor, theirsMinor, currency, decimals, merchantId: whose, paymentId } = body
  assert.deepEqual([id, kind, oursMinor, theirsMinor], [own['differenceId'], 'amount', '1000', '900'])
  assert.deepEqual([currency, decimals, whose, paymentId], ['EUR', 2, own['merchantId'], own['paymentId']])
  assert.equal(typeof body.midName, 'string')

  const resolve = 'update settlement_differences set resolved_at = now(), note = $2 where id = $1'
  await shop.base.pool.query(resolve, [other['differenceId'], 'A charge of the bank'])
  assert.equal(await listed(other), undefined)
  const resolved = await finance.get(addressOf(other))
  assert.deepEqual([resolved.http, resolved.body.note], [200, 'A charge of the bank'])
})

test('a difference of the bank is returned, too, without MID and file', async () => {
  const id = shop.base.ids.next()
  await shop.base.pool.query(
    `insert into bank_differences (id, day, kind, currency, booked_minor, line_ref, found_at)
     values ($1, '2026-03-01', 'bank-unknown', 'JPY', 500, 'LINE-1', now())`,
    [id],
  )
  const { http, body } = await finance.get(addressOf({ differenceId: id }))
  assert.equal(http, 200)
  assert.deepEqual(
    [body.kind, body.theirsMinor, body.decimals, body.ref, body.midId, body.midName, body.fileId],
    ['bank-unknown', '500', 0, 'LINE-1', null, null, null],
  )
})

test('the differences of the filters are downloaded as CSV, with names, in which no cell is a formula', async () => {
  const midId = (await finance.get(addressOf(own))).body.midId
  const [more, day] = [1100, '2026-05-06']
  await shop.base.pool.query(
    `insert into bank_differences (id, mid_id, day, kind, currency, announced_minor, booked_minor, line_ref, payout, found_at)
     select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, 'bank-amount', 'KWD', 1000, -n, '@SUM(1,2)', '-1+1', now()
     from generate_series(1, $3::int) as n`,
    [midId, day, more],
  )
  const file = await finance.get(`/settlements/differences/export?day=${day}`)
  assert.equal(file.http, 200)
  const today = shop.base.clock.now().toISOString().slice(0, 10)
  assert.equal(file.headers.get('content-disposition'), `attachment; filename="differences-${today}.csv"`)
  assert.match(file.headers.get('content-type') ?? '', /^text\/csv/)
  const [head = '', ...lines] = file.text.split('\r\n')
  assert.equal(lines.length, more + 1, 'all pages, and the end of the last line')
  assert.match(lines[6] ?? '', new RegExp(`,${day},bank-amount,open,KWD,1\\.000,-0\\.007,`))
  assert.match(lines[6] ?? '', /,"'@SUM\(1,2\)",'-1\+1,/)

  const named = await finance.get(`/settlements/differences/export?midId=${midId}&reportedBy=acquirer&open=false`)
  const line = named.text.split('\r\n').find((one) => one.startsWith(own['differenceId'] ?? '?')) ?? ''
  const cells = Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index]]))
  assert.deepEqual(
    [cells['kind'], cells['expected'], cells['reported'], cells['currency'], cells['merchant'], cells['payment_id']],
    ['amount', '10.00', '9.00', 'EUR', 'demo', own['paymentId']],
  )
  assert.ok(cells['mid'] && cells['mid'] !== midId, 'the MID has its name')
  assert.ok(!named.text.includes(day), 'the bank’s are not the acquirer’s')
  assert.equal((await finance.get('/settlements/differences/export?colour=red')).http, 422)
  await shop.base.pool.query('delete from bank_differences where day = $1', [day])
})

test('an unknown difference is answered with 404, and so is a name that is no id', async () => {
  for (const differenceId of [crypto.randomUUID(), 'payouts']) {
    const { http, body } = await finance.get(addressOf({ differenceId }))
    assert.deepEqual([http, body.error.code], [404, 'not_found'], differenceId)
  }
})

test('people of one merchant see no difference, neither their own nor another merchant’s, as with the list', async () => {
  const scoped = await panelOf(shop, { role: 'finance', allMerchants: false, merchantIds: [own['merchantId'] ?? ''] })
  const refused = await scoped.get('/settlements/differences')
  assert.equal(refused.http, 403)
  for (const one of [own, other, { differenceId: crypto.randomUUID() }]) {
    const { http, body } = await scoped.get(addressOf(one))
    assert.deepEqual([http, body.error.message], [403, refused.body.error.message])
  }
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { merchantId, PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { chainVerifier } from '../../../panel/audit/audit-chain.ts'
import { entryIn } from '../../../panel/audit/audit-export.ts'

let shop: Shop
let owner: PanelClient
let demo: string
before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
})
after(() => shop[Symbol.asyncDispose]())

async function lastEntry(action: string) {
  const [entry] = (await owner.get(`/audit?action=${action}&limit=1`)).body.entries
  return { ...entry, before: JSON.parse(entry.before), after: JSON.parse(entry.after) }
}

describe('two people at once', () => {
  /** Somebody else's change, under way while `request` is sent, and done before it can be written. */
  async function meanwhile<T>(statement: string, request: () => Promise<T>): Promise<T> {
    const client = await shop.base.pool.connect()
    try {
      await client.query('begin')
      await client.query(statement, [demo])
      const answer = request()
      await new Promise((resolve) => setTimeout(resolve, 150))
      await client.query('commit')
      return await answer
    } finally {
      client.release()
    }
  }

  test('a change of one setting of a merchant undoes none of another: who was blocked stays blocked', async () => {
    const answer = await meanwhile(`update merchants set status = 'blocked' where id = $1`, () =>
      owner.send('PATCH', `/merchants/${demo}/settings`, { contactEmail: 'both@example.com' }),
    )
    assert.deepEqual([answer.body.status, answer.body.contactEmail], ['blocked', 'both@example.com'])
    await owner.send('PATCH', `/merchants/${demo}`, { status: 'active', contactEmail: null })
  })

  test('nor does one of a mapping or of a MID', async () => {
    const [mapping] = (await owner.get(`/merchants/${demo}/mappings`)).body.mappings
    const changed = await meanwhile(
      `with whose as (select id from merchants where id = $1 for no key update)
       update merchant_mappings set enabled = false where merchant_id in (select id from whose)`,
      () => owner.send('PATCH', `/merchants/${demo}/mappings/${mapping.id}`, { priority: 7 }),
    )
    assert.deepEqual([changed.body.enabled, changed.body.priority], [false, 7])
    await shop.configure('update merchant_mappings set enabled = true')
    const mid = await meanwhile(
      'update mids set enabled = false where id in (select mid_id from merchant_mappings where merchant_id = $1)',
      () => owner.send('PATCH', `/mids/${mapping.midId}`, { descriptor: 'SHOP' }),
    )
    assert.deepEqual([mid.body.enabled, mid.body.descriptor], [false, 'SHOP'])
    await shop.configure('update mids set enabled = true')
  })

  test('a webhook secret that another process has just shown to somebody stays when one more is made', async () => {
    const { pool, vault } = shop.base
    const shown = ['whsec_b25l', 'whsec_dHdv']
    const sealed = await vault.seal(demo, 'webhook-secret', secret(JSON.stringify(shown)))
    await pool.query('update merchants set webhook_secrets_sealed = $2 where id = $1', [demo, sealed])
    const { webhookSecret } = (await owner.post(`/merchants/${demo}/webhook-secrets`)).body
    const { webhookSecrets } = await shop.service.configuration.readSecrets(demo)
    assert.deepEqual(
      webhookSecrets.map((one) => one.reveal()),
      [...shown, webhookSecret],
    )
    assert.equal((await owner.send('DELETE', `/merchants/${demo}/webhook-secrets`)).body.dropped, 2)
  })

  test('options of a protocol are not saved over what somebody else saved since they were read', async () => {
    const path = `/merchants/${demo}/protocol-mappings`
    const { mappings } = (await owner.get(path)).body
    const { enabled, chosen } = mappings.find(({ protocol }: { protocol: string }) => protocol === 'S2S_CARD')
    const save = (options: object, over?: object | null) =>
      owner.send('PUT', `${path}/S2S_CARD`, { enabled, options, ...(over === undefined ? {} : { over }) })
    const read = { enabled, options: chosen }
    assert.equal((await save({ ...chosen, callbackFormat: 'json' }, read)).http, 200)
    const late = await save({ ...chosen, rejectDuplicateOrders: true }, read)
    assert.deepEqual([late.http, late.body.error.code], [409, 'conflict'])
    assert.equal((await save(chosen, null)).http, 409, 'nor by who found none')
    assert.equal((await save(chosen, { enabled, options: { ...chosen, callbackFormat: 'json' } })).http, 200)
  })
})

test('who is restricted to a merchant gives it no account that others are paid to', async () => {
  const { mids } = (await owner.get('/mids')).body
  const { mappings } = (await owner.get(`/merchants/${demo}/mappings`)).body
  const used = new Set(mappings.map(({ midId }: { midId: string }) => midId))
  const { id: foreign } = mids.find(({ id }: { id: string }) => !used.has(id))
  const developer = await panelOf(shop, { role: 'developer', allMerchants: false, merchantIds: [demo] })
  const link = (midId: string) => developer.post(`/merchants/${demo}/mappings`, { midId, channel: 'other' })
  const refused = await link(foreign)
  assert.deepEqual([refused.http, refused.body.error.fields[0].field], [422, 'midId'])
  const own = await link(mappings[0].midId)
  assert.equal(own.http, 200, own.text)
  assert.equal((await developer.send('DELETE', `/merchants/${demo}/mappings/${own.body.id}`)).http, 200)
})

describe('merchants', () => {
  test('one that is made here can be paid as soon as it has a MID', async () => {
    const creation = await owner.post('/merchants', { name: 'fresh', title: 'Fresh', mpiService: 'sandbox' })
    assert.equal(creation.http, 200)
    const { merchant, password } = creation.body
    const { mids } = (await owner.get('/mids')).body
    const { id: midId } = mids.find(({ name }: { name: string }) => name === 'sandbox-live')
    assert.equal((await owner.post(`/merchants/${merchant.id}/mappings`, { midId })).http, 200)
    shop.merchants.set('fresh', { name: 'fresh', key: merchant.key, test_key: merchant.testKey, password })
    assert.equal((await shop.sale({}, { merchant: 'fresh' })).body.status, 'SETTLED')
    const entry = await lastEntry('merchant.create')
    assert.equal(entry.after.name, 'fresh')
    assert.ok(!JSON.stringify(entry).includes(password))
  })

  test('a name is taken once, and every wrong field is named', async () => {
    assert.equal(
      (await owner.post('/merchants', { name: 'demo', title: 'Another' })).body.error.fields[0].field,
      'name',
    )
    const wrong = await owner.send('PATCH', `/merchants/${demo}`, {
      timeZone: 'Mars/Olympus',
      allowedIps: ['10.0.0.0/99'],
      debitCommission: { EUR: { fixed: 'much', percent: '1' } },
      defaultCurrency: 'XXZ',
    })
    const fields = wrong.body.error.fields.map(({ field }: { field: string }) => field.split('.')[0])
    assert.deepEqual(new Set(fields), new Set(['timeZone', 'allowedIps', 'debitCommission', 'defaultCurrency']))
  })

  test('a change is in force at once, and the audit log has what differs', async () => {
    const answer = await owner.send('PATCH', `/merchants/${demo}`, {
      ratePerSecond: 77,
      contactEmail: 'ops@example.com',
    })
    assert.equal(answer.body.ratePerSecond, 77)
    assert.equal(shop.service.configuration.merchant(demo)?.ratePerSecond, 77)
    const entry = await lastEntry('merchant.change')
    assert.deepEqual(entry.before, { contactEmail: null, ratePerSecond: null })
    assert.deepEqual(entry.after, { contactEmail: 'ops@example.com', ratePerSecond: 77 })
  })

  test('a blocked merchant is refused, and taken again when it is unblocked', async () => {
    const other = await merchantId(shop, 'demo-dms')
    await owner.send('PATCH', `/merchants/${other}`, { status: 'blocked' })
    assert.notEqual((await shop.sale({ auth: 'Y' }, { merchant: 'demo-dms' })).body.status, 'PENDING')
    await owner.send('PATCH', `/merchants/${other}`, { status: 'active' })
    assert.equal((await shop.sale({ auth: 'Y' }, { merchant: 'demo-dms' })).body.status, 'PENDING')
  })

  test('a merchant’s own people set their addresses, and nothing that the operator sets', async () => {
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const settings = { testNotificationUrl: 'https://shop.example/test' }
    assert.equal((await admin.send('PATCH', `/merchants/${demo}/settings`, settings)).http, 200)
    assert.equal((await admin.send('PATCH', `/merchants/${demo}/settings`, { status: 'blocked' })).http, 422)
    assert.equal((await admin.send('PATCH', `/merchants/${demo}`, settings)).http, 403)
  })

  test('a blocked notification address is shown and unblocked; that of somebody else is not', async () => {
    const url = 'https://slow.example/notify'
    await owner.send('PATCH', `/merchants/${demo}/settings`, { testNotificationUrl: url })
    await shop.base.pool.query('insert into callback_urls (url, blocked_until) values ($1, $2), ($3, $2)', [
      url,
      new Date(shop.base.clock.now().getTime() + 3_600_000),
      'https://other.example/',
    ])
    const shown = (await owner.get(`/merchants/${demo}`)).body.notificationAddresses
    assert.ok(shown.find((one: { url: string }) => one.url === url).blockedUntil)
    assert.deepEqual((await owner.post(`/merchants/${demo}/unblock`, { url })).body, { lifted: true })
    const foreign = { url: 'https://other.example/' }
    assert.equal((await owner.post(`/merchants/${demo}/unblock`, foreign)).http, 404)
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    assert.deepEqual((await admin.get('/blocked-addresses')).body.addresses, [])
    assert.equal((await admin.post('/blocked-addresses/unblock', foreign)).http, 404)
    assert.equal((await owner.get('/blocked-addresses')).body.addresses[0].url, foreign.url)
    assert.equal((await owner.post('/blocked-addresses/unblock', foreign)).http, 200)
    assert.deepEqual((await owner.get('/blocked-addresses')).body.addresses, [])
  })

  test('webhook secrets are added beside the old ones and dropped together', async () => {
    const { webhookSecret } = (await owner.post(`/merchants/${demo}/webhook-secrets`)).body
    assert.match(webhookSecret, /^whsec_/)
    assert.deepEqual((await owner.send('DELETE', `/merchants/${demo}/webhook-secrets`)).body, { dropped: 1 })
    const [remaining] = (await shop.service.configuration.readSecrets(demo)).webhookSecrets
    assert.equal(remaining?.reveal(), webhookSecret)
  })
})

describe('MIDs and mappings', () => {
  test('the form of a connector’s credentials comes from the connector, and so do its faults', async () => {
    const [connector] = (await owner.get('/connectors')).body.connectors
    assert.equal(connector.id, 'sandbox')
    assert.ok(connector.credentials.properties.base_url)
    const wish = { name: 'new-mid', connector: 'sandbox', mode: 'live', credentials: { mid: 'x' } }
    assert.match((await owner.post('/mids', wish)).body.error.fields[0].field, /^credentials/)
    const credentials = { mid: 'sandbox-live', base_url: shop.sandbox.url }
    const creation = await owner.post('/mids', { ...wish, credentials, settings: { paymentMode: 'DMS' } })
    assert.equal(creation.body.paymentMode, 'DMS')
    assert.ok(!creation.text.includes(shop.sandbox.url), 'credentials are not shown')
    assert.ok(!JSON.stringify(await lastEntry('mid.create')).includes(shop.sandbox.url))
    const changed = await owner.send('PATCH', `/mids/${creation.body.id}`, { enabled: false, credentials })
    assert.equal(changed.body.enabled, false)
    assert.equal((await lastEntry('mid.change')).after.credentials, 'changed')
  })

  test('a mapping is made once per MID and channel, changed and removed', async () => {
    const [mapping] = (await owner.get(`/merchants/${demo}/mappings`)).body.mappings
    const again = await owner.post(`/merchants/${demo}/mappings`, { midId: mapping.midId })
    assert.equal(again.http, 409)
    const creation = await owner.post(`/merchants/${demo}/mappings`, { midId: mapping.midId, channel: 'web' })
    assert.equal(creation.body.channel, 'web')
    const path = `/merchants/${demo}/mappings/${creation.body.id}`
    const dayLimit = { amounts: { EUR: '5000', JPY: '70000' }, count: null }
    const changed = await owner.send('PATCH', path, { dayLimit })
    assert.deepEqual(changed.body.dayLimit, dayLimit)
    const unknown = await owner.send('PATCH', path, { weekLimit: { amounts: { EUX: '5000' }, count: null } })
    assert.deepEqual(unknown.body.error.fields, [
      { field: 'weekLimit.amounts', text: 'EUX is not a known currency. Enter one such as EUR.' },
    ])
    assert.equal((await owner.send('DELETE', path)).http, 200)
    assert.equal((await owner.send('DELETE', path)).http, 404)
  })

  test('options of a protocol are saved as a whole; every fault is named and then nothing is changed', async () => {
    const path = `/merchants/${demo}/protocol-mappings/S2S_CARD`
    const wrong = await owner.send('PUT', path, { enabled: true, options: { digest: 'crc', maxDeclines: 3 } })
    assert.deepEqual(wrong.body.error.fields.map(({ field }: { field: string }) => field).sort(), [
      'options.digest',
      'options.maxDeclines',
    ])
    const options = { digest: 'sha256', addToCallback: ['arn'] }
    assert.equal((await owner.send('PUT', path, { enabled: true, options })).body.options.digest, 'sha256')
    assert.equal((await shop.sale({}, { digest: 'sha256' })).body.status, 'SETTLED')
    assert.equal((await owner.send('PUT', path, { enabled: true, options: {} })).body.options.digest, 'md5')
    assert.equal((await shop.sale()).body.status, 'SETTLED')
    const { options: all } = (await owner.get('/mapping-options')).body
    assert.ok(all.some(({ name }: { name: string }) => name === 'callbackRetrySeconds'))
  })
})

describe('brands', () => {
  test('a card network is switched off and on, a brand copied', async () => {
    assert.equal((await owner.send('PATCH', '/brands/visa', { enabled: false })).body.enabled, false)
    assert.notEqual((await shop.sale()).body.status, 'SETTLED')
    assert.equal((await owner.send('PATCH', '/brands/visa', { enabled: true })).body.enabled, true)
    const { brands } = (await owner.get('/brands')).body
    const original = brands.find(
      ({ record, kind }: { record: unknown; kind: string }) => record !== null && kind !== 'wallet',
    )
    const copy = await owner.post(`/brands/${original.code}/copy`, { code: 'my-copy', title: 'My copy' })
    assert.equal(copy.http, 200, copy.text)
    assert.equal((await owner.get('/brands/my-copy')).body.kind, original.kind)
    assert.equal((await owner.post('/brands', { record: { code: 'nothing else' } })).http, 422)
  })

  test('a brand that another person saved meanwhile is not written over', async () => {
    const { record, version } = (await owner.get('/brands/bank-redirect')).body
    const save = (title: string) =>
      owner.post('/brands', { record: { ...record, title: { ...record.title, en: title } }, over: version })
    assert.equal((await save('First')).http, 200)
    const second = await save('Second')
    assert.deepEqual([second.http, second.body.error.code], [409, 'conflict'])
    assert.equal((await owner.get('/brands/bank-redirect')).body.record.title.en, 'First')
  })
})

describe('wallets', () => {
  const place = () => `/merchants/${demo}/wallets/live/walletapay`

  test('a wallet is shown with its keys’ fingerprints and never a private part', async () => {
    const { body, text } = await owner.get(place())
    assert.equal(body.view.state, 'live')
    assert.ok(body.view.keys.every(({ fingerprint }: { fingerprint: string }) => /^[0-9a-f]{64}$/.test(fingerprint)))
    assert.ok(!/BEGIN [A-Z ]*PRIVATE|privateSealed/.test(text))
    assert.deepEqual(
      (await owner.get(`${place()}/check`)).body.findings.filter(({ level }: { level: string }) => level === 'problem'),
      [],
    )
  })

  test('a key with line breaks is explained at its field, and nothing is saved', async () => {
    const before = (await owner.get(place())).body.view.settings.version
    const wrong = await owner.send('PUT', place(), {
      processingPrivateKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
    })
    assert.equal(wrong.http, 422)
    assert.equal(wrong.body.error.fields[0].field, 'processingPrivateKey')
    assert.equal((await owner.get(place())).body.view.settings.version, before)
  })

  test('of two who edit at once the second is told', async () => {
    const { version } = (await owner.get(place())).body.view.settings
    assert.equal((await owner.send('PUT', place(), { version, shopName: 'One' })).http, 200)
    const second = await owner.send('PUT', place(), { version, shopName: 'Two' })
    assert.equal(second.body.error.fields[0].field, 'version')
    assert.deepEqual((await lastEntry('wallet.save')).after.fields, ['shopName'])
  })

  test('a key is made here, promoted while the old one goes on, and domains come in batches', async () => {
    const { key } = (await owner.post(`${place()}/keys`, { role: 'processing', make: 'EC' })).body
    assert.equal(key.state, 'next')
    assert.match(key.request, /BEGIN CERTIFICATE REQUEST/)
    const path = `/merchants/${demo}/wallet-domains/walletapay`
    const batch = { domains: 'one.example\nnot a domain\none.example', purpose: 'test', controlledBy: 'merchant' }
    const { lines } = (await owner.post(path, batch)).body
    assert.deepEqual(
      lines.map(({ result }: { result: string }) => result),
      ['added', 'invalid', 'already there'],
    )
    assert.equal((await owner.send('DELETE', `${path}/one.example`)).http, 200)
  })
})

describe('schedules', () => {
  test('a schedule is made, paused, run, changed and removed', async () => {
    const path = `/merchants/${demo}/schedules`
    const wish = { name: 'Monthly', intervalLength: 1, intervalUnit: 'month', paymentsCount: 12 }
    const lacking = await owner.post(path, { ...wish, delayedFirstPayment: 'day_of_week' })
    assert.equal(lacking.body.error.fields[0].field, 'firstPaymentDayOfWeek')
    const { id } = (await owner.post(path, wish)).body
    assert.equal((await owner.post(`${path}/${id}/pause`)).http, 200)
    assert.equal((await owner.post(`${path}/${id}/pause`)).http, 409)
    assert.equal((await owner.post(`${path}/${id}/run`)).http, 200)
    assert.equal((await owner.send('PATCH', `${path}/${id}`, { paymentsCount: 6 })).http, 200)
    assert.deepEqual((await lastEntry('schedule.change')).after, { version: 4, paymentsCount: 6 })
    const sale = await shop.sale({ recurring_init: 'Y', schedule_id: id })
    const [plan] = (await owner.get(`/merchants/${demo}/subscriptions?scheduleId=${id}`)).body.subscriptions
    assert.deepEqual([plan.payerEmail, plan.payerName, plan.currency], ['doe@example.com', 'John Doe', 'EUR'])
    const planOrders = async (search: string) =>
      (await owner.get(`/merchants/${demo}/subscriptions?${new URLSearchParams({ scheduleId: id, search })}`)).body
        .subscriptions
    assert.equal((await planOrders('DOE@example'))[0].id, plan.id)
    assert.equal((await planOrders(plan.orderId))[0].id, plan.id)
    assert.deepEqual(await planOrders('nobody'), [])
    assert.equal(plan.startedBy, sale.body.trans_id)
    assert.ok(plan.comingDates.length > 0)
    assert.equal((await owner.post(`/merchants/${demo}/subscriptions/${plan.id}/end`)).http, 200)
    assert.equal((await owner.post(`/merchants/${demo}/subscriptions/${plan.id}/end`)).http, 409)
    assert.equal((await owner.post(`${path}/${id}/remove`)).http, 200)
    assert.equal((await owner.post(`${path}/${id}/pause`)).http, 404)
  })
})

describe('the service', () => {
  test('health, jobs and keys are shown; the test clock moves gateway and sandbox', async () => {
    const health = (await owner.get('/system/health')).body
    assert.equal(health.schema.applied, health.schema.known)
    assert.ok((await owner.get('/system/jobs')).body.jobs.length > 3)
    assert.equal((await owner.get('/system/keys')).body.keys.length, 1)
    const { now } = (await owner.post('/system/clock', { byMs: 86_400_000 })).body
    assert.ok(Date.parse(now) - Date.parse(health.now) >= 86_400_000)
    const clock = (await (await fetch(`${shop.sandbox.url}/clock`)).json()) as { offset_ms?: number }
    assert.ok(Number(clock.offset_ms) >= 86_400_000, JSON.stringify(clock))
    assert.equal((await owner.get('/session')).http, 200, 'nobody is signed out by it')
  })

  test('an alert is dealt with once', async () => {
    const { pool, ids } = shop.base
    const id = ids.next()
    await pool.query(`insert into alerts (id, kind, text, raised_at) values ($1, 'test', 'Look.', now())`, [id])
    assert.ok((await owner.get('/alerts')).body.alerts.some((one: { id: string }) => one.id === id))
    assert.equal((await owner.post(`/alerts/${id}/resolve`)).http, 200)
    assert.equal((await owner.post(`/alerts/${id}/resolve`)).http, 409)
    assert.ok(!(await owner.get('/alerts')).body.alerts.some((one: { id: string }) => one.id === id))
  })

  test('alerts have the severity of their kind, and are listed by both', async () => {
    const { pool, ids } = shop.base
    const [owed, late, unused, other] = ['give-back', 'callback-failed', 'account.unused', 'of another release'].map(
      (kind) => ({ id: ids.next(), kind }),
    )
    const raised = [owed, late, unused, other].filter((one) => one !== undefined)
    for (const { id, kind } of raised)
      await pool.query(`insert into alerts (id, kind, text, raised_at) values ($1, $2, 'Severity.', now())`, [id, kind])
    const listed = async (query: string) =>
      (await owner.get(`/alerts?limit=200&${query}`)).body.alerts
        .filter(({ id }: { id: string }) => raised.some((one) => one.id === id))
        .map(({ kind, severity }: Record<string, string>) => `${severity} ${kind}`)
        .toSorted()
    const all = ['critical give-back', 'notice account.unused', 'warning callback-failed', 'warning of another release']
    assert.deepEqual(await listed(''), all)
    assert.deepEqual(await listed('severity=critical'), ['critical give-back'])
    assert.deepEqual(await listed('severity=notice'), ['notice account.unused'])
    assert.deepEqual(await listed('severity=warning'), all.slice(2))
    assert.deepEqual(await listed('kind=callback-failed'), ['warning callback-failed'])
    assert.deepEqual(await listed('kind=callback-failed&severity=notice'), [])
    assert.equal((await owner.get('/alerts?severity=loud')).http, 422)
    await pool.query("delete from alerts where text = 'Severity.'")
  })

  test('pages of alerts leave none out, though many were raised at one moment', async () => {
    const { pool, ids } = shop.base
    const raised = Array.from({ length: 5 }, () => ids.next())
    await pool.query(
      `insert into alerts (id, kind, text, raised_at) select unnest($1::uuid[]), 'batch', 'Look.', now() + interval '1 hour'`,
      [raised],
    )
    const seen: string[] = []
    for (let before = ''; seen.length < 5; ) {
      const { alerts } = (await owner.get(`/alerts?limit=2${before}`)).body
      seen.push(...alerts.map(({ id }: { id: string }) => id))
      before = `&before=${alerts.at(-1).id}`
    }
    assert.deepEqual(new Set(seen.slice(0, 5)), new Set(raised))
  })

  test('payments are taken away as a table, with progress, and can be called off', async () => {
    await shop.sale({ order_id: '=EVIL("x")' })
    const begun = (await owner.post('/exports', { filter: { merchantId: demo, status: 'SETTLED' } })).body
    const file = await owner.get(`/exports/${begun.id}/content`)
    const day = new Date(begun.createdAt).toISOString().slice(0, 10)
    assert.equal(file.headers.get('content-disposition'), `attachment; filename="payments-${day}.csv"`)
    const lines = file.text.trim().split('\r\n')
    assert.equal(lines.length - 1, Number(begun.rowsTotal))
    assert.ok(file.text.includes(`"'=EVIL(""x"")"`), 'no cell is a formula')
    const over = (await owner.get(`/exports/${begun.id}`)).body
    assert.deepEqual([over.state, over.rowsWritten], ['done', begun.rowsTotal])
    assert.equal((await owner.get(`/exports/${begun.id}/content`)).http, 404, 'once')
    const called = (await owner.post('/exports', { filter: {} })).body
    assert.equal((await owner.send('DELETE', `/exports/${called.id}`)).http, 200)
    assert.equal((await owner.get(`/exports/${called.id}/content`)).http, 404)
    assert.equal((await owner.post('/exports', { filter: { colour: 'red' } })).http, 422)
    const { id } = (await owner.post('/exports', { kind: 'transactions', filter: { orderId: '=EVIL("x")' } })).body
    const named = (await owner.get(`/exports/${id}/content`)).headers.get('content-disposition')
    assert.equal(named, `attachment; filename="transactions-${day}.csv"`)
    const somebody = await panelOf(shop)
    assert.equal((await somebody.get(`/exports/${begun.id}`)).http, 404, 'each has their own')
  })

  test('the audit log is taken away as a file that verifies without the database', async () => {
    const { text } = await owner.get('/audit/export')
    const verifier = chainVerifier()
    for (const line of text.trim().split('\n')) verifier.add(entryIn(line) ?? assert.fail(line))
    assert.deepEqual(verifier.faults, [])
    assert.match(text.trim().split('\n').at(-1) ?? '', /"action":"audit\.export"/)
  })

  test('what the database could not hold is refused by its field, and is no failure of the service', async () => {
    // biome-ignore format: a table is read in columns.
    const rows = [
      ['GET',    '/payments?orderId=a%00b',                    {}],
      ['GET',    '/audit?before=9223372036854775808',          {}],
      ['GET',    '/calendar?from=0000-01-01',                  {}],
      ['GET',    '/analytics?from=0000-01-01&to=0000-01-02',   {}],
      ['GET',    '/routing/sets/global/versions?before=2147483648', {}],
      ['DELETE', '/routing/sets/global/draft?revision=2147483648', {}],
      ['POST',   '/saved-filters',                             { page: 'a\u0000', name: 'x', filter: {} }],
      ['POST',   '/saved-filters',                             { page: 'a', name: 'x', filter: { y: '\ud800' } }],
      ['POST',   '/saved-filters',                             { page: 'a', name: 'x', filter: { 'y\u0000': '' } }],
    ] as const
    for (const [method, path, body] of rows)
      assert.equal((await owner.send(method, path, body)).http, 422, `${method} ${path}`)
  })

  test('filters are kept per person and page', async () => {
    const wish = { page: 'payments', name: 'Mine', filter: { status: 'SETTLED' } }
    const { id } = (await owner.post('/saved-filters', wish)).body
    assert.equal((await owner.post('/saved-filters', { ...wish, filter: { status: 'VOID' } })).body.id, id)
    assert.deepEqual((await owner.get('/saved-filters')).body.filters, [{ ...wish, id, filter: { status: 'VOID' } }])
    const somebody = await panelOf(shop)
    assert.deepEqual((await somebody.get('/saved-filters')).body.filters, [])
    assert.equal((await somebody.send('DELETE', `/saved-filters/${id}`)).http, 404)
    assert.equal((await owner.send('DELETE', `/saved-filters/${id}`)).http, 200)
  })

  test('the OpenAPI document is served, and an unknown address answers like an unknown thing', async () => {
    const document = (await new PanelClient(shop.url).get('/openapi.json')).body
    assert.equal(document.openapi, '3.1.0')
    assert.equal(
      document.components.securitySchemes.session.name,
      owner.cookie.split('=')[0],
      'the cookie of this instance',
    )
    assert.equal((await owner.get('/nowhere')).body.error.code, 'not_found')
  })
})

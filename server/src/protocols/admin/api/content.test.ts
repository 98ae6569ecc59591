import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CheckoutClient } from '../../../../test/pages/checkout.ts'
import { Payer } from '../../../../test/pages/hosted-page.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { zipOf } from '../../../setup/forms/testing/zip-sample.ts'
import { formStore } from '../../../store/configuration/forms.ts'

let shop: Shop
let demo: string
let other: string
let owner: PanelClient
let admin: PanelClient

before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  other = await merchantId(shop, 'demo-dms')
  owner = await panelOf(shop)
  admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
})
after(() => shop[Symbol.asyncDispose]())

const dot = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><circle r="1"/></svg>'

describe('branding', () => {
  const path = () => `/merchants/${demo}/branding`

  test('colours, template and logo are saved, kept where they are not named, and taken back', async () => {
    const logo = Buffer.from(dot).toString('base64')
    const saved = await admin.send('PUT', path(), { button: '#0A5CFF', template: 'split', logo })
    assert.equal(saved.http, 200, saved.text)
    assert.equal(saved.body.branding.colours.button, '#0a5cff')
    assert.equal(saved.body.branding.logo.type, 'image/svg+xml')
    const answer = await admin.send('PUT', path(), { heading: '#111111', background: '#ffffff' })
    assert.equal(answer.body.branding.template, 'split')
    assert.deepEqual(answer.body.branding.logo, saved.body.branding.logo)
    assert.equal((await admin.send('DELETE', path())).http, 200)
    assert.equal((await admin.get(path())).body.branding, null)
    assert.deepEqual((await admin.get(path())).body.templates, ['card', 'plain', 'split'])
  })

  test('what could not be read on the page is refused by its field', async () => {
    const logo = Buffer.from('not an image').toString('base64')
    const answer = await admin.send('PUT', path(), { logo })
    assert.deepEqual([answer.http, answer.body.error.fields[0].field], [422, 'logo'])
    assert.equal((await admin.send('PUT', path(), { button: 'red' })).body.error.fields[0].field, 'button')
    const pale = await admin.send('PUT', path(), { heading: '#eeeeee', background: '#ffffff' })
    assert.equal(pale.body.error.fields[0].field, 'heading')
  })

  test('the preview is a page for a frame of the panel alone', async () => {
    const { http, headers, body } = await admin.get(`${path()}/preview?button=%23123456&heading=&template=plain`)
    assert.equal(http, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
    assert.equal(body, null)
    assert.equal((await admin.get(`/merchants/${other}/branding/preview`)).http, 404)
  })

  test('a logo that was chosen and not saved is in the preview of who chose it, and nowhere else', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><path d="M0 0h7v7z"/></svg>'
    const logo = Buffer.from(svg).toString('base64')
    const { body, http } = await admin.post(`${path()}/preview/logo`, { logo })
    assert.equal(http, 200)
    const shows = async (browser: PanelClient) =>
      (await browser.get(`${path()}/preview?logo=${body.logo}`)).text.includes(`data:image/svg+xml;base64,${logo}`)
    assert.ok(await shows(admin))
    assert.ok(!(await shows(await panelOf(shop))))
    assert.equal((await admin.get(path())).body.branding, null)
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64')
    const refused = await admin.post(`${path()}/preview/logo`, { logo: script })
    assert.deepEqual([refused.http, refused.body.error.fields[0].field], [422, 'logo'])
  })
})

describe('forms', () => {
  const path = () => `/merchants/${demo}/forms`
  const archive = (template: string) => zipOf({ 'form.html': template }).toString('base64')
  const approve = async (id: string, by = owner) => {
    const { digest } = (await by.get(`${path()}/${id}/code`)).body
    return by.post(`${path()}/${id}/review`, { decision: 'approve', digest })
  }

  test('a reviewer reads the code and what changed since the approved version, with findings at their lines', async () => {
    const upload = async (script: string) => {
      const files = { 'form.html': '<p>Pay</p>', 'js/form.js': script }
      const { body } = await admin.post(path(), { formId: 'read', archive: zipOf(files).toString('base64') })
      return body.form.id
    }
    const first = await upload('begin()\n')
    assert.equal((await owner.get(`${path()}/${first}/code`)).body.against, null)
    assert.equal((await approve(first)).http, 200)
    const second = await upload("begin()\nfetch('/admin/api/session')\n")
    const { against, files } = (await owner.get(`${path()}/${second}/code`)).body
    assert.equal(against.version, 1)
    const [page, script] = files
    assert.deepEqual([page.path, page.change, page.text], ['index.html', 'same', '<p>Pay</p>'])
    assert.equal(script.change, 'changed')
    assert.deepEqual(
      script.diff.map(({ kind, text }: { kind: string; text: string }) => [kind, text]),
      [
        ['same', 'begin()'],
        ['added', "fetch('/admin/api/session')"],
      ],
    )
    assert.deepEqual(script.findings, [{ line: 2, text: 'refers to the panel; sends a request' }])
  })

  test('a merchant uploads and asks for a review; the operator approves, or gives it back', async () => {
    const uploaded = await admin.post(path(), { formId: 'own', archive: archive('<p>Pay</p>') })
    assert.equal(uploaded.http, 200, uploaded.text)
    const { id, state, version } = uploaded.body.form
    assert.deepEqual([state, version], ['draft', 1])
    assert.equal((await admin.post(`${path()}/${id}/review`, { decision: 'approve' })).http, 403)
    await admin.post(`${path()}/${id}/state`, { state: 'in review' })
    const queue = (await owner.get('/forms?state=in%20review')).body.forms
    assert.deepEqual(
      queue.map((form: { id: string }) => form.id),
      [id],
    )
    assert.equal((await owner.post(`${path()}/${id}/review`, { decision: 'refuse' })).http, 422)
    const refusal = { decision: 'refuse', reason: 'The logo is old.' }
    assert.equal((await owner.post(`${path()}/${id}/review`, refusal)).body.form.state, 'draft')
    assert.equal((await admin.get(`${path()}/${id}`)).body.returned.reason, 'The logo is old.')
    const unread = await owner.post(`${path()}/${id}/review`, { decision: 'approve', digest: 'f'.repeat(64) })
    assert.deepEqual([unread.http, unread.body.error.code], [409, 'conflict'])
    assert.equal((await owner.post(`${path()}/${id}/review`, { decision: 'approve' })).http, 422)
    assert.equal((await approve(id)).body.form.state, 'approved')
    assert.equal((await admin.get(`${path()}/${id}`)).body.template, '<p>Pay</p>')
    assert.equal((await admin.post(`${path()}/${id}/state`, { state: 'withdrawn' })).body.form.state, 'withdrawn')
  })

  test('its uploader does not approve it, nor an account that the uploader made, and returns it', async () => {
    const { body } = await owner.post(path(), { formId: 'mine', archive: archive('<p>Mine</p>') })
    const at = `${path()}/${body.form.id}`
    await owner.post(`${at}/state`, { state: 'in review' })
    const own = await approve(body.form.id)
    assert.equal(own.http, 403)
    assert.match(own.body.error.message, /^You uploaded this form, so another user approves it\./)
    assert.equal((await owner.get(at)).body.obstacle, own.body.error.message)

    const other = await panelOf(shop, { role: 'operator' })
    assert.equal((await other.get(at)).body.obstacle, null)
    const { password } = (await owner.post(`/users/${other.person.id}/password`)).body
    await other.signIn({ email: other.person.email, password })
    await other.post('/account/password', { current: password, next: 'kettle of my own 7' })
    assert.match((await approve(body.form.id, other)).body.error.message, /reset your password/)
    const back = { decision: 'refuse', reason: 'no' }
    assert.equal((await owner.post(`${at}/review`, back)).body.form.state, 'draft')
    assert.equal((await approve(body.form.id, await panelOf(shop))).body.form.state, 'approved')
  })

  test('what loads from elsewhere is not approved, and the fault is told', async () => {
    const { body } = await admin.post(path(), {
      formId: 'foreign',
      archive: archive('<img src="https://evil.example/x.png">'),
    })
    const answer = await approve(body.form.id)
    assert.equal(answer.http, 422)
    assert.match(answer.body.error.fields[0].text, /evil\.example/)
    const { findings, returned } = (await admin.get(`${path()}/${body.form.id}`)).body
    assert.match(findings.faults[0], /evil\.example/)
    assert.equal(returned, null)
  })

  test('a form of another merchant is not found, also under the caller’s own', async () => {
    const { body } = await owner.post(`/merchants/${other}/forms`, {
      formId: 'theirs',
      archive: archive('<p>Theirs</p>'),
    })
    assert.equal((await admin.get(`${path()}/${body.form.id}`)).http, 404)
    assert.ok(!(await admin.get('/forms')).text.includes(body.form.id))
    assert.equal((await admin.post(path(), { formId: 'broken', archive: 'YQ==' })).http, 422)
  })

  test('a page of megabytes, and two files of one name, are refused before anybody reads them', async () => {
    const page = await admin.post(path(), { formId: 'huge', archive: archive('<b '.repeat(200_000)) })
    assert.deepEqual([page.http, page.body.error.fields[0].text], [422, 'form.html: the page is larger than 512 KiB.'])
    const twice = Buffer.from(
      zipOf({ 'form.html': '<p>Pay</p>', 'js/a.js': '1', 'js/b.js': '2' })
        .toString('latin1')
        .replaceAll('js/b.js', 'js/a.js'),
      'latin1',
    )
    const files = await admin.post(path(), { formId: 'twice', archive: twice.toString('base64') })
    assert.deepEqual([files.http, files.body.error.fields[0].text], [422, 'js/a.js: the file is in the archive twice.'])
    const unreadable = await admin.post(path(), { formId: 'nul', archive: archive('<p>\u0000</p>') })
    assert.equal(unreadable.http, 422, unreadable.text)
  })

  test('an approval that comes too late takes nothing from payers', async () => {
    const versions: string[] = []
    for (const template of ['<p>One</p>', '<p>Two</p>'])
      versions.push((await admin.post(path(), { formId: 'late', archive: archive(template) })).body.form.id)
    const [shown = '', next = ''] = versions
    assert.equal((await approve(shown)).http, 200)
    const store = formStore(shop.base.pool)
    const asRead = await store.find(next)
    assert.ok(asRead)
    await admin.post(`${path()}/${next}/state`, { state: 'withdrawn' })
    const sources = { scripts: [], styles: [] }
    assert.equal(
      await store.move(asRead, { state: 'approved', sources, by: 'somebody', at: shop.base.clock.now() }),
      false,
    )
    assert.equal((await store.findApproved(demo, 'late'))?.id, shown)
  })

  test('an archive of the allowed size fits into a request, and a larger one does not', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, 1).toString('base64')
    assert.equal((await admin.post(path(), { formId: 'large', archive: large })).http, 422)
    const tooLarge = Buffer.alloc(6 * 1024 * 1024, 1).toString('base64')
    assert.equal((await admin.post(path(), { formId: 'large', archive: tooLarge })).http, 413)
  })
})

describe('consents and the calendar', () => {
  test('a plan’s coming charges stand in the calendar until its consent is withdrawn', async () => {
    const schedule = await new CheckoutClient(shop).schedule()
    const plan = { recurring_init: true, schedule_id: schedule.id, recurring_consent_required: true }
    const { payment_id } = await (await Payer.at(shop, plan)).payAndExpectSuccess({ consent: true })
    const listed = (await admin.get(`/merchants/${demo}/consents?state=active`)).body.consents
    assert.deepEqual(
      listed.map((one: { paymentId: string }) => one.paymentId),
      [payment_id],
    )
    const to = new Date(shop.base.clock.now().getTime() + 370 * 86_400_000).toISOString().slice(0, 10)
    const { days, complete } = (await admin.get(`/calendar?to=${to}`)).body
    assert.ok(complete)
    assert.ok(days.length > 0)
    assert.equal(days[0].charges[0].merchantId, demo)
    assert.equal(days[0].charges[0].scheduleId, schedule.id)
    const { rows } = await shop.base.pool.query('select next_date::text as date from subscriptions where state = $1', [
      'running',
    ])
    assert.equal(days[0].date, rows[0].date)
    const stranger = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [other] })
    assert.deepEqual((await stranger.get(`/calendar?to=${to}`)).body.days, [])

    const withdrawn = await admin.post(`/merchants/${demo}/payments/${payment_id}/consent/withdraw`)
    assert.deepEqual([withdrawn.http, withdrawn.body.endedPlans], [200, 1])
    assert.deepEqual((await admin.get(`/calendar?to=${to}`)).body.days, [])
    assert.equal((await admin.post(`/merchants/${demo}/payments/${payment_id}/consent/withdraw`)).http, 409)
    const states = (await admin.get(`/merchants/${demo}/consents`)).body.consents
    assert.deepEqual(
      states.map((one: { state: string }) => one.state),
      ['cancelled'],
    )
  })
})

test('the calendar looks a year ahead and no further: dates are counted one by one', async () => {
  for (const query of ['to=9999-12-31', 'from=9999-12-20', 'from=2090-01-01&to=2090-01-31']) {
    const { http, body } = await admin.get(`/calendar?${query}`)
    assert.deepEqual([http, body.error.fields[0].field], [422, 'to'], query)
  }
})

describe('crypto currencies', () => {
  test('one is added and taken away, and a brand’s own stays', async () => {
    const put = (code: string, decimals: number | null) => owner.send('PUT', `/crypto-currencies/${code}`, { decimals })
    const added = await put('DOGE', 8)
    assert.equal(added.http, 200, added.text)
    assert.ok(
      added.body.currencies.some(
        (one: { code: string; decimals: number }) => one.code === 'DOGE' && one.decimals === 8,
      ),
    )
    assert.equal((await put('DOGE', null)).http, 200)
    assert.equal((await put('DOGE', null)).http, 422)
  })
})

/** Money in the panel as finance uses it: captures, refunds with a second person, exports, and the money checks of the dashboard. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { until } from '../../callbacks/callback-scene.ts'
import { merchantId } from '../../panel/admin.ts'
import { checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'
import { dialogOf } from '../../panel/second-person.ts'
import { statusOf } from '../../payments.ts'

let scene: PanelScene
let finance: Seat
let demo: string
before(async () => {
  scene = await panelScene()
  finance = await scene.seat({ role: 'finance' })
  demo = await merchantId(scene.shop, 'demo')
})
after(() => scene.close())

const at = (paymentId: string): string => `/merchants/${demo}/payments/${paymentId}`

test('ten holds are captured at once, with progress, and leave the queue', async () => {
  const holds: string[] = []
  for (let number = 0; number < 11; number += 1)
    holds.push((await scene.shop.sale({ auth: 'Y', order_id: `HOLD-${number}` })).body.trans_id)
  const { page, open } = finance
  await open('/captures')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('checkbox', { name: 'Select order HOLD-10' }).uncheck()
  await checkState(page, 'captures')
  await page.getByRole('button', { name: 'Capture 10 selected' }).click()
  await page.getByRole('dialog').getByText('100.00 EUR').waitFor()
  await checkState(page, 'captures-question')
  await page.getByRole('dialog').getByRole('button', { name: 'Capture', exact: true }).click()
  await page.getByText('10 of 10 holds were captured.').waitFor()
  await page.getByRole('link', { name: 'HOLD-3', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'HOLD-10' }).waitFor()
  await checkState(page, 'captures-done')
  assert.equal(await statusOf(scene.shop, holds[3] ?? ''), 'SETTLED')
  assert.equal(await statusOf(scene.shop, holds[10] ?? ''), 'PENDING')
})

test('a hold is captured in part from its details', async () => {
  const id = (await scene.shop.sale({ auth: 'Y', order_id: 'PART-1' })).body.trans_id
  const { page, open } = finance
  await open(at(id))
  await page.getByRole('button', { name: 'Capture', exact: true }).click()
  await page.getByLabel('Amount in EUR').fill('12.00')
  await page.getByRole('dialog').getByRole('button', { name: 'Capture', exact: true }).click()
  await page.getByRole('dialog').getByText('At most 10.00 EUR.').waitFor()
  await checkState(page, 'payment-capture')
  await page.getByLabel('Amount in EUR').fill('7.50')
  await page.getByRole('dialog').getByRole('button', { name: 'Capture', exact: true }).click()
  await page.getByText('CAPTURE of 7.50 EUR succeeded. The payment is SETTLED.').waitFor()
  await checkState(page, 'payment')
  await page.getByRole('tab', { name: 'Ledger' }).click()
  await page.getByRole('cell', { name: '7.50 EUR' }).waitFor()
})

test('a refund above the limit waits for a second person, who approves it', async () => {
  const id = (await scene.shop.sale({ order_amount: '1500.00', order_id: 'LARGE-1' })).body.trans_id
  const { page, open } = finance
  await open(at(id))
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByText('need approval by a second person').waitFor()
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('Enter a reason. This amount needs approval.').waitFor()
  await checkState(page, 'payment-refund')
  await page.getByLabel('Reason').fill('The order was never sent.')
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The refund is waiting for approval.').waitFor()
  await checkState(page, 'payment-refund-asked')
  assert.equal(await statusOf(scene.shop, id), 'SETTLED')

  const second = await scene.seat({ role: 'operator' })
  await second.open('/approvals')
  const waiting = second.page.getByText('waiting for you')
  await waiting.waitFor({ state: 'attached' })
  await second.page.getByRole('button', { name: 'View' }).click()
  await second.page.getByRole('button', { name: 'Approve' }).click()
  await second.page.getByRole('dialog', { name: 'Approve request?' }).getByRole('button', { name: 'Approve' }).click()
  await second.page.getByText('The request is done.').waitFor()
  assert.equal(await statusOf(scene.shop, id), 'REFUND')
  // Long before the menu would count again by itself.
  await waiting.waitFor({ state: 'detached' })
  await second.page.getByRole('button', { name: 'View' }).click()
  const result = second.page.locator('.key-values > div', { hasText: 'Status afterwards' })
  assert.match(await result.innerText(), /REFUND/i)
})

test('the payments found are exported as a file', async () => {
  const { page, open } = finance
  await open('/payments?orderId=LARGE-1')
  await page.getByRole('button', { name: 'Export' }).click()
  await checkState(page, 'payments-export')
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const file = await begun
  assert.match(file.suggestedFilename(), /^payments-\d{4}-\d{2}-\d{2}\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', /LARGE-1/)
  await page.getByText('The file is complete: 1 payment.').waitFor()
})

test('the dashboard shows that money adds up, and a figure links to its payments', async () => {
  const { page, open } = finance
  await open('/')
  await page.getByText('All passed').waitFor()
  await page.getByText('Approval rate').first().waitFor()
  const isPressed = await page.getByRole('button', { name: 'Last 7 days' }).getAttribute('aria-pressed')
  assert.equal(isPressed, 'true', 'the default range is one of those offered')
  const headings = await page.locator('.tiles, .section h2, figcaption').allInnerTexts()
  const places = ['Approval rate', 'Needs attention', 'Balance checks', 'Captured, refunded and charged back'].map(
    (text) => headings.findIndex((heading) => heading.includes(text)),
  )
  assert.ok(
    places[0] === 0 && places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0)),
    `${places}`,
  )
  const sections = await page.locator('.share-sections > .section').all()
  const boxes = await Promise.all(sections.map((section) => section.boundingBox()))
  const ends = new Map(boxes.map((box) => [box?.y, box && box.x + box.width]))
  assert.equal(new Set(ends.values()).size, 1, 'every line of sections is full')
  await checkState(page, 'dashboard')
  const uncompared = 'The comparison was not finished.'
  await page.route('**/dashboard/money?*', async (route) => {
    const answer = await (await route.fetch()).json()
    const [first, ...others] = answer.checks
    const checks = [
      { ...first, ok: false, checked: 0, asOf: '2026-11-02T10:00:00.000Z', failure: uncompared },
      ...others,
    ]
    await route.fulfill({ json: { ...answer, ok: false, checks } })
  })
  await open('/')
  await page.getByText('Not all compared').waitFor()
  await page.getByText(/was not finished\. Last compared .*2026/).waitFor()
  await checkState(page, 'dashboard-not-compared')
  await page.unrouteAll()
  await open('/')
  await page.getByText('All passed').waitFor()
  await page.evaluate(`for (const plot of document.querySelectorAll('.uplot')) plot.style.width = '3000px'`)
  await checkState(page, 'dashboard-drawn-for-a-wider-window')
  await page.getByRole('link', { name: 'sandbox-live' }).click()
  await page.getByRole('link', { name: 'LARGE-1' }).waitFor()
  await scene.shop.base.pool.query(`update payments set captured_minor = 700 where order_id = 'PART-1'`)
  await open('/')
  await page.getByText('Failed', { exact: true }).waitFor()
  await checkState(page, 'dashboard-broken')
})

test('the labels of hours do not collide, also where they have AM and PM', async () => {
  await scene.shop.sale()
  const context = await scene.browser.newContext({ locale: 'en-US', viewport: { width: 900, height: 900 } })
  const [name = '', value = ''] = finance.client.cookie.split('=')
  await context.addCookies([{ name, value, url: `${scene.shop.url}/admin` }])
  const page = await context.newPage()
  await page.addInitScript(recordLabels)
  await page.goto(`${scene.shop.url}/admin/`)
  await page.getByRole('button', { name: 'Today' }).click()
  // The panel's policy refuses texts that its page would evaluate, as waiting for a function does on its second try.
  await until(() => page.evaluate<boolean>(`labels.some(({ text }) => /AM|PM/.test(text))`))
  const labels = await page.evaluate<readonly Label[]>('labels')
  for (const line of Map.groupBy(labels, ({ line: place }) => place).values()) {
    // A chart is drawn again when its size is known.
    const drawn = [...new Map(line.map((label) => [label.start, label])).values()].toSorted((a, b) => a.start - b.start)
    for (const [index, { text, end }] of drawn.entries())
      assert.ok(end < (drawn[index + 1]?.start ?? Number.POSITIVE_INFINITY), `${text} and ${drawn[index + 1]?.text}`)
  }
  await context.close()
})

interface Label {
  readonly text: string
  /** The chart and the height at which it is drawn. */
  readonly line: string
  readonly start: number
  readonly end: number
}

/** Charts are drawn, so that their texts are in no element. */
const recordLabels = `
  window.labels = []
  const charts = []
  const draw = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    if (!charts.includes(this)) charts.push(this)
    const width = this.measureText(text).width
    const { e, f } = this.getTransform()
    const start = x + e - (this.textAlign === 'center' ? width / 2 : this.textAlign === 'right' ? width : 0)
    labels.push({ text, line: charts.indexOf(this) + ' ' + (y + f), start, end: start + width })
    draw.apply(this, arguments)
  }`

test('a correction that was left and asked for again says so before it is carried out, and is dismissed with a reason', async () => {
  const wish = { currency: 'EUR', amountMinor: '50000', reason: 'Agreed by mail' }
  const ask = async (): Promise<string> =>
    (await finance.client.post(`/merchants/${demo}/corrections`, wish)).body.approvalId
  const { pool, clock } = scene.shop.base
  const first = await ask()
  // As an earlier release asked for it.
  await pool.query("update approvals set subject = 'correction ' || id where id = $1", [first])
  const second = await ask()
  const colleague = await scene.seat()
  assert.equal((await colleague.client.post(`/approvals/${second}/approve`, {})).body.state, 'done')
  // As a process leaves it that dies after the decision.
  await pool.query(`update approvals set state = 'approved', decided_by = $2, decided_at = $3 where id = $1`, [
    first,
    colleague.person.id,
    new Date(clock.now().getTime() - 120_000),
  ])
  const { page, open } = finance
  await open('/approvals?state=left')
  await page.getByRole('button', { name: 'View' }).click()
  const drawer = dialogOf(page, 'Correct what a merchant is owed')
  await drawer.getByText('The same was requested again').waitFor()
  await checkState(page, 'approval-asked-again')
  await drawer.getByRole('button', { name: 'Carry out' }).click()
  const again = dialogOf(page, 'Carry out request?')
  await again.getByText('The same was requested again').waitFor()
  await again.getByText('Done: requested by').waitFor()
  await checkState(page, 'approval-carry-out-again')
  await again.getByRole('button', { name: 'Cancel' }).click()
  await drawer.getByRole('button', { name: 'Dismiss' }).click()
  const question = dialogOf(page, 'Dismiss request?')
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await question.getByText('Enter a reason.').waitFor()
  await question.getByLabel('Reason').fill('Booked by the second request')
  await checkState(page, 'approval-dismiss')
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('The request is dismissed.').waitFor()
  await page.getByText('Every approved request was completed.').waitFor()
  await open('/approvals?state=failed')
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByText(`Dismissed by ${finance.person.name}, not carried out: Booked by the second request`).waitFor()
  const booked = await pool.query("select 1 from account_entries where from_account = 'corrections'")
  assert.equal(booked.rowCount, 1, 'it is booked once')
})

/** Scheduled exports at the panel: scheduled from a search, run, paused, changed and removed. Chapter 70 §5. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkPage, checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'
import { type Receiver, startReceiver } from '../../receiver.ts'

let receiver: Receiver
let scene: PanelScene
let owner: Seat
before(async () => {
  receiver = await startReceiver()
  scene = await panelScene()
  owner = await scene.seat()
})
after(async () => {
  await scene.close()
  await receiver.stop()
})

test('an export is scheduled with its secret shown once, run, paused, changed and removed', async () => {
  const { page } = owner
  await owner.open('/export-schedules')
  await page.getByText('No scheduled exports.').waitFor()
  await page.getByText('SMTP_URL is not set').waitFor()
  await checkState(page, 'export-schedules-empty')

  await page.getByRole('button', { name: 'New export' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Schedule export' }).click()
  await drawer.getByText('Enter at least one e-mail address.').waitFor()
  await drawer.getByLabel('Name', { exact: true }).fill('Daily')
  await drawer.getByLabel('E-mail addresses').fill('books@example.com')
  await drawer.getByRole('button', { name: 'Schedule export' }).click()
  await drawer.getByText('choose an HTTPS address').waitFor()
  await drawer.getByLabel('Send', { exact: true }).selectOption('https')
  await drawer.getByLabel('Address', { exact: true }).fill(`${receiver.url}/hook`)
  await drawer.getByLabel('Time zone').selectOption('Europe/Berlin')
  await drawer.getByLabel('Time', { exact: true }).fill('07:30')
  await drawer.getByLabel('order_id').check()
  await checkPage(page, 'export-schedule-new')
  await drawer.getByRole('button', { name: 'Schedule export' }).click()
  await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
  assert.match(await page.locator('.secrets code').innerText(), /^whsec_/)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText('Payments of each day, at 07:30 Europe/Berlin').waitFor()
  await checkState(page, 'export-schedules')

  await page.getByRole('button', { name: 'Runs' }).click()
  await drawer.getByText('No runs yet.').waitFor()
  await drawer.getByRole('button', { name: 'Run the last period now' }).click()
  await scene.shop.service.awaitIdle()
  await drawer.getByRole('table', { name: 'Runs' }).getByText('sent', { exact: true }).waitFor()
  await checkPage(page, 'export-runs')
  assert.equal(receiver.received[0]?.raw, 'order_id\r\n')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('link', { name: 'Download' }).click(),
  ])
  assert.match(download.suggestedFilename(), /\.csv$/)
  receiver.answer = () => ({ status: 500, body: '' })
  await drawer.getByRole('button', { name: 'Run again' }).click()
  await scene.shop.service.awaitIdle()
  await drawer.getByText('The answer was HTTP 500.').waitFor()
  await checkState(page, 'export-run-failing')
  await drawer.getByRole('button', { name: 'Close', exact: true }).click()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Export resumed.').waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await drawer.getByText('Leave empty to keep it.').waitFor()
  await drawer.getByLabel('Covers').selectOption('month')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Payments of each month, at 07:30 Europe/Berlin').waitFor()

  await page.getByRole('button', { name: 'Remove' }).click()
  await drawer.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No scheduled exports.').waitFor()
})

test('a search is scheduled with its filters, without its dates, and one that lost its rights says so', async () => {
  const { page } = owner
  await owner.open('/payments?bin=411111&status=SETTLED&from=2026-01-01&test=both')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('link', { name: 'Schedule this export' }).click()
  const drawer = page.getByRole('dialog', { name: 'New scheduled export' })
  await drawer.getByText('bin: 411111').waitFor()
  assert.equal(await drawer.getByLabel('Status', { exact: true }).inputValue(), 'SETTLED')
  await drawer.getByLabel('Name', { exact: true }).fill('Cards')
  await drawer.getByLabel('Send', { exact: true }).selectOption('https')
  await drawer.getByLabel('Address', { exact: true }).fill(receiver.url)
  await checkState(page, 'export-schedule-filtered')
  await drawer.getByRole('button', { name: 'Schedule export' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  const { schedules } = (await owner.client.get('/export-schedules')).body
  assert.deepEqual(schedules[0].filter, { bin: '411111', status: 'SETTLED' })
  await scene.shop.base.pool.query(
    `update export_schedules set paused_at = now(), pause_reason = 'Its owner ann@example.com may no longer export payments.'`,
  )
  await owner.open('/')
  await owner.open(`/export-schedules?schedule=${schedules[0].id}`)
  await page.getByRole('dialog').getByText('may no longer export payments').waitFor()
  await checkState(page, 'export-schedule-refused')
})

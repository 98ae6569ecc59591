/** Alert channels at the panel: created, tried, changed and removed. Chapter 70 §9. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { portOf } from '../../hosts/port-of.ts'
import { merchantId } from '../../panel/admin.ts'
import { checkPage, checkState, panelScene } from '../../panel/panel-scene.ts'

const bodies: string[] = []
const receiver = createServer((request, reply) => {
  request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
  request.on('end', () => reply.writeHead(bodies.length === 1 ? 200 : 500).end())
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const scene = await panelScene()
after(async () => {
  await scene.close()
  receiver.close()
})

test('a channel is created with its secret shown once, tried, and removed', async () => {
  const owner = await scene.seat()
  const { page } = owner
  await owner.open('/alert-channels')
  await page.getByText('No channels yet.').waitFor()
  await checkState(page, 'alert-channels-empty')

  await page.getByRole('button', { name: 'New channel' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Create channel' }).click()
  await drawer.getByText('Enter where alerts are sent.').waitFor()
  await drawer.getByLabel('Name').fill('Duty')
  await drawer.getByLabel('Kind', { exact: true }).selectOption('webhook')
  await drawer.getByLabel('Address').fill(`http://127.0.0.1:${portOf(receiver)}/hook`)
  await drawer.getByLabel('Hold alerts during quiet hours').check()
  await drawer.getByLabel('Time zone').selectOption('Europe/Berlin')
  await checkPage(page, 'alert-channel-new')
  await drawer.getByRole('button', { name: 'Create channel' }).click()
  await page.getByRole('heading', { name: 'Webhook secret' }).waitFor()
  assert.match(await page.locator('.secrets code').innerText(), /^whsec_/)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByText('quiet 22:00–07:00 Europe/Berlin').waitFor()
  await checkState(page, 'alert-channels')

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test was accepted.').waitFor()
  assert.match(bodies[0] ?? '', /This is a test of the channel Duty/)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test failed. The answer was HTTP 500.').waitFor()
  await checkState(page, 'alert-channel-test-failed')

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No channels yet.').waitFor()
})

test('alerts show how urgent they are, are listed by severity and kind, and lead to the page that solves them', async () => {
  const owner = await scene.seat()
  const { page, open } = owner
  const { pool, ids } = scene.shop.base
  const demo = await merchantId(scene.shop, 'demo')
  for (const kind of ['give-back', 'settlement-difference', 'account.unused', 'clock-off'])
    await pool.query(`insert into alerts (id, kind, merchant_id, text, raised_at) values ($1, $2, $3, $4, now())`, [
      ids.next(),
      kind,
      demo,
      `Look at ${kind}.`,
    ])
  await open('/alerts')
  const row = (kind: string) => page.getByRole('row', { name: `Look at ${kind}.` })
  await row('give-back').getByText('Critical', { exact: true }).waitFor()
  await row('clock-off').getByText('Warning', { exact: true }).waitFor()
  await row('account.unused').getByText('Notice', { exact: true }).waitFor()
  assert.equal(await row('give-back').getByRole('button', { name: 'Resolve' }).count(), 0, 'it would be refused')
  assert.equal(await row('clock-off').getByRole('button', { name: 'Resolve' }).count(), 1)
  assert.equal(await row('clock-off').getByRole('link').count(), 0, 'no page solves it')
  assert.match((await row('settlement-difference').getByRole('link').getAttribute('href')) ?? '', /\/settlements$/)
  await checkPage(page, 'alerts')
  await page.getByLabel('Severity').selectOption('Warning')
  await row('give-back').waitFor({ state: 'detached' })
  await page.getByLabel('Kind').selectOption('Clock off')
  await row('settlement-difference').waitFor({ state: 'detached' })
  await row('clock-off').waitFor()
  await page.getByLabel('Severity').selectOption('Notice')
  await page.getByText('No alerts match the filters.').waitFor()
  await checkState(page, 'alerts-none-match')
  await open('/alerts?kind=give-back')
  await row('give-back').getByRole('link', { name: 'Unresolved' }).click()
  await page.getByRole('heading', { name: 'Unresolved', level: 1 }).waitFor()
})

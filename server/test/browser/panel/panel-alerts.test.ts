/** Alert channels at the panel: created, tried, changed and removed. Chapter 70 §9. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { portOf } from '../../hosts/port-of.ts'
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

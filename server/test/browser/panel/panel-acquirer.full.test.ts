/** A first MID at a real acquirer, as a new operator sets it up by the panel and the acquirer's page of the documents. Chapter 60. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openAdyen } from '#sandbox/acquirers/adyen/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { type PanelScene, panelScene, type Seat, waitUntilLoaded } from '../../panel/panel-scene.ts'

let scene: PanelScene
let operator: Seat
let folder: string
let adyen: Awaited<ReturnType<typeof startServices>>
let credentials: Readonly<Record<string, unknown>>
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adyen-'))
  const standIn = await openAdyen(folder)
  adyen = await startServices([standIn], 0, (fault) => assert.fail(String(fault)))
  credentials = standIn.credentials(adyen.url).live
  scene = await panelScene()
  operator = await scene.seat({ role: 'owner' })
})
after(async () => {
  await scene.close()
  await adyen.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a merchant and a MID at Adyen are created in the panel; a payer pays with 3-D Secure, and the hold is captured, refunded and disputed', async () => {
  const { page, open, client } = operator
  await open('/mids/new?connector=adyen')
  await page.getByLabel('Name', { exact: true }).fill('first-adyen')
  await page.getByLabel('Mode', { exact: true }).selectOption('live')
  for (const [label, name] of [
    ['Merchant account', 'merchant_account'],
    ['API key', 'api_key'],
    ['HMAC key', 'hmac_key'],
    ['Base URL', 'base_url'],
  ] as const)
    await page
      .getByLabel(label, { exact: name !== 'base_url' && name !== 'hmac_key' })
      .first()
      .fill(String(credentials[name]))
  await page.getByRole('button', { name: 'Create MID' }).click()
  await page.getByText('MID first-adyen created.').waitFor()
  // The address that the operator enters in Adyen's Customer Area.
  const setting = await fetch(`${adyen.url}/accounts/live/notifications`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${scene.shop.url}/acquirers/first-adyen/notifications` }),
  })
  assert.ok(setting.ok)

  await open('/merchants')
  await page.getByRole('button', { name: 'New merchant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Lamps and more')
  await dialog.getByLabel('Name').fill('lamps')
  await dialog.getByRole('button', { name: 'Create merchant' }).click()
  await dialog.getByRole('button', { name: 'I have saved it' }).waitFor()
  const [key = '', testKey = '', password = ''] = (await dialog.locator('dd').allInnerTexts()).map((text) =>
    text.trim(),
  )
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lamps and more' }).waitFor()
  scene.shop.merchants.set('lamps', { name: 'lamps', key, test_key: testKey, password })
  await page.getByRole('tab', { name: 'MIDs', exact: true }).click()
  await waitUntilLoaded(page)
  await page.getByRole('button', { name: 'Map MID' }).click()
  const mids: { id: string; name: string }[] = (await client.get('/mids')).body.mids
  const midId = mids.find(({ name }) => name === 'first-adyen')?.id ?? ''
  await page.getByLabel('MID', { exact: true }).selectOption(midId)
  await page.getByRole('dialog').getByRole('button', { name: 'Map MID' }).click()
  await page.getByText('MID mapped.').waitFor()

  const session = await new CheckoutClient(scene.shop).session({ auth: true }, { merchant: 'lamps' })
  assert.equal(session.http, 200, session.text)
  const payer = await scene.visitor()
  await payer.goto(session.body.redirect_url)
  await payer.getByLabel('Card number').fill('4917610000000000')
  await payer.getByLabel('Expiry date').fill('01/38')
  await payer.getByLabel('Security code').fill('123')
  await payer.getByLabel('Name on card').fill('Jane Roe')
  await payer.getByRole('button', { name: /^(?:Pay|Authorise|Confirm)/ }).click()
  await payer.waitForURL((url) => url.origin === new URL(adyen.url).origin)
  await payer.locator('.approve').click()
  await payer.waitForURL((url) => url.origin !== new URL(adyen.url).origin)
  const ledger = async () => {
    const entries: { kind: string; state: string }[] = JSON.parse(await (await fetch(`${adyen.url}/ledger`)).text())
    return entries.map(({ kind, state }) => `${kind} ${state}`)
  }
  const executed = async (kind: string) => {
    while (!(await ledger()).includes(`${kind} executed`)) await scene.shop.service.awaitIdle()
  }
  await executed('authorize')
  const { payments } = (await client.get('/payments')).body
  const at = `/merchants/${payments[0].merchantId}/payments/${payments[0].id}`
  /** By Adyen's notification, since Adyen cannot be asked. */
  const decided = async (sum: 'capturedMinor' | 'refundedMinor') => {
    let minor = '0'
    while (minor === '0') {
      await scene.shop.service.awaitIdle()
      minor = String((await client.get(at)).body.payment[sum])
    }
  }
  await open(at)
  for (const [button, sum, amount] of [
    ['Capture', 'capturedMinor', '10.00'],
    ['Refund', 'refundedMinor', '4.00'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('dialog').getByLabel('Amount in EUR').fill(amount)
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
    await decided(sum)
    await open(at)
  }
  // The page of the stand-in, on which the payer's bank disputes what is left.
  await payer.goto(`${adyen.url}/disputes`)
  await payer.getByRole('button', { name: 'Open a dispute' }).click()
  await payer.getByRole('button', { name: 'Decide for the payer' }).waitFor()
  let status = ''
  while (status !== 'CHARGEBACK') {
    await scene.shop.service.awaitIdle()
    status = (await client.get(at)).body.payment.status
  }
  await open(at)
  await page.getByText('CHARGEBACK').first().waitFor()
  assert.deepEqual(await ledger(), ['authorize executed', 'capture executed', 'refund executed', 'chargeback executed'])
})

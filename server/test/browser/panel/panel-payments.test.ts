/** Payments in the panel as support uses it: found, explained, and called back again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { setFaults, softDeclines } from '../../cascades.ts'
import { merchantId } from '../../panel/admin.ts'
import {
  checkPage,
  checkState,
  type PanelScene,
  panelScene,
  phone,
  type Seat,
  waitUntilLoaded,
} from '../../panel/panel-scene.ts'
import { expiryFields } from '../../payments.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

let scene: PanelScene
let support: Seat
let demo: string
before(async () => {
  scene = await panelScene()
  support = await scene.seat({ role: 'support' })
  demo = await merchantId(scene.shop, 'demo')
})
after(() => scene.close())

test('a payment is found by a 3DS attribute, the filter is saved under a name, and its details are complete', async () => {
  const { page, open, client } = support
  await scene.shop.sale({ order_id: 'OTHER-1' })
  const { trans_id } = (await scene.shop.sale({ order_id: 'SECURE-1', ...expiryFields('05/2038') })).body
  const { threeDs } = (await client.get(`/merchants/${demo}/payments/${trans_id}`)).body
  await open('/payments')
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('threeDSServerTransID').fill(threeDs.threeDSServerTransID)
  await page.getByRole('row', { name: 'OTHER-1' }).waitFor({ state: 'detached' })
  assert.match(page.url(), new RegExp(`threeDSServerTransID=${threeDs.threeDSServerTransID}`))
  await checkState(page, 'payments')

  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByRole('button', { name: 'Save these filters' }).click()
  await page.getByLabel('Name', { exact: true }).fill('The challenge')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('saved as The challenge').waitFor()
  await open('/payments')
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await checkState(page, 'payments-saved-filters')
  await page.getByRole('link', { name: 'The challenge' }).click()
  await page.getByRole('row', { name: 'OTHER-1' }).waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'SECURE-1' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order SECURE-1' }).waitFor()
  await page.getByRole('tab', { name: '3DS and browser' }).click()
  await page.getByText(threeDs.acsTransID).waitFor()
  await checkPage(page, 'payment-3ds')
})

test('a payment is found by last four and amount in one step, and what cannot be understood searches nothing', async () => {
  const { page, open } = support
  await scene.shop.sale({ order_id: 'FOUND-1', order_amount: '1471.16' })
  await scene.shop.sale({ order_id: 'OTHER-2', order_amount: '11.16' })
  await open('/payments')
  const box = page.getByRole('searchbox', { name: 'Search', exact: true })
  await box.fill('1111 1,471.16')
  await page.getByText('Searching by last four 1111, amount 1,471.16 in any currency.').waitFor()
  await page.getByRole('row', { name: 'OTHER-2' }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'FOUND-1' }).waitFor()
  await checkState(page, 'payments-searched')
  await box.fill('found')
  await page.getByRole('button', { name: 'order number beginning with found' }).click()
  await page.getByRole('row', { name: 'FOUND-1' }).waitFor()
  assert.match(page.url(), /q=order%3Afound/)
  await box.fill('€1471.16')
  await page.getByText('cannot be searched for').waitFor()
  assert.equal(await page.getByRole('table').count(), 0)
  await box.fill('4111 1111 1111 1111')
  await page.getByText('Do not enter a whole card number.').waitFor()
  assert.doesNotMatch(page.url(), /4111/)
})

test('the reason why a wallet token was refused is shown in its list and beside the payment that followed', async () => {
  const device = await enableWallet(scene.shop, { wallet: 'walletapay' })
  await device.pay({ fault: 'wrong-amount' }, { order_id: 'WALLET-1' })
  await device.pay({}, { order_id: 'WALLET-1' })
  const { page, open } = support
  await open('/refused-tokens?orderId=WALLET-1')
  await page.getByRole('cell', { name: /Refused: amount.* \(check A18\)/ }).waitFor()
  await checkState(page, 'refused-tokens')
  await page.getByRole('button', { name: 'All checks' }).click()
  await checkState(page, 'refused-token')
  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'WALLET-1' }).click()
  await page.getByRole('tab', { name: 'Card and wallet' }).click()
  await page.getByText('The token passed all 17 checks').waitFor()
  await page.getByText(/Refused: amount.* \(check A18\)/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show number' }).count(), 0, 'support sees no card numbers')
  await checkPage(page, 'payment-wallet')
})

test('a note and a tag are written on a payment, the tag finds it, and its payer has a page', async () => {
  const { page, open } = support
  const { trans_id } = (await scene.shop.sale({ order_id: 'NOTED-1', payer_email: 'noted@example.com' })).body
  await scene.shop.service.awaitIdle()
  await open(`/merchants/${demo}/payments/${trans_id}?tab=notes`)
  await page.getByLabel('New note').fill('Called on Friday.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText('Note added.').waitFor()
  await page.locator('.note-text').getByText('Called on Friday.').waitFor()
  assert.equal(await page.getByLabel('New note').inputValue(), '')
  await page.getByRole('textbox', { name: 'Tags' }).fill('Refund-Call, vip')
  await page.getByRole('button', { name: 'Save tags' }).click()
  await page.getByRole('link', { name: 'refund-call' }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Tags' }).inputValue(), 'refund-call, vip')
  await page.getByRole('link', { name: 'refund-call' }).click()
  await page.getByRole('link', { name: 'NOTED-1' }).click()
  await page.getByRole('tab', { name: 'Payer and order' }).click()
  await page.getByRole('link', { name: 'All payments of this payer' }).click()
  await page.getByRole('heading', { level: 1, name: 'noted@example.com' }).waitFor()
  await page.getByRole('cell', { name: 'EUR', exact: true }).waitFor()
  await checkState(page, 'payer')
})

test('the attempts of a cascade link to each other, with the reasons in sentences', async () => {
  const merchant = await openAccount(scene.shop, { mids: [{}, {}] })
  await setFaults(scene.shop, merchant, { 1: softDeclines })
  const { trans_id } = (await scene.shop.sale({ order_id: 'TWICE-1' }, { merchant })).body
  await scene.shop.clearScenario()
  const { page, open } = support
  const id = await merchantId(scene.shop, merchant)
  await open(`/payments?merchantId=${id}`)
  await page.getByRole('row', { name: 'TWICE-1' }).filter({ hasText: 'DECLINED' }).getByText('attempt 1').waitFor()
  await page.getByRole('row', { name: 'TWICE-1' }).filter({ hasText: 'SETTLED' }).getByText('attempt 2').waitFor()
  await open(`/payments?merchantId=${demo}`)
  await page.getByRole('row', { name: 'OTHER-1' }).waitFor()
  assert.equal(await page.getByText(/^attempt \d/).count(), 0, 'a payment alone is no attempt')
  await open(`/merchants/${id}/payments/${trans_id}?tab=routing`)
  await page.getByText(`${merchant}-1 was left out.`).waitFor()
  await checkPage(page, 'payment-routing')
  const other = page.getByRole('link', { name: 'Attempt 1', exact: true })
  await page.getByRole('cell', { name: 'Attempt 2 (this payment)' }).waitFor()
  const colours = await page.evaluate<string[]>(
    `['.row-link', 'tr:not(.leads) td'].map((one) => getComputedStyle(document.querySelector(one)).color)`,
  )
  assert.equal(new Set(colours).size, 2, 'a link looks like one')

  await page.setViewportSize(phone)
  await page.getByRole('tab').first().click()
  await page.locator('.tab-list.more-after:not(.more-before)').waitFor()
  const mask = await page.evaluate<string>(`getComputedStyle(document.querySelector('.tab-list')).maskImage`)
  assert.match(mask, /gradient/)
  await page.getByRole('tab').last().click()
  await page.locator('.tab-list.more-before:not(.more-after)').waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.locator('.more-before, .more-after').waitFor({ state: 'detached' })

  await open(`/merchants/${id}/payments/${trans_id}?tab=routing`)
  await other.click()
  await page.getByRole('cell', { name: 'Attempt 1 (this payment)' }).waitFor()
  await page.getByText('DECLINED').first().waitFor()
})

test('the last attempt of a failed cascade says why no other MID was tried', async () => {
  const merchant = await openAccount(scene.shop, { mids: [{}, {}] })
  await setFaults(scene.shop, merchant, { 1: softDeclines, 2: softDeclines })
  const { trans_id } = (await scene.shop.sale({}, { merchant })).body
  await scene.shop.clearScenario()
  const { page, open } = support
  await open(`/merchants/${await merchantId(scene.shop, merchant)}/payments/${trans_id}?tab=routing`)
  await page.getByText('No other MID was tried: none was left in the order.').waitFor()
  await page.getByText('Stored decision').click()
  await page.getByRole('region', { name: 'Why no further attempt was made' }).getByText('no-mid-left').waitFor()
  await page.getByRole('link', { name: 'Attempt 1', exact: true }).click()
  await page.getByText('Declined. Attempt 2 followed.').waitFor()
})

test('a callback is sent again from its payment, and its body and answer are shown', async () => {
  const { shop } = scene
  const { trans_id } = (await shop.sale({ order_id: 'TOLD-1' })).body
  const before = (await shop.callbacks(trans_id)).length
  const { page, open } = support
  await open(`/merchants/${demo}/payments/${trans_id}?tab=callbacks`)
  await page.getByRole('columnheader', { name: 'Last response' }).waitFor()
  await page.getByRole('cell', { name: 'HTTP 200', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText(`The callback is being sent again to ${shop.receiver.url}`).waitFor()
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByText('HTTP 200, response “OK”').first().waitFor()
  await page.getByText('order_id').waitFor()
  await checkPage(page, 'payment-callback')
  assert.equal((await shop.callbacks(trans_id)).length, before + 1)
})

test('a callback whose merchant has a new address says where it is sent again', async () => {
  const { shop } = scene
  const merchant = await openAccount(shop)
  const { trans_id } = (await shop.sale({}, { merchant })).body
  await shop.service.awaitIdle()
  const id = await merchantId(shop, merchant)
  const { page, open } = support
  await open(`/merchants/${id}/payments/${trans_id}?tab=callbacks`)
  await page.getByRole('cell', { name: shop.receiver.url }).waitFor()
  await waitUntilLoaded(page)
  const hint = page.getByText('The merchant’s address is now')
  assert.equal(await hint.count(), 0)
  await shop.base.pool.query('update merchants set notification_url = $2 where id = $1', [
    id,
    'https://new.example.com/told',
  ])
  await shop.service.configuration.refresh()
  await open(`/merchants/${id}/payments/${trans_id}?tab=callbacks`)
  await page.reload()
  await hint.filter({ hasText: 'https://new.example.com/told' }).waitFor()
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole('button', { name: 'Resend to the current address' }).click()
  await page.getByText('is being sent again to https://new.example.com/told').waitFor()
})

test('rows are sorted by a column, and the chosen columns are remembered', async () => {
  const { page, open } = support
  await scene.shop.sale({ order_id: 'SORT-1', order_amount: '7.00' })
  await scene.shop.sale({ order_id: 'SORT-2', order_amount: '900.00' })
  await scene.shop.sale({ order_id: 'SORT-3', order_amount: '80.00' })
  await open('/payments?orderId=SORT-')
  const orders = () => page.getByRole('row').locator('td:first-child').allInnerTexts()
  await page.getByRole('row', { name: 'SORT-3' }).waitFor()
  assert.deepEqual(await orders(), ['SORT-3', 'SORT-2', 'SORT-1'])
  await page.getByRole('button', { name: 'Amount' }).click()
  assert.deepEqual(await orders(), ['SORT-2', 'SORT-3', 'SORT-1'])
  await page.getByRole('button', { name: 'Amount' }).click()
  assert.deepEqual(await orders(), ['SORT-1', 'SORT-3', 'SORT-2'])
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Refunded' }).click()
  await page.getByRole('button', { name: 'Merchant', exact: true }).first().click()
  await checkState(page, 'payments-columns')
  await page.reload()
  await page.getByRole('columnheader', { name: 'Refunded' }).waitFor()
  assert.equal(await page.getByRole('columnheader', { name: 'Merchant' }).count(), 0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Usual columns' }).click()
  await page.getByRole('columnheader', { name: 'Merchant' }).waitFor()
})

test('the heading of a sorted column says that only the rows shown are sorted', async () => {
  const { page, open } = support
  await Promise.all(Array.from({ length: 51 }, (_, count) => scene.shop.sale({ order_id: `PART-${count}` })))
  const head = page.getByRole('columnheader', { name: 'Amount' })
  await open('/payments?orderId=PART-')
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  assert.equal(await head.getAttribute('title'), null)
  await page.getByRole('button', { name: 'Amount' }).click()
  await head.getByText('of the rows shown').waitFor()
  assert.equal(await head.getAttribute('title'), 'Sorted among the 50 rows shown, not among all.')
  await checkState(page, 'payments-sorted')
  await page.getByRole('button', { name: 'Show more' }).click()
  await head.getByText('of the rows shown').waitFor({ state: 'detached' })
})

test('many callbacks are sent again, and those of a time range with progress', async () => {
  const { page, open } = support
  await open(`/callbacks?merchantId=${demo}&state=delivered`)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: /^Resend \d+$/ }).click()
  await page.getByText(/^\d+ of \d+ callbacks were queued again/).waitFor()
  await scene.shop.service.awaitIdle()
  await page.getByRole('button', { name: 'Resend a time range' }).click()
  await page.getByRole('dialog').getByLabel('State').selectOption('delivered')
  await page.getByLabel('Created from').fill('2020-01-01T00:00')
  await page.getByLabel('Created before').fill('2090-01-01T00:00')
  await checkState(page, 'callbacks-range')
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('status').filter({ hasText: 'callbacks were queued again.' }).first().waitFor()
  await waitUntilLoaded(page)
  await checkState(page, 'callbacks')
})

test('a blocked address is unblocked', async () => {
  const { pool, clock } = scene.shop.base
  const until = new Date(clock.now().getTime() + 3_600_000)
  const url = 'https://shop.example.com/notify'
  await pool.query('insert into callback_urls (url, blocked_until) values ($1, $2)', [url, until])
  const { page, open, client } = support
  await open('/callbacks?tab=blocked')
  await checkPage(page, 'callbacks-blocked')
  await page.getByRole('button', { name: 'Unblock' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click()
  await page.getByText('No blocked addresses.').waitFor()
  assert.deepEqual((await client.get('/blocked-addresses')).body.addresses, [])
})

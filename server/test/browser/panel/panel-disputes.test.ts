/** Disputes in the panel: answered by hand with a bundle, or sent to the acquirer. Chapter 70 §4. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openInquiry } from '#server/payments/commands/dispute-record.ts'
import { readZip } from '#server/setup/forms/zip.ts'
import { createMid } from '#server/setup/mids.ts'
import { operationDeps } from '../../operation-deps.ts'
import { decideDispute, merchantId, panelOf } from '../../panel/admin.ts'
import { copyPayments } from '../../panel/copied-payments.ts'
import { checkPage, checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'

let scene: PanelScene
let finance: Seat
let demo: string
before(async () => {
  scene = await panelScene()
  finance = await scene.seat({ role: 'finance' })
  demo = await merchantId(scene.shop, 'demo')
})
after(() => scene.close())

const longReason = '10.4 Other Fraud-Card Absent Environment'

/** Entered by a person, so that no acquirer has named it. */
async function enterDispute(reference: string): Promise<string> {
  const { body } = await scene.shop.sale({})
  const chargeback = { reference, amountMinor: '400', bankDate: '2026-03-01', reasonCode: longReason }
  const person = await panelOf(scene.shop, { role: 'finance' })
  const entered = await person.post(`/merchants/${demo}/payments/${body.trans_id}/chargeback`, chargeback)
  assert.equal(entered.http, 200, entered.text)
  return body.trans_id
}

async function orderOf(reference: string): Promise<string> {
  const { rows } = await scene.shop.base.pool.query<{ order: string }>(
    'select p.order_id as order from disputes d join payments p on p.id = d.payment_id where d.reference = $1',
    [reference],
  )
  return rows[0]?.order ?? ''
}

const proof = { name: 'proof.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 proof of delivery') }

test('a dispute without an API is contested by hand: evidence, its bundle, and the record of what was sent', async () => {
  const { page, open } = finance
  await open('/disputes')
  await page.getByText('No open disputes.').waitFor()
  await enterDispute('CB-HAND')
  await enterDispute('GXSV3RZG3EBMW2Z6:CHARGEBACK')
  await open('/disputes')
  const row = page.getByRole('row', { name: 'CB-HAND' })
  for (const words of ['Chargeback', 'Not answered']) await row.getByText(words, { exact: true }).waitFor()
  const orders = row.getByRole('link', { name: await orderOf('CB-HAND') })
  assert.match((await orders.getAttribute('href')) ?? '', /\/payments\//, 'the order leads to its payment')
  await row.getByRole('button', { name: 'Details' }).click()
  await page.getByText('does not accept answers by API. Download the bundle').waitFor()
  assert.deepEqual(await page.getByRole('dialog').getByLabel('Stage').locator('option').allInnerTexts(), [
    'Chargeback',
    'Pre-arbitration',
  ])
  await page.getByRole('button', { name: 'Contest', exact: true }).click()
  await page
    .getByRole('dialog', { name: /the dispute$/ })
    .getByRole('button', { name: 'Contest', exact: true })
    .click()
  await page.getByText('Add evidence before you contest the dispute.').waitFor()
  await checkState(page, 'dispute-contest')
  await page
    .getByRole('dialog', { name: /the dispute$/ })
    .getByRole('button', { name: 'Cancel' })
    .click()

  await page.getByLabel('File').setInputFiles({ ...proof, buffer: Buffer.from('no PDF') })
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await page.getByText('Evidence must be a PDF, PNG or JPEG file.').waitFor()
  await page.getByLabel('File').setInputFiles(proof)
  await page.getByLabel('Kind').selectOption('delivery')
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await page.getByText('proof.pdf (Proof of delivery or service)').waitFor()
  assert.equal(await page.getByLabel('File').inputValue(), '', 'a second click does not add the file again')
  await checkState(page, 'dispute-evidence')

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the bundle' }).click()
  const download = await saved
  assert.equal(download.suggestedFilename(), 'dispute-CB-HAND.zip')
  const bundle = readZip(await readFile(await download.path()), 1_000_000)
  assert.deepEqual(bundle.ok && bundle.entries.map(({ path }) => path), ['cover.pdf', '1-proof.pdf'])

  await page.getByRole('button', { name: 'Contest', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /the dispute$/ })
  await dialog.getByText('is marked as sent. Download the bundle').waitFor()
  await dialog.getByRole('button', { name: 'Contest', exact: true }).click()
  await page.getByText('Answer recorded.').waitFor()
  await page.getByRole('heading', { name: 'What was sent' }).waitFor()
  await page.getByText('by hand').waitFor()
  await row.getByText('Contested', { exact: true }).waitFor()
  await checkState(page, 'dispute-answered')
  await page.getByRole('button', { name: 'Withdraw the answer' }).click()
  await page.getByText('Answer withdrawn.').waitFor()

  await page.getByText('does not report whether the dispute is won or lost.').waitFor()
  await page.getByRole('button', { name: 'Record the decision' }).click()
  const decision = page.getByRole('dialog', { name: 'Record the decision' })
  await decision.getByLabel('Decision').selectOption('Won')
  await decision.getByRole('button', { name: 'Request approval' }).click()
  await decision.getByText('Enter a reason.').waitFor()
  await decision.getByLabel('Reason').fill('The acquirer decided for us')
  await decision.getByLabel('Evidence').fill('Letter of 2 March')
  await checkState(page, 'dispute-decision')
  await decision.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The decision is waiting for approval.').waitFor()
  await page.getByRole('link', { name: 'waiting for approval' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).first().click()
  await checkState(page, 'disputes')
})

test('rates of a month are shown per MID and network, watched or below the threshold, and other months are empty', async () => {
  const { page, open } = finance
  const disputed = await enterDispute('CB-RATE')
  await open('/disputes?tab=rates')
  await page.getByText('watch an account from about 0.9%').waitFor()
  const row = page.getByRole('row', { name: /sandbox-live/ })
  await row.getByText('Watched').waitFor()
  await checkPage(page, 'dispute-rates')
  await copyPayments(scene.shop.base.pool, disputed, 1000)
  await page.reload()
  await row.getByText('Below the threshold').waitFor()
  await page.getByLabel('Month that contains').fill('2019-05-01')
  await page.getByText('No disputes in this month.').waitFor()
  await checkState(page, 'dispute-rates-empty')

  await page.route('**/disputes/rates*', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await checkState(page, 'dispute-rates-error')
  await page.unroute('**/disputes/rates*')
})

test('people of one merchant see their disputes, and no rates', async () => {
  const seat = await scene.seat({ role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
  await seat.open('/disputes')
  await seat.page.getByRole('row', { name: /CB-RATE/ }).waitFor()
  assert.equal(await seat.page.getByRole('tab').count(), 0)
})

test('an answer to Stripe says where it goes, is sent later, and a person records what became of it', async () => {
  const { page, open } = finance
  const { base, service } = scene.shop
  const settings = { mode: 'live', name: 'stripe-away', connector: 'stripe', descriptor: 'EXAMPLE SHOP' } as const
  const credentials = { secret_key: 'sk_live_sample', webhook_secret: 'whsec_sample', base_url: 'http://127.0.0.1:9' }
  const { id: midId } = await createMid(base, settings, credentials)
  await service.configuration.refresh()
  await enterDispute('CB-SENT')
  await base.pool.query(`update disputes set mid_id = $1, case_reference = 'dp_1' where reference = 'CB-SENT'`, [midId])
  await open('/disputes')
  await page.getByRole('row', { name: 'CB-SENT' }).getByRole('button', { name: 'Details' }).click()
  await page.getByText('Your answer is sent to Stripe, with the evidence.').waitFor()
  const limits =
    'PDF, PNG or JPEG of up to 4.5 MB; 4.5 MB in all. One file of each kind. Up to 49 pages in all; count them'
  await page.getByText(limits).waitFor()
  await page.getByLabel('File').setInputFiles({ ...proof, buffer: Buffer.alloc(4_500_001) })
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await page.getByText('A file may have up to 4.5 MB. Make it smaller.').waitFor()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /the dispute$/ })
  await dialog.getByText('The acceptance is sent to Stripe. The amount stays with the payer').waitFor()
  await dialog.getByLabel('I will answer in the portal of Stripe').waitFor()
  await checkState(page, 'dispute-accept')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await page.getByText('The answer is being sent to Stripe.').waitFor()
  await page.getByText('to be sent').waitFor()
  await page.getByText('Stripe reports whether the dispute is won or lost').waitFor()
  await page.getByRole('button', { name: 'The report is missing' }).click()
  await page.getByText('Only if Stripe shows the dispute as decided').waitFor()
  await checkState(page, 'dispute-report-missing')
  await page
    .getByRole('dialog', { name: 'Record a decision without its report' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await base.pool.query(`update dispute_answers set state = 'unknown', next_at = null where way = 'acquirer'`)
  await open('/disputes')
  await page.getByRole('row', { name: 'CB-SENT' }).getByRole('button', { name: 'Details' }).click()
  await page.getByText('receipt unknown').waitFor()
  await checkState(page, 'dispute-unknown')
  await page.getByRole('button', { name: 'Received', exact: true }).click()
  await page.getByText('received', { exact: true }).waitFor()
})

test('disputes are listed by stage, and an auditor downloads evidence without changing it', async () => {
  const person = await panelOf(scene.shop, { role: 'finance' })
  const [held, lost] = [await enterDispute('CB-STAGE-OPEN'), await enterDispute('CB-STAGE-LOST')]
  const { disputes } = (await person.get('/disputes?limit=200')).body
  const idOf = (paymentId: string) => disputes.find((one: { paymentId: string }) => one.paymentId === paymentId).id
  const body = { name: 'proof.pdf', content: proof.buffer.toString('base64') }
  assert.equal((await person.post(`/merchants/${demo}/disputes/${idOf(held)}/files`, body)).http, 200)
  await decideDispute(`/merchants/${demo}/disputes/${idOf(lost)}`, 'lost', [person, await panelOf(scene.shop)])

  const { page, open } = await scene.seat({ role: 'auditor' })
  await open('/disputes')
  await page.getByRole('row', { name: 'CB-STAGE-OPEN' }).waitFor()
  assert.equal(await page.getByRole('row', { name: 'CB-STAGE-LOST' }).count(), 0)
  await page.getByLabel('Stage').selectOption('Lost')
  await page.getByRole('row', { name: 'CB-STAGE-LOST' }).waitFor()
  assert.equal(await page.getByRole('row', { name: 'CB-STAGE-OPEN' }).count(), 0)
  assert.equal(await page.getByLabel('Shown').count(), 0, 'a stage says itself whether it is open')
  await checkState(page, 'disputes-by-stage')
  await page.getByLabel('Stage').selectOption('Inquiry')
  await page.getByText('No disputes at this stage.').waitFor()

  await page.getByLabel('Stage').selectOption('Chargeback')
  await page.getByRole('row', { name: 'CB-STAGE-OPEN' }).getByRole('button', { name: 'Details' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download proof.pdf' }).click(),
  ])
  assert.deepEqual(await readFile(await file.path()), proof.buffer)
  await page.getByRole('button', { name: 'Download the bundle' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Remove|Add evidence/ }).count(), 0)
})

test('an inquiry is listed, says that no money was taken, and is answered before its chargeback', async () => {
  const { page, open } = finance
  const { base, service } = scene.shop
  const settings = { mode: 'live', name: 'stripe-asks', connector: 'stripe', descriptor: 'EXAMPLE SHOP' } as const
  const credentials = { secret_key: 'sk_live_sample', webhook_secret: 'whsec_sample', base_url: 'http://127.0.0.1:9' }
  const { id: midId } = await createMid(base, settings, credentials)
  await service.configuration.refresh()
  const { body } = await scene.shop.sale({})
  const deps = operationDeps(scene.shop)
  const payment = (await deps.payments.find(demo, body.trans_id)) ?? assert.fail('The payment is not there.')
  const inquiry = { chargeback: 'dp_asked', amountMinor: 400n, reasonCode: longReason }
  await openInquiry(deps, payment, midId, inquiry)
  await base.pool.query(`update disputes set case_reference = 'dp_asked' where reference = 'dp_asked'`)

  await open('/disputes')
  await page.getByLabel('Stage').selectOption('Inquiry')
  const row = page.getByRole('row', { name: 'dp_asked' })
  await row.getByText('Inquiry', { exact: true }).waitFor()
  assert.equal(await page.getByRole('row', { name: 'CB-HAND' }).count(), 0)
  await checkState(page, 'disputes-inquiry')
  await row.getByRole('button', { name: 'Details' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('None was taken').waitFor()
  await drawer.getByText('No money was taken. The chargeback, if it follows, continues this dispute.').waitFor()
  assert.deepEqual(await drawer.getByLabel('Stage').locator('option').allInnerTexts(), ['Inquiry', 'Won', 'Lost'])
  await drawer.getByText('Your answer is sent to Stripe, with the evidence.').waitFor()
  await checkState(page, 'dispute-inquiry')
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /the dispute$/ })
  await dialog
    .getByText('The acceptance is sent to Stripe. The chargeback may follow. This cannot be undone.')
    .waitFor()
  await dialog.getByText('A chargeback that follows is answered again.').waitFor()
  await checkState(page, 'dispute-inquiry-accept')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await drawer.getByLabel('Stage').selectOption('Won')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Dispute saved.').waitFor()
  const { rows } = await base.pool.query(
    'select status, charged_back_minor::int as taken from payments where id = $1',
    [body.trans_id],
  )
  assert.deepEqual(rows, [{ status: 'SETTLED', taken: 0 }])
})

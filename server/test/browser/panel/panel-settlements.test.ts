/** Settlements in the panel: days with the bank’s side, payouts, differences of the bank, and how one is resolved. Chapter 70 §3. */
import assert from 'node:assert/strict'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { noteProgress } from '#server/store/finance/running-imports.ts'
import { merchantId } from '../../panel/admin.ts'
import { checkPage, checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'

const dayMs = 86_400_000

let scene: PanelScene
let finance: Seat
let midId: string
before(async () => {
  scene = await panelScene()
  finance = await scene.seat({ role: 'finance' })
  const { rows } = await scene.shop.base.pool.query<{ id: string }>("select id from mids where name = 'sandbox-live'")
  midId = rows[0]?.id ?? ''
  await importFiles()
})
after(() => scene.close())

const dayIn = (days: number): string =>
  new Date(scene.shop.base.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A bank statement of one line. */
const statementOf = (ref: string, amount: string, text: string): string =>
  `<Document><BkToCstmrStmt><Stmt><Id>S</Id>
    <FrToDt><FrDtTm>${dayIn(-20)}T00:00:00</FrDtTm><ToDtTm>${dayIn(0)}T00:00:00</ToDtTm></FrToDt>
    <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>${dayIn(-8)}</Dt></BookgDt><AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>
    </Ntry></Stmt></BkToCstmrStmt></Document>`

/** Two payouts of the acquirer: the bank booked the first with a cent less, and not the second. */
async function importFiles(): Promise<void> {
  const { client, shop } = { ...finance, ...scene }
  const [first, second] = [await shop.sale({}), await shop.sale({})]
  const row = (ref: string, paymentId: string): string =>
    `${ref},charge,${paymentId},EUR,10.00,0.14,9.86,${dayIn(-11)},PAYOUT-${ref}`
  const rows = [row('R1', first.body.trans_id), row('R2', second.body.trans_id)]
  const file = ['row,type,payment_id,currency,gross,fee,net,date,payout', ...rows, 'end,2', ''].join('\n')
  const imported = await client.post('/settlements', { midId, name: 'march.csv', content: base64(file) })
  assert.equal(imported.body.result, 'imported', imported.text)
  const statement = statementOf('B1', '9.85', 'PAYOUT-R1')
  const bank = await client.post('/bank-statements', { name: 'bank.xml', content: base64(statement) })
  assert.deepEqual([bank.body.received, bank.body.differences], [1, 2], bank.text)
}

test('a day shows what the bank booked and what is outstanding, and leads to the payouts behind it', async () => {
  const { page, open } = finance
  await open(`/settlements?tab=days&midId=${midId}`)
  const row = page.getByRole('row').filter({ hasText: 'since' })
  await row.getByRole('cell', { name: '19.72 EUR' }).waitFor()
  await row.getByText('2 of 2').waitFor()
  await checkPage(page, 'settlements-days')
  await row.getByRole('link', { name: /since/ }).click()
  await page.getByRole('row', { name: /PAYOUT-R1 .*Differs/ }).waitFor()
  await page.getByRole('row', { name: /PAYOUT-R2 .*Overdue/ }).waitFor()
  await checkPage(page, 'settlements-bank')
})

test('Accounts has what the acquirer charged and the margin, now or of some days, and neither for users of the merchant', async () => {
  const demo = await merchantId(scene.shop, 'demo')
  const { page, open } = finance
  await open(`/price-lists?merchantId=${demo}&tab=accounts`)
  await page.getByRole('row', { name: /EUR .* 0\.28 EUR .*0\.28 EUR/ }).waitFor()
  await page.getByLabel('From').fill(dayIn(-20))
  await page.getByLabel('To').fill(dayIn(-12))
  await page.getByText('No postings on these days.').waitFor()
  await checkState(page, 'accounts-none')
  await page.getByLabel('To').fill(dayIn(0))
  await page.getByRole('row', { name: /^EUR 20\.00 EUR/ }).waitFor()
  await checkState(page, 'accounts-period')
  const staff = await scene.seat({ role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
  await staff.open('/price-lists?tab=accounts')
  await staff.page.getByRole('row', { name: /^EUR 20\.00 EUR/ }).waitFor()
  const titles = await staff.page.getByRole('columnheader').allTextContents()
  assert.deepEqual(titles, ['Currency', 'Payable', 'Reserve', 'Fees', 'Owed by acquirers', 'Paid out'])
})

test('a long period is shown in parts, also if the newest have no transactions', async () => {
  const { page, open } = finance
  await open(`/settlements?tab=days&midId=${midId}&from=${dayIn(-300)}&to=${dayIn(-120)}`)
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await page.getByText('No transactions in this period.').waitFor()
  assert.equal(await more.count(), 0)
})

test('the differences that are shown are exported as a file, and a file says how many of its rows matched', async () => {
  const { page, open } = finance
  await open('/settlements?reportedBy=bank')
  await page.getByRole('row', { name: /Not at the bank/ }).waitFor()
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  const file = await begun
  assert.match(file.suggestedFilename(), /^differences-\d{4}-\d{2}-\d{2}\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  assert.equal(lines.length, 3)
  assert.match(lines.join(), /bank-missing,open,EUR,9\.86,,/)
  await open('/settlements?tab=files')
  await page
    .getByRole('row', { name: /march\.csv/ })
    .getByRole('cell', { name: '2 (100%)' })
    .waitFor()
  await checkPage(page, 'settlements-files')
})

test('differences of the bank are listed beside the acquirer’s, and one is sent to a second person with the keyboard', async () => {
  const { page, open, client } = finance
  await open('/settlements?reportedBy=bank')
  await page.getByRole('row', { name: /Not at the bank/ }).waitFor()
  const row = page.getByRole('row', { name: /Different amount at the bank/ })
  await row.getByRole('cell', { name: '9.85 EUR' }).waitFor()
  await checkPage(page, 'settlements-differences')
  await row.getByRole('button', { name: 'Resolve' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Note').fill('A charge of the bank')
  await page.getByRole('checkbox', { name: 'Post the difference' }).focus()
  await page.keyboard.press('Space')
  await checkState(page, 'settlements-resolve')
  await page.getByRole('button', { name: 'Request approval' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The resolution is waiting for approval.').waitFor()
  await row.getByText('Waiting for approval requested by you').waitFor()
  assert.equal(await row.getByRole('button', { name: 'Resolve' }).count(), 0, 'it is not requested twice')
  assert.equal(await page.getByRole('button', { name: 'Resolve' }).count(), 1, 'the other one can be')
  await checkState(page, 'settlements-waiting')
  const { approvals } = (await client.get('/approvals')).body
  assert.equal(approvals[0].kind, 'difference')
  await row.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('button', { name: 'View' }).click()
  const drawer = page.getByRole('dialog', { name: 'Resolve a settlement difference' })
  await drawer.getByText('Different amount at the bank').waitFor()
  for (const text of ['9.86 EUR', '9.85 EUR', 'PAYOUT-R1', 'Posts the difference to the account of differences'])
    await drawer.getByText(text).waitFor()
  await checkState(page, 'approvals-difference')
})

test('if what a request is about cannot be loaded, its drawer says so and what to do', async () => {
  const { page, open } = finance
  const address = '**/admin/api/settlements/differences/*'
  const drawer = page.getByRole('dialog', { name: 'Resolve a settlement difference' })
  const fail = (status: number, code: string) =>
    page.route(address, (route) => route.fulfill({ status, json: { error: { code, message: 'No.' } } }), { times: 1 })
  await open('/approvals')
  await page.route(address, (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'View' }).click()
  await drawer.getByText('What this request is about could not be loaded. Reload before you decide.').waitFor()
  await checkState(page, 'approvals-not-loaded')
  await fail(404, 'not_found')
  await drawer.getByRole('button', { name: 'Reload' }).click()
  await drawer.getByText('The item was not found.').waitFor()
  await fail(403, 'forbidden')
  await drawer.getByRole('button', { name: 'Reload' }).click()
  await drawer.getByText('You do not have permission to see what this request is about.').waitFor()
  await drawer.getByRole('button', { name: 'Reload' }).click()
  await drawer.getByText('PAYOUT-R1').waitFor()
  assert.equal(await drawer.getByRole('alert').count(), 0)
})

test('a request about a difference that no first page lists shows it, and leads to its row, from where all are shown', async () => {
  const { page, open, client } = finance
  const { pool } = scene.shop.base
  const { request } = (await client.get('/approvals')).body.approvals[0]
  // Their ids are before those of all others.
  await pool.query(
    `insert into bank_differences (id, mid_id, day, kind, currency, booked_minor, line_ref, found_at)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, 'bank-unknown', 'EUR', 100, 'MANY-' || n, now()
     from generate_series(1, 120) n`,
    [request.midId, request.day],
  )
  try {
    await open('/approvals')
    await page.getByRole('button', { name: 'View' }).click()
    const drawer = page.getByRole('dialog', { name: 'Resolve a settlement difference' })
    await drawer.getByRole('link', { name: 'Different amount at the bank' }).click()
    await page.getByRole('row', { name: /Different amount at the bank/ }).waitFor()
    assert.equal(await page.getByRole('row').count(), 2, 'the head, and the difference')
    await checkState(page, 'settlements-difference')
    await page.getByLabel('Difference', { exact: true }).selectOption('')
    await page.getByRole('cell', { name: 'MANY-1', exact: true }).waitFor()
  } finally {
    await pool.query(`delete from bank_differences where line_ref like 'MANY-%'`)
  }
})

test('without a choice the days are those of the MID that the filter names, and differences lead to their list', async () => {
  const { page, open, client } = finance
  await open('/settlements?tab=days')
  const chosen = page.getByLabel('MID', { exact: true })
  const { mids } = (await client.get('/mids')).body
  assert.equal(await chosen.inputValue(), mids[0].id)
  assert.ok(!(await chosen.locator('option').allTextContents()).includes('Any'))
  await chosen.selectOption(midId)
  await page.getByRole('row').filter({ hasText: 'since' }).getByRole('link', { name: /^\d+$/ }).click()
  await page.getByRole('row', { name: /Not at the bank/ }).waitFor()
  assert.equal(await page.getByLabel('MID', { exact: true }).inputValue(), midId)
})

test('a day of which the acquirer sent no rows has no green zero of differences', async () => {
  const { page, open } = finance
  await scene.shop.sale({}, { merchant: 'demo-no-moto' })
  const { rows } = await scene.shop.base.pool.query<{ id: string }>(
    "select id from mids where name = 'sandbox-no-moto-live'",
  )
  await open(`/settlements?tab=days&midId=${rows[0]?.id}`)
  await page.getByRole('cell', { name: '0 of 1' }).waitFor()
  await page.getByRole('cell', { name: 'No rows of the acquirer' }).waitFor()
})

test('an imported file says what it brought, and its open differences are listed from the list of files', async () => {
  const { page, open } = finance
  await open('/settlements')
  await page.getByRole('button', { name: 'Import file' }).click()
  await page.getByRole('dialog').getByLabel('MID', { exact: true }).selectOption(midId)
  const row = `R9,charge,${crypto.randomUUID()},EUR,5.00,0.10,4.90,${dayIn(0)},`
  const file = ['row,type,payment_id,currency,gross,fee,net,date,payout', row, 'end,1', ''].join('\n')
  const buffer = Buffer.from(file)
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name: 'april.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('File imported. Rows: 1, matched: 0, open differences: 1.').waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Close')
  await checkState(page, 'settlements-imported')
  const link = page.getByRole('link', { name: 'Show differences' })
  const [text, place] = [await page.getByText('File imported.').boundingBox(), await link.boundingBox()]
  assert.ok(text && place && place.y >= text.y + text.height, 'the link is below the sentence, not squeezed beside it')
  await link.click()
  await page.getByRole('row', { name: /Not in our record/ }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'the list is not behind the dialog')
  await page.getByRole('tab', { name: 'Files' }).click()
  await page
    .getByRole('row', { name: /april\.csv/ })
    .getByRole('link', { name: '1' })
    .click()
  await page.getByLabel('File').waitFor()
  await page.getByRole('row', { name: /Not in our record/ }).waitFor()
  assert.equal(await page.getByRole('row').count(), 2, 'the head, and the difference of the file')
})

test('the dashboard names open differences in words, and says how old the acquirer’s record is, by the user’s locale', async () => {
  const { page, open, client, shop } = { ...finance, ...scene }
  const { body } = await shop.sale({})
  const row = `R5,charge,${body.trans_id},EUR,9.99,0.14,9.85,${dayIn(0)},`
  const file = ['row,type,payment_id,currency,gross,fee,net,date,payout', row, 'end,1', ''].join('\n')
  const imported = await client.post('/settlements', { midId, name: 'may.csv', content: base64(file) })
  assert.equal(imported.body.file.openDifferences, 1, imported.text)
  await open('/')
  const light = page.getByRole('listitem').filter({ hasText: 'the acquirers’ settlement files with our transactions' })
  await light.getByText(/, as of \d{1,2} \w{3} \d{4}, \d\d:\d\d/).waitFor()
  await light.getByText(/: Different amount, \d{1,2} \w{3} \d{4}$/).waitFor()
})

test('a bank statement is imported where its differences are shown; then the dialog has the result, and can only be closed', async () => {
  const { page, open } = finance
  await open(`/settlements?tab=bank&midId=${midId}`)
  await page.getByRole('button', { name: 'Import bank statement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import bank statement' })
  const buffer = Buffer.from(statementOf('B2', '9.86', 'PAYOUT-R2'))
  await dialog.locator('input[type=file]').setInputFiles({ name: 'bank.xml', mimeType: 'text/xml', buffer })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByText('Lines: 1, known before: 0. Payouts marked paid: 0. Sums of acquirers: 1.').waitFor()
  const actions = dialog.locator('.dialog-body').getByRole('button')
  assert.deepEqual(await actions.allTextContents(), ['Close'])
  assert.equal(await dialog.getByLabel('File').count(), 0, 'there is nothing more to choose')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Close')
  await checkState(page, 'settlements-bank-imported')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /PAYOUT-R2 .*Matches/ }).waitFor()
  assert.equal(await dialog.count(), 0)
})

test('while a large file is uploaded its progress is shown; cancelled or cut it imports nothing, and it can be sent again', async () => {
  const { page, open, shop } = { ...finance, ...scene }
  const count = async (): Promise<number> =>
    (await shop.base.pool.query('select count(*)::int as files from settlement_files')).rows[0].files
  const before = await count()
  const rows = Array.from(
    { length: 300_000 },
    (_, index) => `BIG-${index},fee,,EUR,0.00,0.01,-0.01,${dayIn(0)},${'P'.repeat(60)}`,
  )
  const path = join(shop.base.config.dataDir, 'large.csv')
  await writeFile(
    path,
    ['row,type,payment_id,currency,gross,fee,net,date,payout', ...rows, 'end,300000', ''].join('\n'),
  )
  await open('/settlements')
  const begin = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Import file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import settlement file' })
    await dialog.getByLabel('MID', { exact: true }).selectOption(midId)
    await dialog.locator('input[type=file]').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  }
  await begin()
  const dialog = page.getByRole('dialog', { name: 'Import settlement file' })
  await dialog.getByText(/^[1-9]\d* of \d+ MB$/).waitFor()
  await dialog.getByText(/rows read/).waitFor()
  await checkState(page, 'settlements-uploading')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await shop.service.awaitIdle()
  assert.equal(await count(), before)
  await begin()
  await dialog.getByText(/rows read/).waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await count(), before, 'a closed dialog cancels, too')
  await open('/')
  await page.getByRole('link', { name: 'Settlements' }).click()
  await begin()
  await dialog.getByText(/rows read/).waitFor()
  await page.goBack()
  const running = async (): Promise<number> => (await finance.client.get('/settlements/imports')).body.imports.length
  for (let tries = 0; tries < 50 && (await running()) > 0; tries += 1) await page.waitForTimeout(100)
  assert.deepEqual([await running(), await count()], [0, before], 'so does leaving the page')
})

test('a file that a proxy refuses for its size is not to be sent again, and a file chooser that is cancelled leaves the dialog open', async () => {
  const { page, open } = finance
  await open('/settlements')
  await page.getByRole('button', { name: 'Import file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import settlement file' })
  await dialog.getByLabel('MID', { exact: true }).selectOption(midId)
  await dialog.getByLabel('MID at the acquirer').fill('ours-1')
  const input = dialog.locator('input[type=file]')
  // As browsers say it.
  await input.dispatchEvent('cancel', {}, { timeout: 5000 })
  assert.equal(await dialog.getByLabel('MID at the acquirer').inputValue(), 'ours-1')
  await input.setInputFiles({ name: 'june.csv', mimeType: 'text/csv', buffer: Buffer.from('row') })
  const refusal = { status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' }
  await page.route('**/admin/api/settlements/upload?*', (route) => route.fulfill(refusal), { times: 1 })
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByText('A proxy in front of the panel refuses files of this size.').waitFor()
  await checkState(page, 'settlements-proxy-refuses')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('an import that waits says so; its dialog cancels only it, and the one of somebody else is cancelled after a question', async () => {
  const { page, open, shop } = { ...finance, ...scene }
  const path = join(shop.base.config.dataDir, 'small.csv')
  const fee = `WAITS-1,fee,,EUR,0.00,0.01,-0.01,${dayIn(0)}`
  await writeFile(path, ['row,type,payment_id,currency,gross,fee,net,date', fee, 'end,1', ''].join('\n'))
  // As an import on the command line, which has read some rows.
  const other = await shop.base.pool.connect()
  other.on('error', () => undefined)
  try {
    await other.query('begin')
    await other.query(`select pg_advisory_xact_lock(hashtextextended('settlement ' || $1, 0))`, [midId])
    await noteProgress(other, { importId: crypto.randomUUID(), midId, phase: 'reading', rows: 120_000 })
    await open('/settlements')
    await page.getByRole('button', { name: 'Import file' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import settlement file' })
    await dialog.getByLabel('MID', { exact: true }).selectOption(midId)
    await dialog.locator('input[type=file]').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('This file: Waits for another import of this MID.').waitFor()
    await dialog.getByText('A file of sandbox-live: 120,000 rows read so far.').waitFor()
    await checkState(page, 'settlements-import-waits')
    await dialog.getByRole('button', { name: 'Cancel import' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Cancel import' })
    await confirmation.getByText('was started in another window or on the command line').waitFor()
    assert.equal(await page.locator('form form').count(), 0)
    await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText('A file of sandbox-live: 120,000 rows read so far.').waitFor()
    await page.getByText('Waits for another import').waitFor({ state: 'detached' })
    const gone = new Promise((resolve) => other.once('end', resolve))
    await page.getByRole('button', { name: 'Cancel import' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel import' })
    await checkState(page, 'settlements-cancel-import')
    await question.getByRole('button', { name: 'Cancel import' }).click()
    await gone
    await page.getByText('rows read so far').waitFor({ state: 'detached' })
  } finally {
    other.release(true)
  }
})

test('a file that is too large for the panel is not sent, and the dialog says what to do instead', async () => {
  const { page, open, shop } = { ...finance, ...scene }
  await open('/settlements')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  const path = join(shop.base.config.dataDir, 'year.txt')
  await writeFile(path, '')
  const choose = async (button: string, size: number): Promise<void> => {
    await truncate(path, size)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(path)
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  }
  await choose('Import file', 1_000_000_001)
  await page.getByText('The file is larger than 1 GB. Ask the acquirer for files of shorter periods.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await choose('Import bank statement', 24_000_001)
  await page.getByText('The file is larger than 24 MB. Get statements of shorter periods from the bank.').waitFor()
  assert.deepEqual(sent, [])
})

test('a difference says what its money is for, and which way it goes: in the list, in the dialog, and to who approves', async () => {
  const { page, open, client } = finance
  const demo = await merchantId(scene.shop, 'demo')
  const { trans_id: paymentId } = (await scene.shop.sale({ order_id: 'refunded-less' })).body
  const wish = { amountMinor: '400', reason: 'returned' }
  assert.equal((await client.post(`/merchants/${demo}/payments/${paymentId}/refund`, wish)).http, 200)
  const row = `RF1,refund,${paymentId},EUR,-3.00,0,-3.00,${dayIn(0)}`
  const file = ['row,type,payment_id,currency,gross,fee,net,date', row, 'end,1', ''].join('\n')
  const imported = await client.post('/settlements', { midId, name: 'refund.csv', content: base64(file) })
  await open(`/settlements?fileId=${imported.body.file.id}`)
  const line = page.getByRole('row', { name: /RF1/ })
  for (const name of ['Refund -4.00 EUR', 'Refund -3.00 EUR']) await line.getByRole('cell', { name }).waitFor()
  await checkPage(page, 'settlements-refund')
  await line.getByRole('button', { name: 'Resolve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve difference' })
  for (const text of ['Refund -4.00 EUR', 'Refund -3.00 EUR']) await dialog.getByText(text).waitFor()
  await checkState(page, 'settlements-resolve-refund')
  await dialog.getByLabel('Note').fill('A fee of the acquirer')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The resolution is waiting for approval.').waitFor()
  await open('/approvals?state=waiting')
  await page.getByRole('button', { name: 'View' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Resolve a settlement difference' })
  for (const text of ['Refund -4.00 EUR', 'Refund -3.00 EUR']) await drawer.getByText(text).waitFor()
  const { approvals } = (await client.get('/approvals')).body
  await client.post(`/approvals/${approvals[0].id}/withdraw`)
  // The next request is announced in the same words.
  await page.reload()
})

test('a chargeback that only the file has is sent to a second person, who reads what the approval does', async () => {
  const { page, open, client } = finance
  const sale = await scene.shop.sale({})
  const row = `CB1,chargeback,${sale.body.trans_id},CASE-1,EUR,-10.00,0,-10.00,${dayIn(0)}`
  const other = `CB2,charge,${crypto.randomUUID()},,EUR,10.00,0,10.00,${dayIn(0)}`
  const file = ['row,type,payment_id,reference,currency,gross,fee,net,date', row, other, 'end,2', ''].join('\n')
  const imported = await client.post('/settlements', { midId, name: 'may.csv', content: base64(file) })
  assert.equal(imported.body.result, 'imported', imported.text)
  await open(`/settlements?fileId=${imported.body.file.id}`)
  await page.getByRole('row', { name: /CB2/ }).getByRole('button', { name: 'Resolve' }).click()
  await page.getByRole('checkbox', { name: 'Post the difference' }).waitFor()
  assert.equal(await page.getByRole('checkbox', { name: 'Record chargeback' }).count(), 0, 'it is a charge')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('row', { name: /CB1/ }).getByRole('button', { name: 'Resolve' }).click()
  await page.getByLabel('Note').fill('Seen in the statement')
  await page.getByRole('checkbox', { name: 'Record chargeback' }).check()
  assert.equal(await page.getByRole('checkbox', { name: 'Post the difference' }).count(), 0, 'one or the other')
  await page.getByLabel('Reason code').fill('1212 Fraud')
  await checkState(page, 'settlements-record-chargeback')
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The resolution is waiting for approval.').waitFor()
  const { approvals } = (await client.get('/approvals')).body
  assert.deepEqual(approvals[0].request.chargeback, { reasonCode: '1212 Fraud' })
  await open('/approvals?state=waiting')
  await page.getByRole('button', { name: 'View' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Resolve a settlement difference' })
  await drawer.getByText(/Records the chargeback: .*\(reason 1212 Fraud\)/).waitFor()

  // As a process leaves it that dies after the decision.
  const colleague = await scene.seat({ role: 'finance' })
  await scene.shop.base.pool.query(
    `update approvals set state = 'approved', decided_by = $2, decided_at = $3 where id = $1`,
    [approvals[0].id, colleague.person.id, new Date(scene.shop.base.clock.now().getTime() - 120_000)],
  )
  await colleague.open('/approvals?state=approved')
  await colleague.page.getByRole('table').getByText('Not completed', { exact: true }).waitFor()
  await colleague.page.getByRole('button', { name: 'View' }).click()
  await colleague.page.getByText('Approved but not completed').waitFor()
  await checkState(colleague.page, 'approvals-left')
  await colleague.page.getByRole('button', { name: 'Carry out' }).click()
  await colleague.page
    .getByRole('dialog', { name: 'Carry out request?' })
    .getByRole('button', { name: 'Carry out' })
    .click()
  await colleague.page.getByText('The request is done.').waitFor()
})

/**
 * A working day of finance in the panel, with a second person beside it: a day is reconciled, unknown outcomes are decided, a merchant is
 * paid out. Nothing needs the command line. Chapter 70 §1 and §3.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { merchantId } from '../../panel/admin.ts'
import { checkPage, checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'
import { approveAs, dialogOf } from '../../panel/second-person.ts'
import { expiryFields, statusOf } from '../../payments.ts'

const dayMs = 86_400_000
const ourIban = 'DE89370400440532013000'
/** As its bank prints it, and as the panel shows it. */
const merchantsIban = 'FR14 2004 1010 0505 0001 3M02 606'

let scene: PanelScene
let finance: Seat
let colleague: Seat
let midId: string
let shopId: string
before(async () => {
  scene = await panelScene()
  finance = await scene.seat({ role: 'finance' })
  colleague = await scene.seat({ role: 'finance' })
  const { rows } = await scene.shop.base.pool.query<{ id: string }>("select id from mids where name = 'sandbox-live'")
  midId = rows[0]?.id ?? ''
  shopId = await merchantId(scene.shop, 'demo-no-moto')
})
after(() => scene.close())

const dayIn = (days: number): string =>
  new Date(scene.shop.base.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)

const approve = (title: string, texts: readonly (string | RegExp)[], name: string): Promise<void> =>
  approveAs(colleague, { title, texts: [...texts, finance.person.name], name })

async function downloaded(page: Page, button: string): Promise<{ readonly name: string; readonly text: string }> {
  const begun = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const download = await begun
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'latin1') }
}

test('a day with a wrong amount is reconciled to the end: imported, resolved by two people, paid by the bank, clean', async () => {
  const { page, open, shop } = { ...finance, ...scene }
  const [short, whole] = [await shop.sale({}), await shop.sale({})]
  const day = dayIn(0)
  const rows = [
    `R1,charge,${short.body.trans_id},EUR,9.99,0.14,9.85,${day},PAYOUT-1`,
    `R2,charge,${whole.body.trans_id},EUR,10.00,0.14,9.86,${day},PAYOUT-1`,
  ]
  const file = ['row,type,payment_id,currency,gross,fee,net,date,payout', ...rows, 'end,2', ''].join('\n')
  await open('/settlements')
  await page.getByRole('button', { name: 'Import file' }).click()
  const dialog = dialogOf(page, 'Import settlement file')
  await dialog.getByLabel('MID', { exact: true }).selectOption(midId)
  const chosen = { name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
  await dialog.locator('input[type=file]').setInputFiles(chosen)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByRole('link', { name: 'Show differences' }).click()
  await page
    .getByRole('row', { name: /Different amount/ })
    .getByRole('button', { name: 'Resolve' })
    .click()
  const facts = dialogOf(page, 'Resolve difference')
  const { rows: order } = await shop.base.pool.query<{ order_id: string }>(
    'select order_id from payments where id = $1',
    [short.body.trans_id],
  )
  await facts.locator('dt', { hasText: /^Payment$/ }).waitFor()
  for (const text of ['Different amount', order[0]?.order_id ?? '', '10.00 EUR', '9.99 EUR', 'R1'])
    await facts.getByText(text, { exact: true }).waitFor()
  await page.getByLabel('Note').fill('A cent of rounding, confirmed by the acquirer')
  await page.getByRole('checkbox', { name: 'Post the difference' }).check()
  await page.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The resolution is waiting for approval.').waitFor()

  await approve(
    'Resolve a settlement difference',
    ['Different amount', '10.00 EUR', '9.99 EUR', 'A cent of rounding, confirmed by the acquirer'],
    'finance-difference',
  )
  const bank = `<Document><BkToCstmrStmt><Stmt><Id>S</Id>
    <FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt>
    <Acct><Id><IBAN>${ourIban}</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">19.71</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>B1</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>PAYOUT-1</Ustrd></RmtInf></TxDtls></NtryDtls>
    </Ntry></Stmt></BkToCstmrStmt></Document>`
  await page.getByRole('button', { name: 'Import bank statement' }).click()
  const bankDialog = dialogOf(page, 'Import bank statement')
  const statement = { name: 'bank.xml', mimeType: 'text/xml', buffer: Buffer.from(bank) }
  await bankDialog.locator('input[type=file]').setInputFiles(statement)
  await bankDialog.getByRole('button', { name: 'Import', exact: true }).click()
  await bankDialog.getByText('Sums of acquirers: 1.').waitFor()
  await bankDialog.locator('.dialog-body').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('tab', { name: 'Days' }).click()
  await page.getByLabel('MID', { exact: true }).selectOption(midId)
  const row = page.getByRole('row', { name: /20\.00 EUR 19\.99 EUR .* 2 of 2 19\.71 EUR .*0$/ })
  await row.waitFor()
  await row.locator('td.whole').getByRole('time').waitFor()
  assert.equal(await row.getByRole('link').count(), 0, 'nothing is left to look at')
  await checkState(page, 'finance-day-clean')
  const { rows: booked } = await shop.base.pool.query(
    `select from_account || ' -> ' || to_account || ' ' || amount_minor as posting from book_entries where source like 'difference %'`,
  )
  assert.deepEqual(booked, [{ posting: 'acquirer -> differences 1' }])
})

/** A payment about which the acquirer is asked no more. */
async function unresolvedSale(order: string): Promise<string> {
  const { body } = await scene.shop.sale({ order_id: order, ...expiryFields('08/2039') })
  return body.trans_id
}

test('unknown outcomes are decided with a second person, each way, and money that is owed is recorded as given back', async () => {
  const { page, open, shop } = { ...finance, ...scene }
  const [executed, failed] = [await unresolvedSale('EXECUTED'), await unresolvedSale('FAILED')]
  const owed = (await shop.sale({ order_id: 'OWED', ...expiryFields('02/2038') })).body.trans_id
  for (const seconds of [5, 30, 120, 600, 3_600, 21_600, 86_400]) await shop.advance(seconds * 1000)
  await shop.base.pool.query(
    `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at)
     values ($1, 'give-back', $2, $3, 'Refund it manually at the acquirer.', now())`,
    [shop.base.ids.next(), await merchantId(shop, 'demo'), owed],
  )
  await open(`/merchants/${await merchantId(shop, 'demo')}/payments/${executed}`)
  await page.getByText('The outcome is unknown, and the acquirer is no longer queried.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Unresolved' }).click()
  await page.getByRole('row', { name: 'EXECUTED' }).getByRole('button', { name: 'Decide' }).click()
  const dialog = dialogOf(page, 'Decide outcome')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  for (const text of ['Enter the acquirer’s reference.', 'Enter the date at the acquirer.', 'Enter a reason.'])
    await dialog.getByText(text).waitFor()
  await dialog.getByLabel('Acquirer’s reference').and(page.locator(':focus')).waitFor()
  await checkState(page, 'finance-decide')
  await dialog.getByLabel('Acquirer’s reference').fill('ACQ-77')
  await dialog.getByLabel('Date at the acquirer').fill(dayIn(-1))
  await dialog.getByLabel('Reason').fill('The acquirer answered by mail')
  await dialog.getByLabel('Evidence').fill('Ticket 4711')
  await dialog.getByLabel('Amount in EUR').fill('9.00')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await dialog.getByText('The acquirer executed less than 10.00 EUR.').waitFor()
  await dialog.getByLabel('Amount in EUR').fill('10.00')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The decision is waiting for approval.').waitFor()
  await page.getByRole('row', { name: 'EXECUTED' }).getByText('Waiting for approval').waitFor()
  assert.equal(await statusOf(shop, executed), 'PREPARE')
  await approve(
    'Decide an unknown outcome',
    ['EXECUTED', 'It was executed', 'ACQ-77', '10.00 EUR', 'Ticket 4711'],
    'finance-outcome',
  )
  assert.equal(await statusOf(shop, executed), 'SETTLED')
  assert.deepEqual(await shop.postings(executed), ['payer -> settled 1000'])

  await page.getByRole('row', { name: 'FAILED' }).getByRole('button', { name: 'Decide' }).click()
  await dialog.getByLabel('Decision').selectOption({ label: 'It was not executed' })
  assert.equal(await dialog.getByLabel('Amount in EUR').count(), 0)
  await dialog.getByLabel('Reason').fill('The acquirer knows no such transaction')
  await dialog.getByLabel('Evidence').fill('Ticket 4712')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await page.getByRole('row', { name: 'FAILED' }).getByText('Waiting for approval').waitFor()
  await approve('Decide an unknown outcome', ['FAILED', 'It was not executed', 'Ticket 4712'], 'finance-not-executed')
  assert.equal(await statusOf(shop, failed), 'DECLINED')
  assert.deepEqual(await shop.postings(failed), [])

  await page.getByRole('button', { name: 'Record return' }).click()
  const record = dialogOf(page, 'Record return')
  await record.getByLabel('Acquirer’s reference').fill('R-1')
  await record.getByLabel('Date at the acquirer').fill(dayIn(0))
  await record.getByLabel('Reason').fill('Charged after we had declined')
  await record.getByLabel('Evidence').fill('Line 7 of the report')
  await checkState(page, 'finance-return')
  await record.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('The record is waiting for approval.').waitFor()
  await checkState(page, 'finance-unresolved')
  await approve('Record a manual refund', ['OWED', 'R-1', '10.00 EUR', 'Line 7 of the report'], 'finance-given-back')
  await open('/unresolved')
  await page.getByText('No unresolved transactions.').waitFor()
  assert.equal(await page.getByText('Manual refunds due').count(), 0)
  await open(`/merchants/${await merchantId(shop, 'demo')}/payments/${owed}`)
  await page.getByText('R-1').first().waitFor()
})

test('a merchant is paid out: prices, bank account, correction, statement, run, file, paid, all to the cent', async () => {
  const { page, open, client, shop } = { ...finance, ...scene }
  await open(`/price-lists?merchantId=${shopId}`)
  await page.getByRole('button', { name: 'Add price list' }).click()
  const prices = dialogOf(page, 'Add price list')
  await prices.getByLabel('First day').fill(dayIn(0))
  await prices.getByLabel('Merchant’s country').fill('de')
  await prices.getByLabel('Fixed fee').fill('0.25')
  await prices.getByLabel('Per cent', { exact: true }).fill('1.25')
  await prices.getByRole('button', { name: 'Add', exact: true }).click()
  await prices.getByText('Rule 1: enter the currency of its amounts.').waitFor()
  await prices.getByRole('group', { name: 'Rule 1' }).getByLabel('Currency').fill('EUR')
  await prices.getByLabel('Per cent of sales').fill('5')
  await prices.getByLabel('Days').fill('7')
  await checkState(page, 'finance-price-list')
  await prices.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Price list added.').waitFor()
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByText(/sale, EUR: 0\.25 EUR \+ 1\.25/).waitFor()
  await checkState(page, 'finance-price-list-details')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Copy' }).click()
  const rule = prices.getByRole('group', { name: 'Rule 1' })
  assert.equal(await rule.getByLabel('sale', { exact: true }).isChecked(), true)
  assert.equal(await rule.getByLabel('Per cent', { exact: true }).inputValue(), '1.25')
  await rule.getByLabel('refund', { exact: true }).check()
  await prices.getByRole('button', { name: 'Add monthly fee' }).click()
  await prices.getByRole('group', { name: 'Monthly fee 1' }).getByLabel('Amount').fill('10')
  await prices.getByRole('group', { name: 'Monthly fee 2' }).getByLabel('Amount').fill('20')
  await prices.getByRole('group', { name: 'Monthly fee 2' }).getByLabel('Currency').fill('EUR')
  await prices.getByLabel('First day').fill(dayIn(400))
  await prices.getByLabel('Last day').fill(dayIn(399))
  await prices.getByRole('button', { name: 'Add', exact: true }).click()
  await prices.getByText('Enter one monthly fee in EUR.').waitFor()
  await prices.getByText('Enter a day that is not before the first one.').waitFor()
  await checkPage(page, 'finance-price-list-copy')
  await prices.getByRole('group', { name: 'Monthly fee 2' }).getByLabel('Currency').fill('USD')
  await prices.getByLabel('Last day').fill(dayIn(410))
  await prices.getByRole('button', { name: 'Add', exact: true }).click()
  await prices.locator('.error, [role=alert]').first().waitFor()
  await page.keyboard.press('Escape')
  // The list in force has no end yet, so another one cannot follow.
  const before = await client.get(`/merchants/${shopId}/price-lists`)
  assert.equal(before.body.lists.length, 1)
  await client.send('PUT', `/merchants/${shopId}/price-lists/${before.body.lists[0].id}`, { validTo: dayIn(399) })
  await page.getByRole('button', { name: 'Copy' }).click()
  await rule.getByLabel('refund', { exact: true }).check()
  await prices.getByLabel('First day').fill(dayIn(400))
  await prices.getByLabel('Last day').fill(dayIn(410))
  await prices.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Price list added.').last().waitFor()
  const { lists } = (await client.get(`/merchants/${shopId}/price-lists`)).body
  const copy = lists.find(({ validTo }: { validTo: string }) => validTo === dayIn(410))
  assert.deepEqual([lists.length, copy.rules[0].kinds, copy.reserve.days], [2, ['sale', 'refund'], 7])
  await shop.service.configuration.refresh()
  const { body } = await shop.sale({ order_amount: '80.00' }, { merchant: 'demo-no-moto' })
  assert.equal(body.result, 'SUCCESS')

  await page.getByRole('tab', { name: 'Bank accounts' }).click()
  await page.getByRole('button', { name: 'Change bank account' }).click()
  const account = dialogOf(page, 'Bank account')
  await account.getByLabel('Holder').fill('Ψαρράς ΑΕ')
  await account.getByLabel('IBAN or account number').fill(merchantsIban.replace('M', 'N'))
  await account.getByLabel('Reason').fill('By signed letter')
  await account.getByRole('button', { name: 'Request approval' }).click()
  await account.locator('.field.wrong .error').waitFor()
  await checkState(page, 'finance-bank-account')
  await account.getByLabel('IBAN or account number').fill(merchantsIban)
  await account.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('Change requested.').waitFor()
  await approve(
    'Change a merchant’s bank account',
    ['Ψαρράς ΑΕ', 'Written for the bank: Psarras AE', merchantsIban],
    'finance-bank-account-asked',
  )

  await page.getByRole('tab', { name: 'Accounts', exact: true }).click()
  await page.getByRole('row', { name: 'EUR' }).getByRole('button', { name: 'Correct' }).click()
  const correction = dialogOf(page, 'Correct the account in EUR')
  await correction.getByLabel('Direction').selectOption({ label: 'The merchant gets less' })
  await correction.getByLabel('Amount in EUR').fill('1.50')
  await correction.getByLabel('Reason').fill('A terminal was rented')
  await checkState(page, 'finance-correct')
  await correction.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('A second person approves the correction').waitFor()
  await approve('Correct what a merchant is owed', ['The merchant gets less', /1\.50 EUR/], 'finance-correction')
  const lastDay = dayIn(0)
  await shop.advance(dayMs + 3_600_000)

  await open('/statements')
  await page.getByRole('button', { name: 'Close period' }).click()
  const period = dialogOf(page, 'Close period')
  await period.getByLabel('Last day').fill(dayIn(0))
  await period.getByLabel('Merchant').selectOption(shopId)
  await period.getByRole('button', { name: 'Close period' }).click()
  await period.locator('.field.wrong .error').waitFor()
  await checkState(page, 'finance-close-period')
  await period.getByLabel('Last day').fill(lastDay)
  await period.getByRole('button', { name: 'Close period' }).click()
  await page.getByText('Statements closed: 1.').waitFor()
  await page.getByRole('button', { name: 'Details' }).click()
  await checkState(page, 'finance-statement')
  // 80.00 − 1.25 of fees − 4.00 kept in reserve − 1.50.
  const closing = page.locator('.key-values > div', { hasText: 'Closing balance' })
  assert.match(await closing.innerText(), /73\.25 EUR/)
  const [pdf, csv] = [await downloaded(page, 'Download PDF'), await downloaded(page, 'Download CSV')]
  assert.equal(pdf.text.slice(0, 5), '%PDF-')
  assert.match(csv.text, /73\.25/)
  await page.keyboard.press('Escape')

  await open('/payout-runs')
  await page.getByRole('button', { name: 'Prepare run' }).click()
  const run = dialogOf(page, 'Prepare payout run')
  await run.getByText('Selected: 1 of 1 merchants, 73.25 EUR').waitFor()
  await run.getByText(merchantsIban).waitFor()
  const box = run.getByRole('checkbox', { name: /^Pay / })
  await box.uncheck()
  await run.getByText('Selected: 0 of 1 merchants, 0.00 EUR').waitFor()
  await run.getByRole('button', { name: 'Request approval' }).click()
  await run.getByText('Select at least one merchant.').waitFor()
  const choice = run.getByRole('group', { name: 'Merchants to pay', description: 'Select at least one merchant.' })
  await choice.and(run.locator(':focus')).waitFor()
  await box.check()
  await run.getByLabel('Execution date').fill(dayIn(0))
  assert.equal(await run.getByLabel('Holder of your account').inputValue(), '', 'there was no run yet')
  await run.getByLabel('Holder of your account').fill('Operator')
  await run.getByLabel('Your IBAN or account number').fill('DE00')
  await run.getByLabel('Reason').fill('Weekly payout')
  await run.getByRole('button', { name: 'Request approval' }).click()
  await run.locator('.field.wrong .error').waitFor()
  await checkState(page, 'finance-prepare')
  await run.getByLabel('Your IBAN or account number').fill(ourIban)
  await run.getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('Run prepared.').waitFor()
  await page.getByRole('row', { name: '73.25 EUR' }).getByRole('button', { name: 'Details' }).click()
  const drawer = dialogOf(page, 'Payout run')
  await drawer.getByText(merchantsIban).waitFor()
  assert.equal(
    await drawer.getByRole('button', { name: 'Download file for the bank' }).count(),
    0,
    'before it is approved',
  )
  await checkState(page, 'finance-run-waiting')
  await page.keyboard.press('Escape')
  await approve(
    'Payout run',
    ['73.25 EUR', 'Ψαρράς ΑΕ', 'Written for the bank: Psarras AE', merchantsIban, '—'],
    'finance-run-asked',
  )

  await open('/payout-runs')
  await page.getByRole('row', { name: '73.25 EUR' }).getByRole('button', { name: 'Details' }).click()
  const pain = await downloaded(page, 'Download file for the bank')
  assert.match(pain.text, /<Nm>Psarras AE<\/Nm>/)
  assert.match(pain.text, /<InstdAmt Ccy="EUR">73\.25<\/InstdAmt>/)
  assert.ok(pain.text.includes(merchantsIban.replaceAll(' ', '')))
  await drawer.getByRole('button', { name: 'Mark all as paid' }).click()
  await drawer.getByText('Enter the day on which the bank paid.').waitFor()
  await drawer.getByLabel('Paid on').fill(dayIn(0))
  await drawer.getByRole('button', { name: 'Mark all as paid' }).click()
  await page.getByText('Run marked as paid.').waitFor()
  await drawer.getByText('Paid', { exact: true }).first().waitFor()
  await checkState(page, 'finance-run-paid')
  const [{ payableMinor, reserveMinor, feesMinor, paidOutMinor }] = (await client.get(`/merchants/${shopId}/accounts`))
    .body.accounts
  assert.deepEqual([payableMinor, reserveMinor, feesMinor, paidOutMinor], ['0', '400', '125', '7325'])
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /Paid 73\.25 EUR 1 of 1/ }).waitFor()
  await page.getByRole('button', { name: 'Prepare run' }).click()
  await run.getByText('Nothing can be paid out in EUR.').waitFor()
  await run.getByText('The latest statement is already paid.').waitFor()
  await run.getByRole('link', { name: 'Close a period' }).waitFor()
  await checkState(page, 'finance-prepare-nothing')
  await page.keyboard.press('Escape')
  await scene.shop.base.pool.query(`update payout_items set state = 'cancelled', paid_on = null, paid_by = null`)
  await scene.shop.base.pool.query(
    `insert into account_entries (merchant_id, source, position, from_account, to_account, currency, amount_minor, at)
     select merchant_id, 'reversed ' || source, 0, to_account, from_account, currency, amount_minor, at from account_entries where to_account = 'paid_out'`,
  )
  await page.getByRole('button', { name: 'Prepare run' }).click()
  await run.getByText('Selected: 1 of 1 merchants').waitFor()
  assert.equal(await run.getByLabel('Holder of your account').inputValue(), 'Operator', 'as in the last run')
  assert.equal(await run.getByLabel('Your IBAN or account number').inputValue(), ourIban)
})

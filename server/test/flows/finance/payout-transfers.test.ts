/**
 * Chapter 70 §3 and decisions/payouts#returned-payouts: a payout that the bank made twice or returned is reported when the bank's statement
 * is imported.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs, hourMs } from '#domain/time.ts'
import { importBank } from './month-bank.ts'
import { type Month, openMonth } from './month-scene.ts'
import { operatorAccount } from './month-selection.ts'

let month: Month
before(async () => {
  month = await openMonth()
  const path = `/merchants/${month.idOf('demo')}/payout-accounts/EUR`
  const account = { holder: 'Demo Ltd', number: 'DE89370400440532013000', reason: 'by signed letter' }
  const { body } = await month.finance.send('PUT', path, account)
  assert.equal((await month.approve(body.approvalId)).body.state, 'done')
})
after(() => month[Symbol.asyncDispose]())

interface Item {
  readonly runId: string
  readonly endToEnd: string
}

/** A run of one item of 80.00 EUR, approved. */
async function payOut({ shop, finance, today, approve }: Month): Promise<Item> {
  await shop.sale({ order_amount: '80.00' })
  await shop.advance(dayMs + hourMs)
  assert.equal((await finance.post('/statements', { lastDay: today(-1) })).http, 200)
  const wish = { currency: 'EUR', from: operatorAccount, executeOn: today(), reason: 'payout' }
  const run = await finance.post('/payout-runs', wish)
  assert.equal((await approve(run.body.approvalId)).body.state, 'done', run.text)
  const { list } = (await finance.get(`/payout-runs/${run.body.id}`)).body
  assert.deepEqual([list.length, list[0].amountMinor], [1, '8000'])
  return { runId: run.body.id, endToEnd: list[0].endToEnd }
}

const entry = (sign: 'DBIT' | 'CRDT', ref: string, details: string, amount = '80.00'): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${month.today()}</Dt></BookgDt>
   <AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`
const transfer = (sign: 'DBIT' | 'CRDT', ref: string, { endToEnd }: Item, amount?: string): string =>
  entry(sign, ref, `<TxDtls><Refs><EndToEndId>${endToEnd}</EndToEndId></Refs></TxDtls>`, amount)
const wholeRun = (ref: string, { runId }: Item): string =>
  entry('DBIT', ref, `<Btch><PmtInfId>${runId.replaceAll('-', '')}</PmtInfId></Btch>`)

const importLines = async (...entries: readonly string[]) => {
  const { paidItems, reports } = await importBank(month, entries)
  return { paidItems, reports: reports.map(({ ref, text }: Record<string, string>) => `${ref} ${text}`) as string[] }
}
const alerts = async (): Promise<readonly string[]> =>
  (
    await month.rowsOf<{ text: string }>(`select text from alerts where kind = 'payout-at-bank' order by raised_at, id`)
  ).map(({ text }) => text)

test('a transfer that the bank made twice is reported with what to do, and its return needs nothing', async () => {
  const item = await payOut(month)
  assert.deepEqual(await importLines(transfer('DBIT', 'D1', item)), { paidItems: 1, reports: [] })
  const second = await importLines(transfer('DBIT', 'D2', item))
  assert.equal(second.paidItems, 0)
  assert.match(
    second.reports.join(),
    /^D2 The bank paid 80\.00 EUR to Demo Ltd a second time\. Ask the bank to return it/,
  )
  assert.match((await alerts()).join(), /b\.xml .*D2: The bank paid 80\.00 EUR to Demo Ltd a second time/)
  assert.deepEqual(await importLines(transfer('DBIT', 'D2', item)), { paidItems: 0, reports: [] }, 'imported before')
  const part = await importLines(transfer('CRDT', 'C0', item, '30.00'))
  assert.match(part.reports.join(), /^C0 The bank returned 30\.00 EUR .* Ask it for the other 50\.00 EUR/)
  const back = await importLines(transfer('CRDT', 'C1', item, '50.00'))
  assert.match(back.reports.join(), /^C1 The bank returned 50\.00 EUR .* Nothing is left to do/)
  assert.equal((await alerts()).length, 2, 'for the second transfer, and for the part that is missing')
})

test('a transfer that the bank returned is reported with what to do, also if it comes with the transfer or in part', async () => {
  const item = await payOut(month)
  const before = (await alerts()).length
  const { paidItems, reports } = await importLines(transfer('CRDT', 'C2', item, '78.50'), transfer('DBIT', 'D3', item))
  assert.equal(paidItems, 1)
  assert.match(
    reports.join(),
    /^C2 The bank returned 78\.50 EUR of the payout of 80\.00 EUR to Demo Ltd\. Check .* request a correction/,
  )
  assert.equal((await alerts()).length, before + 1)
  const open = await month.rowsOf(`select ref from bank_lines where ref = 'C2' and item_id is null`)
  assert.deepEqual(open, [], 'it is no sum of an acquirer')
})

test('a run that was marked by hand is confirmed by the bank’s sum, and a second sum is reported', async () => {
  const item = await payOut(month)
  const byHand = await month.finance.post(`/payout-runs/${item.runId}/paid`, { paidOn: month.today() })
  assert.equal(byHand.http, 200)
  assert.deepEqual(await importLines(wholeRun('B1', item)), { paidItems: 0, reports: [] })
  const { reports } = await importLines(wholeRun('B2', item))
  assert.match(reports.join(), /^B2 The bank paid 80\.00 EUR to Demo Ltd a second time/)
})

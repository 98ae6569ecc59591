/** The payouts of a month to its merchants: by runs that two people decide, with a file for the bank. */
import assert from 'node:assert/strict'
import { dayMs, hourMs } from '#domain/time.ts'
import { panelOf } from '../../panel/admin.ts'
import { importBank } from './month-bank.ts'
import { type Currency, currencies, type Month, names } from './month-scene.ts'
import { listPayable, operatorAccount } from './month-selection.ts'

export async function payOut(month: Month): Promise<void> {
  const { shop, finance, rowsOf, approve } = month
  const runs: string[] = []
  for (const currency of currencies) {
    const both = await Promise.all([prepare(month, currency), prepare(month, currency)])
    assert.deepEqual(
      both.map(({ http }) => String(http)).toSorted(),
      ['200', '409'],
      both.map(({ text }) => text).join(),
    )
    const run = both.find(({ http }) => http === 200)?.body
    assert.equal((await approve(run.approvalId, finance)).http, 403)
    assert.equal((await finance.get(`/payout-runs/${run.id}/file`)).http, 409, 'no file before the approval')
    const other = await panelOf(shop, { role: 'finance' })
    const decided = await Promise.all([approve(run.approvalId), approve(run.approvalId, other)])
    const { content } = (await finance.get(`/payout-runs/${run.id}/file`)).body
    const done = { state: 'done', result: { runId: run.id, items: names.length, bytes: Buffer.byteLength(content) } }
    for (const { http, body } of decided)
      assert.deepEqual(http === 200 ? { state: body.state, result: body.result } : http, http === 200 ? done : 409)
    const { approvals } = (await finance.get('/approvals?limit=200')).body
    const approval = approvals.find(({ id }: { id: string }) => id === run.approvalId)
    assert.deepEqual(
      { state: approval.state, result: approval.result },
      done,
      'a run that was sent is never said to have failed',
    )
    assert.equal((await other.get(`/payout-runs/${run.id}/file`)).body.content, content, 'one file, whoever decided')
    assert.equal((await approve(run.approvalId, other)).http, 409, 'and it is not decided again')
    const { list } = (await finance.get(`/payout-runs/${run.id}`)).body
    assert.equal(content.match(/<CdtTrfTxInf>/g)?.length, list.length)
    runs.push(run.id)
  }
  const [{ doubled } = { doubled: -1 }] = await rowsOf<{ doubled: number }>(
    `select count(*)::int as doubled from (select merchant_id, currency from account_entries where to_account = 'paid_out'
       group by 1, 2 having count(*) > 1) twice`,
  )
  assert.equal(doubled, 0)
  const paid = await rowsOf<{ currency: string; paid: string; owed: string }>(
    `select e.currency, sum(e.amount_minor)::text as paid, (select sum(s.closing_minor)::text from statements s
       where s.currency = e.currency and s.closing_minor > 0) as owed
     from account_entries e where e.to_account = 'paid_out' group by e.currency order by e.currency`,
  )
  assert.deepEqual(
    paid.map((one) => one.currency),
    [...currencies],
  )
  for (const { currency, paid: sum, owed } of paid) assert.equal(sum, owed, currency)
  for (const currency of currencies) {
    assert.equal((await prepare(month, currency)).http, 409, 'nothing is left to pay')
    const { others } = await listPayable(month, currency)
    assert.deepEqual([...new Set(others.map(({ obstacle }) => obstacle))], ['in-approved-run'])
  }
  await markPaidByBank(month, runs)
}

export async function replaceRuns(month: Month): Promise<void> {
  const { shop, finance, colleague, today, approve } = month
  await shop.sale({ order_amount: '80.00' })
  let lastDay = today()
  await shop.advance(dayMs + hourMs)
  await finance.post('/statements', { lastDay })
  const refused = (await prepare(month, 'EUR')).body
  assert.equal((await colleague.post(`/approvals/${refused.approvalId}/refuse`, { note: 'wait' })).http, 200)
  const { payable } = (await finance.get('/payout-runs/payable?currency=EUR')).body
  assert.equal(payable.length, 1, 'a refused run no longer holds its merchants when they are listed')
  const outdated = (await prepare(month, 'EUR')).body
  assert.ok(outdated.approvalId, 'the statement can be paid by another run')
  assert.equal((await finance.get(`/payout-runs/${refused.id}`)).body.state, 'cancelled')
  lastDay = today()
  await shop.advance(dayMs + hourMs)
  await finance.post('/statements', { lastDay })
  assert.equal(
    (await prepare(month, 'EUR')).http,
    409,
    'no second run waits for a merchant, whichever statement it pays',
  )
  const { others } = await listPayable(month, 'EUR')
  assert.ok(others.some(({ obstacle, runId }) => obstacle === 'in-waiting-run' && runId === outdated.id))
  const answer = await approve(outdated.approvalId)
  assert.deepEqual([answer.body.state, /newer statement/.test(answer.text)], ['failed', true], answer.text)
  assert.equal((await finance.get(`/payout-runs/${outdated.id}/file`)).http, 409)
  const current = (await prepare(month, 'EUR')).body
  assert.equal((await approve(current.approvalId)).body.state, 'done')
}

/** A run is approved some days after its statement, and the next statement is closed up to a day before: its balance still contains what the run paid. */
export async function payOverlapping(month: Month): Promise<void> {
  const { shop, finance, today, rowsOf, approve, idOf } = month
  const close = async (lastDay: string) => assert.equal((await finance.post('/statements', { lastDay })).http, 200)
  const payable = async () => (await listPayable(month, 'EUR')).payable[0] ?? assert.fail('nothing is payable')
  const paidOut = async () =>
    (
      await rowsOf<{ sum: string }>(
        `select sum(amount_minor)::text as sum from account_entries where merchant_id = $1 and currency = 'EUR' and to_account = 'paid_out'`,
        [idOf('demo')],
      )
    )[0]?.sum
  await shop.sale({ order_amount: '30.00' })
  await shop.advance(dayMs + hourMs)
  await close(today(-1))
  const first = await payable()
  const run = (await prepare(month, 'EUR')).body
  await shop.sale({ order_amount: '40.00' })
  await shop.advance(dayMs)
  assert.equal((await approve(run.approvalId)).body.state, 'done')
  const paidBefore = BigInt((await paidOut()) ?? 0)

  await close(today(-1))
  await shop.sale({ order_amount: '500.00' })
  const second = await payable()
  assert.equal(second.paidSinceMinor, first.amountMinor)
  assert.equal(BigInt(second.amountMinor), BigInt(second.closingMinor) - BigInt(first.amountMinor))
  const next = (await prepare(month, 'EUR')).body
  await rowsOf('update payout_items set amount_minor = $2 where run_id = $1', [next.id, second.closingMinor])
  const whole = await approve(next.approvalId)
  assert.deepEqual([whole.body.state, /Prepare the run again/.test(whole.text)], ['failed', true], whole.text)
  const again = (await prepare(month, 'EUR')).body
  assert.equal((await approve(again.approvalId)).body.state, 'done')
  assert.equal(BigInt((await paidOut()) ?? 0), paidBefore + BigInt(second.amountMinor))

  await shop.advance(dayMs + hourMs)
  await close(today(-1))
  const third = await payable()
  assert.deepEqual(
    [third.paidSinceMinor, third.amountMinor],
    ['0', third.closingMinor],
    'the newest contains both payouts',
  )
  const last = (await prepare(month, 'EUR')).body
  await shop.advance(dayMs)
  assert.equal((await approve(last.approvalId)).body.state, 'done')
  await close(today(-1))
  const { others } = await listPayable(month, 'EUR')
  assert.deepEqual(
    others.filter(({ merchantId }) => merchantId === idOf('demo')).map(({ obstacle }) => obstacle),
    ['paid-since'],
  )
}

const prepare = ({ finance, today }: Month, currency: Currency) =>
  finance.post('/payout-runs', { currency, from: operatorAccount, executeOn: today(7), reason: 'monthly payout' })

/** The first run by its transfers, the second as one sum, the third by hand. */
async function markPaidByBank(month: Month, [first = '', second = '', third = '']: readonly string[]): Promise<void> {
  const { finance, today } = month
  const run = (await finance.get(`/payout-runs/${first}`)).body
  const line = (endToEnd: string, amount: string, ref: string) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today()}</Dt></BookgDt>
     <AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${endToEnd}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`
  const euros = (minor: string): string => (Number(minor) / 100).toFixed(2)
  const [item] = run.list
  const wrong = await importBank(month, [line(item.endToEnd, euros(String(Number(item.amountMinor) + 1)), 'W1')])
  assert.deepEqual([wrong.paidItems, wrong.reports.length], [0, 1], 'another amount marks nothing')
  const lines = run.list.map((one: { endToEnd: string; amountMinor: string }, index: number) =>
    line(one.endToEnd, euros(one.amountMinor), `D${index}`),
  )
  assert.equal((await importBank(month, lines)).paidItems, run.list.length)
  assert.equal((await finance.get(`/payout-runs/${first}`)).body.state, 'paid')

  const batch = (await finance.get(`/payout-runs/${second}`)).body
  const sum = `<Ntry><Amt Ccy="JPY">${batch.totalMinor}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today()}</Dt></BookgDt>
    <AcctSvcrRef>BATCH</AcctSvcrRef><NtryDtls><Btch><PmtInfId>${second.replaceAll('-', '')}</PmtInfId></Btch></NtryDtls></Ntry>`
  assert.equal((await importBank(month, [sum])).paidItems, batch.items)

  const tomorrow = await finance.post(`/payout-runs/${third}/paid`, { paidOn: today(1) })
  assert.equal(tomorrow.http, 422)
  assert.equal((await finance.post(`/payout-runs/${third}/paid`, { paidOn: today() })).http, 200)
  assert.equal((await finance.post(`/payout-runs/${third}/paid`, { paidOn: today() })).http, 409, 'paid already')
}

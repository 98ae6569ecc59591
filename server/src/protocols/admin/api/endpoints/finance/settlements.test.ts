/** Chapter 60 §5, chapter 70 §3: settlement files are imported whole or not at all, and every difference is found. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { importSettlement } from '#server/panel/finance/settlement-import.ts'
import { readMoneyChecksFor } from '#server/panel/payments/money-checks.ts'
import type { PaceTerms } from '#server/store/finance/import-pace.ts'
import { noteProgress } from '#server/store/finance/running-imports.ts'
import { merchantId, type PanelClient, panelOf, withoutApprovalEnds } from '../../../../../../test/panel/admin.ts'
import { openShop, type RequestFields, type Shop } from '../../../../../../test/shop.ts'

const day = 86_400_000

let shop: Shop
let demo: string
let midId: string
let owner: PanelClient
let finance: PanelClient
before(async () => {
  shop = await openShop({}, ['back office', 'chargebacks'])
  demo = await merchantId(shop, 'demo')
  owner = await panelOf(shop)
  finance = await panelOf(shop, { role: 'finance' })
  const { rows } = await shop.base.pool.query("select id from mids where name = 'sandbox-live'")
  midId = rows[0].id
})
after(() => shop[Symbol.asyncDispose]())

const heading = 'row,type,payment_id,transaction_id,currency,gross,fee,net,date'
const fileOf = (rows: readonly string[]): string => [heading, ...rows, `end,${rows.length}`, ''].join('\n')
const upload = (content: string | Buffer, more: object = {}) =>
  finance.post('/settlements', { midId, name: 'test.csv', content: Buffer.from(content).toString('base64'), ...more })
const dateIn = (days: number): string =>
  new Date(shop.base.clock.now().getTime() + days * day).toISOString().slice(0, 10)

interface Charge {
  readonly id: string
  readonly transactionId: string
}

async function pay(over: RequestFields = {}): Promise<Charge> {
  const { body } = await shop.sale({ order_id: crypto.randomUUID(), ...over })
  assert.equal(body.result, 'SUCCESS')
  const { timeline } = (await owner.get(`/merchants/${demo}/payments/${body.trans_id}`)).body
  return { id: body.trans_id, transactionId: timeline[0].id }
}

let rowNumber = 0
const rowOf = ({ id, transactionId }: Charge, sums = 'EUR,10.00,0.14,9.86', date = dateIn(1)): string => {
  rowNumber += 1
  return `R-${rowNumber},charge,${id},${transactionId},${sums},${date}`
}

async function differences(query: string): Promise<readonly string[]> {
  const { body } = await finance.get(`/settlements/differences?limit=200&${query}`)
  return body.differences
    .map((one: Record<string, string>) => `${one['kind']} ${one['paymentId'] ?? one['ref']}`)
    .toSorted()
}

const stored = async (): Promise<string> => {
  const { rows } = await shop.base.pool.query(
    `select (select count(*) from settlement_files) || ' ' || (select count(*) from settlement_rows) || ' '
       || (select count(*) from settlement_differences) || ' ' || (select count(*) from book_entries) as counts`,
  )
  return rows[0].counts
}

test('before the first file is imported there is no light of settlement files', async () => {
  const { checks } = (await owner.get('/dashboard/money')).body
  assert.deepEqual(
    checks.map(({ name }: { name: string }) => name),
    ['captured', 'refunded', 'postings', 'ledger', 'acquirer'],
  )
})

test('the sandbox’s own settlement file matches every transaction, and its second import changes nothing', async () => {
  const sale = await pay()
  await finance.post(`/merchants/${demo}/payments/${sale.id}/refund`, { amountMinor: '400', reason: 'a' })
  const held = (await shop.sale({ auth: 'Y' })).body.trans_id
  await finance.post(`/merchants/${demo}/payments/${held}/capture`, { amountMinor: '750' })
  await finance.post(`/merchants/${demo}/payments/${(await pay()).id}/void`)
  await shop.service.awaitIdle()
  const content = await (await fetch(`${shop.sandbox.url}/settlement?mid=sandbox-live`)).text()
  const first = await upload(content, { format: 'sandbox' })
  assert.deepEqual([first.http, first.body.result], [200, 'imported'], first.text)
  assert.deepEqual([first.body.file.rowCount, first.body.file.matched, first.body.file.openDifferences], [3, 3, 0])

  const before = await stored()
  const again = await upload(content, { format: 'sandbox' })
  assert.deepEqual([again.body.result, again.body.file.id], ['known', first.body.file.id])
  assert.equal(await stored(), before)

  const { days } = (await finance.get(`/settlements/days?midId=${midId}&from=${dateIn(0)}&to=${dateIn(1)}`)).body
  const [{ ours, theirs, oursMinor, grossMinor, feeMinor, netMinor, matched }] = days
  assert.deepEqual([ours, theirs, matched, oursMinor, grossMinor], [3, 3, 3, '1350', '1350'])
  assert.deepEqual([feeMinor, netMinor], ['24', '1326'], '1.4 % of 10.00 and of 7.50')
  const { rows } = await shop.base.pool.query(
    `select account, sum(amount)::text as sum from (
       select to_account as account, amount_minor as amount from book_entries
       union all select from_account, -amount_minor from book_entries
     ) moved where account <> 'acquirer' group by account order by account`,
  )
  assert.deepEqual(rows, [
    { account: 'acquirer_fees', sum: '24' },
    { account: 'bank', sum: '1326' },
  ])
})

test('a native file is matched by the reference that we gave the acquirer; cut, of another account or twice it changes nothing', async () => {
  const sale = await pay()
  const { body: refunded } = await finance.post(`/merchants/${demo}/payments/${sale.id}/refund`, {
    amountMinor: '400',
    reason: 'a',
  })
  assert.ok(refunded)
  await shop.service.awaitIdle()
  const { timeline } = (await owner.get(`/merchants/${demo}/payments/${sale.id}`)).body
  const refund = timeline.find(({ type }: { type: string }) => type !== 'SALE')
  const heading =
    'Merchant Account,Psp Reference,Merchant Reference,Creation Date,Type,Modification Reference,Gross Currency,Gross Debit (GC),' +
    'Gross Credit (GC),Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Batch Number'
  const reference = `${sale.id}.${sale.transactionId.slice(-12)}`
  const line = (type: string, modification: string, sums: string, psp = 'PSP'): string =>
    `ShopECOM,${psp},${psp && reference},${dateIn(1)} 10:00:00,${type},${modification},${sums},7`
  const lines = [
    heading,
    line('Settled', 'CAPTURE-1', 'EUR,,10.00,EUR,,9.80,,0.10,0.05,0.05'),
    line('Refunded', refund.reference, 'EUR,4.00,,EUR,4.00,,,,,'),
    line('Fee', 'Fees of March', 'EUR,,,EUR,0.30,,,,,', ''),
    line('MerchantPayout', 'TX', 'EUR,,,EUR,5.50,,,,,', ''),
  ]
  const native = { format: 'adyen', acquirerMid: 'ShopECOM', name: 'batch_7.csv' }
  const before = await stored()
  const cut = await upload(lines.slice(0, -1).join('\n'), native)
  assert.match(cut.body.faults[0].text, /add up to 5\.5 instead of zero/)
  const other = await upload(lines.join('\n'), { ...native, acquirerMid: null })
  assert.match(other.body.faults[0].text, /belongs to another MID: ShopECOM/)
  assert.equal(await stored(), before)

  const first = await upload(lines.join('\n'), native)
  assert.equal(first.body.result, 'imported', first.text)
  assert.deepEqual([first.body.file.rowCount, first.body.file.matched], [3, 2])
  assert.deepEqual(await differences(`fileId=${first.body.file.id}`), [])
  const { rows } = await shop.base.pool.query(
    `select kind, transaction_id, net_minor::text as net, payout from settlement_rows where file_id = $1 order by line`,
    [first.body.file.id],
  )
  assert.deepEqual(
    rows.map(({ kind, transaction_id, net }) => [kind, transaction_id, net]),
    [
      ['charge', sale.transactionId, '980'],
      ['refund', refund.id, '-400'],
      ['fee', null, '-30'],
    ],
  )
  const imported = await stored()
  assert.equal((await upload(lines.join('\n'), native)).body.result, 'known')
  assert.equal(await stored(), imported)
})

test('lines of an action of Checkout.com become one row of its payment, also those at the end of the file', async () => {
  const sale = await pay()
  const heading =
    'Processing Channel ID,Action Type,Action ID,Payment ID,Reference,Processed On,Processing Currency,Holding Currency,Payout ID,' +
    'Breakdown Type,Processing Currency Amount,Holding Currency Amount'
  const line = (breakdown: string, amount: string): string =>
    `pc_1,Capture,act_1,pay_1,${sale.id}.${sale.transactionId.slice(-12)},${dateIn(1)}T10:00:00,EUR,EUR,PO1,${breakdown},${amount},${amount}`
  const lines = [heading, line('Capture', '10.00'), line('Premium Variable Fee', '-0.14600000')]
  const native = { format: 'checkout', acquirerMid: 'pc_1', name: 'actions.csv' }
  const { body, text } = await upload(lines.join('\n'), native)
  assert.equal(body.result, 'imported', text)
  assert.deepEqual([body.file.rowCount, body.file.matched], [1, 1])
  const { rows } = await shop.base.pool.query(
    'select transaction_id, gross_minor::text as gross, fee_minor::text as fee from settlement_rows where file_id = $1',
    [body.file.id],
  )
  assert.deepEqual(rows, [{ transaction_id: sale.transactionId, gross: '1000', fee: '15' }])
})

test('a row that the acquirer converted is matched in the payment’s currency, paid in its own, and balanced in both', async () => {
  const [sale, less] = [await pay({ order_currency: 'USD' }), await pay({ order_currency: 'USD' })]
  const columns =
    'row,type,payment_id,transaction_id,currency,gross,fee,net,date,payout,processing_currency,processing_gross,rate'
  const row = (ref: string, { id, transactionId }: Charge, charged: string): string =>
    `${ref},charge,${id},${transactionId},EUR,9.21,0.14,9.07,${dateIn(1)},CONVERTED,USD,${charged},0.9213`
  const content = [columns, row('FX-1', sale, '10.00'), row('FX-2', less, '9.00'), 'end,2', ''].join('\n')
  const { body, text } = await upload(content, { name: 'converted.csv' })
  assert.equal(body.result, 'imported', text)
  assert.deepEqual([body.file.rowCount, body.file.matched], [2, 2])
  const { rows: differing } = await shop.base.pool.query(
    `select kind, currency, ours_minor::text as ours, theirs_minor::text as theirs from settlement_differences where ref like 'FX-%'`,
  )
  assert.deepEqual(differing, [{ kind: 'amount', currency: 'USD', ours: '1000', theirs: '900' }])
  const { rows } = await shop.base.pool.query(
    `select currency || ' ' || from_account || ' to ' || to_account || ' ' || amount_minor as entry from book_entries
     where source like 'settlement % FX-1' order by position`,
  )
  assert.deepEqual(
    rows.map(({ entry }) => entry),
    ['EUR exchange to bank 907', 'EUR exchange to acquirer_fees 14', 'USD acquirer to exchange 1000'],
  )
  const conversions = await shop.base.pool.query(
    `select processing_currency as currency, processing_minor::text as minor, rate::text from settlement_rows where ref = 'FX-1'`,
  )
  assert.deepEqual(conversions.rows, [{ currency: 'USD', minor: '1000', rate: '0.9213' }])
  const { accounts } = (await finance.get(`/merchants/${demo}/accounts`)).body
  const dollars = accounts.find(({ currency }: { currency: string }) => currency === 'USD')
  assert.deepEqual(
    [dollars.receivableMinor, dollars.acquirerFeesMinor],
    ['100', '0'],
    'one dollar is missing, no fee in dollars',
  )
  const { days } = (await finance.get(`/settlements/days?midId=${midId}&from=${dateIn(0)}&to=${dateIn(0)}`)).body
  const inDollars = days.find(({ currency }: { currency: string }) => currency === 'USD')
  assert.deepEqual(
    [inDollars.oursMinor, inDollars.grossMinor, inDollars.netMinor, inDollars.matched],
    ['2000', '1900', '0', 2],
  )
  const { payouts } = (await finance.get(`/settlements/payouts?midId=${midId}&from=${dateIn(0)}&to=${dateIn(1)}`)).body
  const converted = payouts.find(({ payout }: { payout: string }) => payout === 'CONVERTED')
  assert.deepEqual([converted.currency, converted.netMinor, converted.state], ['EUR', '1814', 'waiting'])
})

test('an answer of days ends after many transactions, or after a quarter without any, and says what to ask for next', async () => {
  const { rows } = await shop.base.pool.query("select id from mids where name = 'sandbox-north-live'")
  const other = rows[0].id
  const ask = async (query: string) => (await finance.get(`/settlements/days?midId=${other}&${query}`)).body
  const daysOf = ({ days }: { days: readonly { day: string }[] }): readonly string[] => days.map(({ day: one }) => one)
  const few = await ask(`from=${dateIn(-200)}&to=${dateIn(-1)}`)
  assert.deepEqual(few.days, [])
  assert.deepEqual([few.next.from, few.next.to < dateIn(-93)], [dateIn(-200), true])
  assert.deepEqual(await ask(`from=${dateIn(-40)}&to=${dateIn(-1)}`), { days: [], next: null })

  const booked = async (count: number, on: string): Promise<void> => {
    await shop.base.pool.query(
      `with file as (
         insert into settlement_files (id, mid_id, name, format, sha256, row_count, first_day, last_day, imported_by, imported_at)
         values (gen_random_uuid(), $1, 'many.csv', 'common', md5($3) || md5($3), $2, $3::date, $3::date, 'a test', now()) returning id
       )
       insert into settlement_rows (mid_id, ref, file_id, line, kind, currency, gross_minor, fee_minor, net_minor, booked_on)
       select $1, $3 || ' ' || n, id, n, 'charge', 'EUR', 10, 1, 9, $3::date from file cross join generate_series(1, $2::int) n`,
      [other, count, on],
    )
  }
  await booked(50_000, dateIn(-2))
  await booked(2, dateIn(-3))
  await booked(3, dateIn(-9))
  const newest = await ask('')
  assert.deepEqual(daysOf(newest), [dateIn(-2)])
  assert.deepEqual(newest.next, { from: dateIn(-31), to: dateIn(-3) })
  const rest = await ask(`from=${newest.next.from}&to=${newest.next.to}`)
  assert.deepEqual([daysOf(rest), rest.next], [[dateIn(-3), dateIn(-9)], null])
  assert.deepEqual(
    rest.days.map(({ theirs, grossMinor, netMinor }: Record<string, unknown>) => [theirs, grossMinor, netMinor]),
    [
      [2, '20', '18'],
      [3, '30', '27'],
    ],
  )
})

test('an import that is running says how far it is, until it has ended', async () => {
  const running = async () => (await finance.get('/settlements/imports')).body.imports
  assert.deepEqual(await running(), [])
  const client = await shop.base.pool.connect()
  try {
    await client.query('begin')
    const importId = crypto.randomUUID()
    await noteProgress(client, { importId, midId, phase: 'reading', rows: 120_000 })
    assert.deepEqual(await running(), [{ importId, midId, midName: 'sandbox-live', phase: 'reading', rows: 120_000 }])
    await noteProgress(client, { importId, midId, phase: 'matching', rows: 200_000_000 })
    assert.deepEqual(
      (await running()).map(({ phase }: { phase: string }) => phase),
      ['matching'],
    )
    await client.query('rollback')
    assert.deepEqual(await running(), [], 'also if the import fails')
  } finally {
    client.release()
  }
  const seen: number[] = []
  await importFees('P', 20_000, { isHurried: () => true }, (rows) => seen.push(rows))
  assert.deepEqual(seen, [10_000, 20_000])
})

async function importFees(name: string, rows: number, pace: PaceTerms, onRows?: (rows: number) => void): Promise<void> {
  const lines = Array.from({ length: rows }, (_, index) => `${name}-${index},fee,,,EUR,0,0.01,-0.01,${dateIn(1)}`)
  const content = Buffer.from(fileOf(lines))
  async function* open(): AsyncGenerator<Uint8Array> {
    yield content
  }
  const mid = { id: midId, name: 'sandbox-live', currencies: [] }
  const upload = { mid, acquirerMid: null, name: `${name}.csv`, format: 'common' as const, open, pace }
  const result = await importSettlement(
    { ...shop.base, machine: shop.base.clock },
    { label: 'a test', address: null },
    {
      ...upload,
      ...(onRows && { onRows }),
    },
  )
  assert.equal(result.kind, 'imported')
}

test('an import rests after each portion in proportion to it, and one of few rows does not', async () => {
  const rests: number[] = []
  let time = 0
  const pausing = {
    isHurried: () => false,
    pause: async (ms: number) => {
      // What it has written so far is seen by nobody.
      const { rows } = await shop.base.pool.query("select 1 from settlement_files where name = 'RESTS.csv'")
      assert.equal(rows.length, 0)
      rests.push(Math.round(ms))
    },
  }
  const taking = (ms: number): PaceTerms => ({
    ...pausing,
    now: () => {
      time += ms
      return time
    },
  })
  await importFees('SMALL', 900, taking(900))
  assert.deepEqual(rests, [])
  await importFees('RESTS', 2500, taking(1500))
  assert.deepEqual(rests.slice(0, 3), [950, 2850, 2850], 'three portions, of which the first second is free')
})

test('a file that differs from our record raises an alert', async () => {
  const charge = await pay()
  const { body } = await upload(fileOf([rowOf(charge, 'EUR,9.00,0.14,8.86')]), { name: 'differs.csv' })
  assert.equal(body.file.openDifferences > 0, true)
  const { alerts } = (await owner.get('/alerts')).body
  const [alert] = alerts.filter(({ kind }: { kind: string }) => kind === 'settlement-difference')
  assert.match(alert.text, /^The settlement file differs\.csv of MID sandbox-live has \d+ open differences\./)
})

test('a file with any fault is refused whole, with a report by line', async () => {
  const good = rowOf(await pay())
  const before = await stored()
  // biome-ignore format: a table is read in columns.
  const bad: readonly (readonly [what: string, content: string, line: number, text: RegExp])[] = [
    ['cut inside a row',      `${heading}\n${good}\nR-X,charge`,                                           3, /2 cells instead of 9/],
    ['cut after a row',       `${heading}\n${good}\n`,                                                     0, /the file was cut/],
    ['rows lost',             `${heading}\n${good}\nend,2\n`,                                              0, /announces 2 rows, and the file has 1/],
    ['a row twice',           fileOf([good, good]),                                                        3, /in the file twice/],
    ['another currency',      fileOf([good.replace('EUR', 'XXQ')]),                                        2, /currency/],
    ['too many decimals',     fileOf([good.replace('10.00', '10.001')]),                                   2, /must be amounts in EUR/],
    ['sums that do not fit',  fileOf([good.replace('9.86', '9.87')]),                                      2, /net is not gross less fee/],
    ['an impossible day',     fileOf([good.replace(/[^,]*$/, '2026-02-30')]),                              2, /must be a date/],
    ['a year 0',              fileOf([good.replace(/[^,]*$/, '0000-01-01')]),                              2, /must be a date/],
    ['an unknown type',       fileOf([good.replace(',charge,', ',gift,')]),                                2, /must be one of charge/],
    ['no column',             'a,b\n1,2\nend,1\n',                                                         0, /lacks the columns row/],
    ['an open quote',         `${heading}\n"${good}`,                                                      0, /inside a quoted cell/],
    ['a zero character',      fileOf([good.replace('R-', 'R\0')]),                                        0, /^Line 2: a cell has a zero character/],
    ['another MID',           `${heading},mid\n${good},OTHER\nend,1\n`,                                    2, /another MID: OTHER/],
  ]
  for (const [what, content, line, text] of bad) {
    const { body } = await upload(content)
    assert.equal(body.result, 'refused', what)
    assert.equal(body.faults[0].line, line, what)
    assert.match(body.faults[0].text, text, what)
  }
  const named = await upload(fileOf([good]), { name: 'a\0.csv' })
  assert.equal(named.http, 422, named.text)
  const latin = await upload(Buffer.from(fileOf([good.replace('R-', 'R-\xe9')]), 'latin1'))
  assert.match(latin.body.faults[0].text, /not UTF-8/)
  const many = await upload(fileOf(Array.from({ length: 300 }, (_, n) => `M-${n},gift,,,EUR,1,0,1,2026-01-01`)))
  assert.deepEqual([many.body.faultCount, many.body.faults.length], [300, 100])
  assert.equal(await stored(), before, 'nothing of it was stored')
})

test('a row that came with another file is refused, and so is its file', async () => {
  const row = rowOf(await pay())
  assert.equal((await upload(fileOf([row]))).body.result, 'imported')
  const before = await stored()
  const again = await upload(fileOf([rowOf(await pay()), row]))
  assert.match(again.body.faults[0].text, /imported before with another file/)
  assert.equal(await stored(), before)
})

test('every kind of difference is found, and each is listed under its MID', async () => {
  const [fine, less, currency, late, doubled, forgotten] = [
    await pay(),
    await pay(),
    await pay(),
    await pay(),
    await pay(),
    await pay(),
  ]
  const declined = (await shop.sale({ card_exp_month: '02' })).body.trans_id
  const { timeline } = (await owner.get(`/merchants/${demo}/payments/${declined}`)).body
  const unknown = { id: crypto.randomUUID(), transactionId: crypto.randomUUID() }
  const elsewhere = (await shop.sale({}, { merchant: 'demo-no-moto' })).body.trans_id
  const { body } = await upload(
    fileOf([
      rowOf(fine),
      rowOf(less, 'EUR,9.00,0.00,9.00'),
      rowOf(currency, 'USD,10.00,0.00,10.00'),
      rowOf(late, undefined, dateIn(9)),
      rowOf(doubled),
      rowOf(doubled),
      rowOf({ id: declined, transactionId: timeline[0].id }),
      rowOf(unknown),
      rowOf({ id: elsewhere, transactionId: crypto.randomUUID() }),
    ]),
  )
  assert.equal(body.result, 'imported', JSON.stringify(body))
  const found = await differences(`fileId=${body.file.id}`)
  const expected = [
    `amount ${less.id}`,
    `currency ${currency.id}`,
    `late ${late.id}`,
    `doubled ${doubled.id}`,
    `other-outcome ${declined}`,
    `missing-here ${unknown.id}`,
    `other-mid ${elsewhere}`,
    `missing-there ${forgotten.id}`,
  ]
  assert.deepEqual(
    found.filter((one) => expected.includes(one)),
    expected.toSorted(),
  )
  assert.ok(!found.some((one) => one.endsWith(fine.id)), 'what agrees is no difference')
  assert.ok(
    found.every((one) => expected.includes(one) || one.startsWith('missing-there ')),
    found.join('\n'),
  )

  const arrived = await upload(fileOf([rowOf(forgotten)]))
  assert.equal(arrived.body.result, 'imported')
  assert.ok(!(await differences('open=true')).includes(`missing-there ${forgotten.id}`), 'a later file settles it')
  assert.ok((await differences('open=false')).includes(`missing-there ${forgotten.id}`), 'and nothing is deleted')
})

test('a row that names only the acquirer’s reference is matched by it', async () => {
  const charge = await pay()
  const { timeline } = (await owner.get(`/merchants/${demo}/payments/${charge.id}`)).body
  const columns = 'row,type,reference,currency,gross,fee,net,date'
  const row = (ref: string, reference: string): string => `${ref},charge,${reference},EUR,10.00,0.14,9.86,${dateIn(1)}`
  const { body, text } = await upload(
    [columns, row('REF-1', timeline[0].reference), row('REF-2', 'of another shop'), 'end,2', ''].join('\n'),
  )
  assert.deepEqual([body.result, body.file?.matched], ['imported', 1], text)
  const { rows } = await shop.base.pool.query(
    `select ref, transaction_id from settlement_rows where file_id = $1 order by line`,
    [body.file.id],
  )
  assert.deepEqual(rows, [
    { ref: 'REF-1', transaction_id: charge.transactionId },
    { ref: 'REF-2', transaction_id: null },
  ])
})

test('of two rows of one transaction the one that is imported second is the doubled one, whatever its day', async () => {
  const charge = await pay()
  assert.equal((await upload(fileOf([rowOf(charge, undefined, dateIn(2))]))).body.result, 'imported')
  const { body } = await upload(fileOf([rowOf(charge, undefined, dateIn(1))]))
  assert.ok((await differences(`fileId=${body.file.id}`)).includes(`doubled ${charge.id}`))
})

test('two people resolve a difference, with a note or a correcting posting, once', async () => {
  const less = await pay()
  await upload(fileOf([rowOf(less, 'EUR,9.00,0.00,9.00')]))
  const { body } = await finance.get('/settlements/differences?limit=200')
  const { id } = body.differences.find((one: { paymentId: string }) => one.paymentId === less.id)
  const at = `/settlements/differences/${id}/resolve`
  assert.equal((await finance.post(at, { note: ' ' })).http, 422)
  const { approvalId } = (await finance.post(at, { note: 'Bank charge', correct: true })).body
  assert.equal((await finance.post(`/approvals/${approvalId}/approve`)).http, 403)
  const approve = () => owner.post(`/approvals/${approvalId}/approve`)
  assert.equal((await withoutApprovalEnds(shop, approve)).http, 500)
  assert.ok((await differences('open=true')).includes(`amount ${less.id}`), 'not resolved without its end')
  const approved = await approve()
  assert.deepEqual([approved.body.state, approved.body.result.postedMinor], ['done', '100'], approved.text)
  const { rows } = await shop.base.pool.query(
    `select from_account, to_account, amount_minor::text from book_entries where source = $1`,
    [`difference ${id}`],
  )
  assert.deepEqual(rows, [{ from_account: 'acquirer', to_account: 'differences', amount_minor: '100' }])
  assert.equal((await finance.post(at, { note: 'again' })).http, 409)
  assert.ok(!(await differences('open=true')).includes(`amount ${less.id}`))
})

test('without a sandbox there is no light of an acquirer’s ledger, and that of its files stays', async () => {
  const { pool, clock, log } = shop.base
  const everything = { permissions: new Set<never>(), merchants: 'all' } as const
  const wish = { from: new Date(clock.now().getTime() - 40 * day), to: clock.now(), merchantId: null, mode: null }
  const lights = async (sandboxUrl: string | null) =>
    (await readMoneyChecksFor({ pool, clock, log, sandboxUrl }, everything, wish)).checks.map(({ name }) => name)
  const own = ['captured', 'refunded', 'postings', 'ledger']
  assert.deepEqual(await lights(null), [...own, 'settlements'])
  assert.deepEqual(await lights(shop.sandbox.url), [...own, 'acquirer', 'settlements'])
})

test('the light of the acquirer’s record says when it was read, and is red while differences are open', async () => {
  const { checks } = (await owner.get('/dashboard/money')).body
  const light = checks.find(({ name }: { name: string }) => name === 'settlements')
  assert.equal(light.ok, false)
  const age = shop.base.clock.now().getTime() - Date.parse(light.asOf)
  assert.ok(age >= 0 && age < 60 * 86_400_000, `${light.asOf}`)
  const [{ difference }] = light.offending
  assert.ok(difference.kind !== '' && /^\d{4}-\d\d-\d\d$/.test(difference.day), JSON.stringify(difference))
})

test('the light of the acquirers’ records is as old as the oldest MID in use, and names those without a recent record', async () => {
  const { pool, clock, log } = shop.base
  const everything = { permissions: new Set<never>(), merchants: 'all' } as const
  const wish = { from: new Date(clock.now().getTime() - day), to: clock.now(), merchantId: null, mode: null }
  const read = async () => {
    const { checks } = await readMoneyChecksFor({ pool, clock, log, sandboxUrl: null }, everything, wish)
    return checks.find(({ name }) => name === 'settlements')
  }
  await shop.sale({})
  const isNamed = (light: Awaited<ReturnType<typeof read>>) =>
    light?.gaps.some(({ midName }) => midName === 'sandbox-live') === true
  const now = clock.now().getTime()
  const ago = (days: number) => new Date(now - days * day)
  const insert = (which: string, content: string) =>
    pool.query(
      `insert into settlement_files (id, mid_id, name, format, sha256, row_count, imported_by, imported_at)
       select gen_random_uuid(), id, 'a file', 'common', repeat($1, 64), 1, 'test', $2 from mids m where side = 'live' and ${which} limit 1`,
      [content, ago(0)],
    )
  await insert('not exists (select from payments p where p.mid_id = m.id)', 'a')
  await insert(`name = 'sandbox-live'`, 'b')
  const date = (days: number) =>
    pool.query('update settlement_files set imported_at = $1 where mid_id = $2', [ago(days), midId])
  await date(40)
  const old = await read()
  assert.ok(isNamed(old))
  assert.equal(old?.asOf?.getTime(), ago(40).getTime(), 'the fresh file of a MID that is not in use does not hide it')
  await date(2)
  const recent = await read()
  assert.deepEqual([isNamed(recent), recent?.gapCount], [false, (old?.gapCount ?? 0) - 1])
  assert.equal(recent?.asOf?.getTime(), ago(2).getTime())
})

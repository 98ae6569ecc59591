/**
 * Chapter 70 §3: a month of three merchants and two acquirers. Every planted difference of the settlement files is found, statements add up to
 * the ledger to the cent, and payouts go out once, in currencies with 0, 2 and 3 decimals.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bookPeriodicCharges } from '#server/store/finance/periodic-charges.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'
import { advanceToMonday } from '../../time-of-day.ts'
import { adyenAccount, adyenFile, decimal, sandboxFile, settledIn, withDifferences } from './month-files.ts'

const day = 86_400_000
const names = ['demo', 'demo-no-moto', 'demo-no-wallet'] as const
type Name = (typeof names)[number]
const currencies = ['EUR', 'JPY', 'KWD'] as const
type Currency = (typeof currencies)[number]
const amounts: Readonly<Record<Currency, readonly string[]>> = {
  EUR: ['10.00', '33.33', '0.99'],
  JPY: ['1499', '70', '123456'],
  KWD: ['10.005', '1.234', '99.999'],
}

/** What is given back of an amount, in minor units: to the payer, and to the payer's bank. */
const refunds: Readonly<Record<string, string>> = { '33.33': '1111', '1499': '500', '1.234': '111' }
const chargebacks: Readonly<Record<string, string>> = { '10.00': '1000', '70': '70', '10.005': '10005' }

let shop: Shop
let finance: PanelClient
let colleague: PanelClient
const ids = new Map<Name, string>()
const mids = new Map<string, string>()
/** The day of the sales, from which the price lists are valid. */
let begun = ''
before(async () => {
  shop = await openShop({}, ['back office'])
  await advanceToMonday(shop)
  begun = today()
  for (const name of names) ids.set(name, await merchantId(shop, name))
  finance = await panelOf(shop, { role: 'finance' })
  colleague = await panelOf(shop, { role: 'finance' })
})
after(() => shop[Symbol.asyncDispose]())

const idOf = (name: Name): string => ids.get(name) ?? ''
const today = (days = 0): string => new Date(shop.base.clock.now().getTime() + days * day).toISOString().slice(0, 10)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const rowsOf = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
  (await shop.base.pool.query<Row>(text, [...values])).rows
const approve = async (approvalId: string, by: PanelClient = colleague) =>
  by.post(`/approvals/${approvalId}/approve`, {})

/** The MID whose acquirer sends a file of its own form. */
const nativeMid = 'sandbox-no-wallet-live'
const paymentsAt = async (midId: string, status: string): Promise<readonly string[]> =>
  (
    await rowsOf<{ id: string }>('select id from payments where mid_id = $1 and status = $2 and not test order by id', [
      midId,
      status,
    ])
  ).map(({ id }) => id)

const priceList = () => ({
  validFrom: today(),
  country: 'DE',
  rules: [
    { kinds: ['sale'], currency: 'EUR', fixedMinor: '25', share: 12_500, minimumMinor: '30' },
    { kinds: ['sale'], share: 21_700 },
    { kinds: ['refund'], currency: 'EUR', fixedMinor: '10' },
    { kinds: ['chargeback'], currency: 'EUR', fixedMinor: '1500' },
  ],
  monthly: [{ currency: 'KWD', amountMinor: '125' }],
  reserve: { share: 50_000, days: 7 },
})

async function enterAccount(name: Name, currency: Currency, account: object): Promise<void> {
  const path = `/merchants/${idOf(name)}/payout-accounts/${currency}`
  const request = await finance.send('PUT', path, { ...account, reason: 'by signed letter' })
  assert.equal(request.http, 200, request.text)
  const approved = await approve(request.body.approvalId)
  assert.equal(approved.body.state, 'done', approved.text)
}

test('three merchants sell, refund and are charged back, and each is charged by its list', async () => {
  for (const name of names) {
    assert.equal((await finance.post(`/merchants/${idOf(name)}/price-lists`, priceList())).http, 200)
    for (const currency of currencies) {
      const account = { holder: `Holder ${name}`, number: currency === 'EUR' ? 'DE89370400440532013000' : '12345678' }
      await enterAccount(name, currency, account)
    }
  }
  await shop.service.configuration.refresh()
  for (const name of names)
    for (const currency of currencies)
      for (const order_amount of amounts[currency]) {
        const { body } = await shop.sale({ order_amount, order_currency: currency }, { merchant: name })
        assert.equal(body.result, 'SUCCESS', `${name} ${order_amount} ${currency}`)
        const payment = `/merchants/${idOf(name)}/payments/${body.trans_id}`
        const [refunded, disputed] = [refunds[order_amount], chargebacks[order_amount]]
        if (refunded !== undefined) {
          const refund = await finance.post(`${payment}/refund`, { amountMinor: refunded, reason: 'returned' })
          assert.equal(refund.http, 200, refund.text)
        }
        if (disputed !== undefined) {
          const reference = `CB-${name}-${currency}`
          const chargeback = { reference, amountMinor: disputed, bankDate: today(), reasonCode: '4837' }
          const answer = await finance.post(`${payment}/chargeback`, chargeback)
          assert.equal(answer.http, 200, answer.text)
        }
      }
  for (const name of names) {
    const { body } = await shop.sale({ card_exp_month: '02' }, { merchant: name })
    assert.equal(body.result, 'DECLINED')
  }
  await shop.service.idle()
  const [{ fees } = { fees: '' }] = await rowsOf<{ fees: string }>(
    `select sum(amount_minor)::text as fees from ledger_entries where currency = 'EUR' and to_account = 'fees'`,
  )
  const held = await rowsOf<{ currency: string; held: string }>(
    `select currency, sum(amount_minor)::text as held from ledger_entries where to_account = 'reserve' group by 1 order by 1`,
  )
  // Per merchant: 0.50 + 1.67 + 0.05, 75 + 4 + 6173 and 0.500 + 0.062 + 5.000.
  assert.deepEqual(
    held.map((one) => `${one.currency} ${one.held}`),
    [`EUR ${3 * 222}`, `JPY ${3 * 6252}`, `KWD ${3 * 5562}`],
  )
  // Per merchant: 10.00 → 0.38, 33.33 → 0.67, 0.99 → 0.30 (minimum), a refund 0.10, a chargeback 15.00.
  assert.equal(fees, String(3 * (38 + 67 + 30 + 10 + 1500)))
})

test('settlement files of two acquirers: every planted difference is found, and nothing else', async () => {
  const found = await rowsOf<{ id: string; name: string }>(
    `select distinct m.id, m.name from payments p join mids m on m.id = p.mid_id where not p.test order by m.name`,
  )
  for (const { id, name } of found) mids.set(name, id)
  assert.equal(mids.size >= 2, true, 'two acquirers')
  await shop.advance(day)
  const planted: string[] = []
  const lateRows: string[] = []
  const others = new Map<string, string>()
  for (const [name, midId] of mids) others.set(name, (await paymentsAt(midId, 'SETTLED'))[0] ?? '')
  for (const [name, midId] of mids) {
    const executed = await (await fetch(`${shop.sandbox.url}/settlement?mid=${name}`)).text()
    const disputed = await rowsOf<{ paymentId: string; currency: string; amount: string }>(
      `select payment_id as "paymentId", currency, amount_minor::text as amount from disputes where mid_id = $1`,
      [midId],
    )
    const [declined = ''] = await paymentsAt(midId, 'DECLINED')
    const [, elsewhere = ''] = [...others].find(([other]) => other !== name) ?? []
    const { rows, late, differences } = withDifferences(settledIn(executed), { disputed, declined, elsewhere })
    planted.push(...differences)
    const sums = [late.gross, late.fee, late.gross - late.fee].map((minor) => decimal(minor, late.currency))
    lateRows.push(`L-${name},charge,${late.paymentId},${late.currency},${sums}`)
    const file =
      name === nativeMid
        ? { format: 'adyen', acquirerMid: adyenAccount, content: base64(adyenFile(rows, today())) }
        : { format: 'sandbox', content: base64(sandboxFile(rows, { mid: name, day: today() })) }
    const { body, text } = await finance.post('/settlements', { midId, name: `${name}.csv`, ...file })
    assert.equal(body.result, 'imported', text)
  }
  // A transaction is missing only after the usual days; a later file covers them, with a row that comes late.
  await shop.advance(7 * day)
  for (const [name, midId] of mids) {
    const rows = [`F-${name},fee,,EUR,0.00,0.01,-0.01`, ...lateRows.filter((row) => row.startsWith(`L-${name},`))]
    const lines = rows.map((row) => `${row},${today()},LATE`)
    const heading = 'row,type,payment_id,currency,gross,fee,net,date,payout'
    const late = [heading, ...lines, `end,${lines.length}`, ''].join('\n')
    const { body } = await finance.post('/settlements', { midId, name: 'late.csv', content: base64(late) })
    if (body.result !== 'imported') assert.fail(JSON.stringify(body.faults))
  }
  const { differences } = (await finance.get('/settlements/differences?limit=200')).body
  const listed = differences.map((one: Record<string, string>) => `${one['kind']} ${one['paymentId']}`)
  assert.deepEqual(listed.toSorted(), planted.toSorted())
})

test('each merchant’s accounts have both fees, what acquirers still owe, and the margin, to the cent', async () => {
  await bookPeriodicCharges(shop.base.pool, shop.base.clock.now())
  const monthly = 125 * new Set([begun, today()].map((one) => one.slice(0, 7))).size
  for (const name of names) {
    const { accounts } = (await finance.get(`/merchants/${idOf(name)}/accounts`)).body
    const figures = accounts.map((one: Record<string, string>) => [
      one['currency'],
      ...['feesMinor', 'acquirerFeesMinor', 'marginMinor', 'receivableMinor'].map((field) => one[field]),
    ])
    assert.deepEqual(
      figures,
      [
        // Acquirers: 0.14, 0.46 twice, 0.07 for the declined one. Owed: 0.01 less and 0.99 not at all; 33.33, 0.70 and 5.00 too much.
        ['EUR', '1645', '113', '1532', String(1 + 99 - 3333 - 70 - 500)],
        // Ours 33 + 2 + 2679; acquirers 20 + 1728. The 70 was settled in EUR.
        ['JPY', '2714', '1748', '966', '70'],
        // Ours 0.217 + 0.027 + 2.170 and 0.125 of each month that has begun; acquirers 0.140 + 0.017, which came late, + 1.399.
        ['KWD', String(2414 + monthly), '1556', String(858 + monthly), '0'],
      ],
      name,
    )
  }
})

interface Payout {
  readonly midId: string
  readonly payout: string
  readonly currency: string
  readonly net: string
}

/** What the first settlement files announced, one sum per MID and currency. */
const announcedPayouts = () =>
  rowsOf<Payout>(
    `select mid_id as "midId", payout, currency, sum(net_minor)::text as net from settlement_rows where payout like 'PAYOUT%' or payout like 'batch%'
     group by 1, 2, 3 order by 1, 2, 3`,
  )

function creditOf(ref: string, { currency, net, payout }: Omit<Payout, 'midId'>): string {
  return `<Ntry><Amt Ccy="${currency}">${decimal(BigInt(net), currency)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today()}</Dt></BookgDt>
    <AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>Settlement ${payout}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

const balanceIn = (currency: Currency): string => `<Bal><Amt Ccy="${currency}">0</Amt></Bal>`

interface Period {
  readonly firstDay?: string
  readonly lastDay?: string
}

const camt = (entries: readonly string[], { firstDay = today(), lastDay = today() }: Period = {}): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>
   <FrToDt><FrDtTm>${firstDay}T00:00:00</FrDtTm><ToDtTm>${lastDay}T23:59:59</ToDtTm></FrToDt>
   <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${currencies.map(balanceIn).join('')}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`

const importBank = async (entries: readonly string[], period?: Period) => {
  const answer = await finance.post('/bank-statements', { name: 'b.xml', content: base64(camt(entries, period)) })
  assert.equal(answer.http, 200, answer.text)
  return answer.body
}

interface BankDifference {
  readonly id: string
  readonly kind: string
  readonly midId: string | null
  readonly currency: string
  readonly ref: string | null
  readonly note: string | null
}

const bankDifferences = async (open = true): Promise<readonly BankDifference[]> =>
  (await finance.get(`/settlements/differences?limit=200&reportedBy=bank&open=${open}`)).body.differences

const named = ({ kind, midId, currency, ref }: BankDifference): string =>
  `${kind} ${midId === null ? 'no MID' : [...mids.values()].indexOf(midId)} ${currency} ${ref}`

/** The payout of the second MID that the bank forgets. */
let forgotten: Payout | undefined

test('the bank’s side: another amount, another currency and a second booking are found, and nothing else', async () => {
  const payouts = await announcedPayouts()
  const [firstMid, secondMid] = [...mids.values()]
  const payoutIn = (midId: string | undefined, currency: Currency): Payout => {
    const found = payouts.find((one) => one.midId === midId && one.currency === currency)
    if (!found) return assert.fail(`There is no payout in ${currency}.`)
    return found
  }
  const [short, doubled, converted] = [payoutIn(firstMid, 'EUR'), payoutIn(firstMid, 'JPY'), payoutIn(firstMid, 'KWD')]
  forgotten = payoutIn(secondMid, 'JPY')
  const fine = payouts.filter(
    (one) => ![short, doubled, converted, forgotten].includes(one) && !one.net.startsWith('-'),
  )
  const entries = [
    ...fine.map((one, index) => creditOf(`C${index}`, one)),
    creditOf('SHORT', { ...short, net: String(BigInt(short.net) - 1n) }),
    creditOf('TWICE1', doubled),
    creditOf('TWICE2', doubled),
    creditOf('USD', { ...converted, currency: 'USD', net: '777' }),
    creditOf('UNKNOWN', { currency: 'EUR', net: '4321', payout: 'of something else' }),
  ]
  const period = { firstDay: today(-8), lastDay: today(-1) }
  const first = await importBank(entries, period)
  assert.deepEqual([first.lines, first.known, first.received], [entries.length, 0, entries.length - 1])
  const again = await importBank(entries, period)
  assert.deepEqual([again.known, again.differences], [entries.length, 0], 'a second import changes nothing')
  assert.deepEqual((await bankDifferences()).map(named).toSorted(), [
    'bank-amount 0 EUR null',
    'bank-currency 0 USD USD',
    'bank-doubled 0 JPY TWICE2',
  ])
  assert.equal(first.differences, 3)
})

/** The dashboard does not wait for a long comparison, so that a slow machine shows the light a moment later. */
async function statementLight() {
  for (;;) {
    const { body } = await finance.get(`/dashboard/money?from=${today(-20)}T00:00:00Z&to=${today(1)}T00:00:00Z`)
    const light = body.checks.find((one: { name: string }) => one.name === 'statements')
    if (light) return light
  }
}

interface Statement {
  readonly id: string
  readonly merchantId: string
  readonly currency: Currency
  readonly closingMinor: string
  readonly refundsMinor: string
  readonly chargebacksMinor: string
  readonly heldMinor: string
  readonly releasedMinor: string
  readonly reserveMinor: string
}

test('statements add up to the ledger to the cent', async () => {
  const correction = await finance.post(`/merchants/${idOf('demo')}/corrections`, {
    currency: 'EUR',
    amountMinor: '5000',
    reason: 'goodwill',
  })
  assert.equal((await approve(correction.body.approvalId, finance)).http, 403, 'not by the person who asked')
  assert.equal((await approve(correction.body.approvalId)).http, 200)
  const lastDay = today()
  await shop.advance(day + 3_600_000)
  const { body } = await finance.post('/statements', { lastDay })
  assert.equal(body.closed, names.length * currencies.length)
  const { statements } = (await finance.get('/statements?limit=200')).body
  // Of each sale a twentieth, rounded to the nearest, for seven days: it was held and released within the month.
  const reserves: Readonly<Record<Currency, string>> = { EUR: '222', JPY: '6252', KWD: '5562' }
  const returned: Readonly<Record<Currency, readonly string[]>> = {
    EUR: ['1111', '1000'],
    JPY: ['500', '70'],
    KWD: ['111', '10005'],
  }
  for (const one of statements as Statement[]) {
    assert.deepEqual(
      [one.heldMinor, one.releasedMinor, one.reserveMinor],
      [reserves[one.currency], reserves[one.currency], '0'],
    )
    assert.deepEqual([one.refundsMinor, one.chargebacksMinor], returned[one.currency], one.currency)
  }
  for (const { merchantId: of, currency, closingMinor } of statements as Statement[]) {
    const [{ owed } = { owed: '' }] = await rowsOf<{ owed: string }>(
      `select sum(case when to_account in ('settled', 'payable') then amount_minor else 0 end
         - case when from_account in ('settled', 'payable') then amount_minor else 0 end)::text as owed
       from (select merchant_id, currency, from_account, to_account, amount_minor from ledger_entries
         union all select merchant_id, currency, from_account, to_account, amount_minor from account_entries) all_entries
       where merchant_id = $1 and currency = $2`,
      [of, currency],
    )
    assert.equal(closingMinor, owed, `${of} ${currency}`)
  }
  const light = await statementLight()
  assert.deepEqual([light.ok, light.checked], [true, names.length * currencies.length])
  const [first] = statements
  const pdf = await finance.get(`/merchants/${first.merchantId}/statements/${first.id}/pdf`)
  assert.equal(Buffer.from(pdf.body.content, 'base64').subarray(0, 5).toString(), '%PDF-')
})

const from = { holder: 'Operator', number: 'DE89370400440532013000', bic: null }
const prepare = (currency: Currency) =>
  finance.post('/payout-runs', { currency, from, executeOn: today(), reason: 'monthly payout' })

test('payouts go out once: one file per run, decided once, and no statement twice', async () => {
  const runs: string[] = []
  for (const currency of currencies) {
    const both = await Promise.all([prepare(currency), prepare(currency)])
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
  for (const currency of currencies) assert.equal((await prepare(currency)).http, 409, 'nothing is left to pay')
  await markPaidByBank(runs)
})

/** The first run by its transfers, the second as one sum, the third by hand. */
async function markPaidByBank([first = '', second = '', third = '']: readonly string[]): Promise<void> {
  const run = (await finance.get(`/payout-runs/${first}`)).body
  const line = (endToEnd: string, amount: string, ref: string) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today()}</Dt></BookgDt>
     <AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${endToEnd}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`
  const euros = (minor: string): string => (Number(minor) / 100).toFixed(2)
  const [item] = run.list
  const wrong = await importBank([line(item.endToEnd, euros(String(Number(item.amountMinor) + 1)), 'W1')])
  assert.deepEqual([wrong.paidItems, wrong.reports.length], [0, 1], 'another amount marks nothing')
  const lines = run.list.map((one: { endToEnd: string; amountMinor: string }, index: number) =>
    line(one.endToEnd, euros(one.amountMinor), `D${index}`),
  )
  assert.equal((await importBank(lines)).paidItems, run.list.length)
  assert.equal((await finance.get(`/payout-runs/${first}`)).body.state, 'paid')

  const batch = (await finance.get(`/payout-runs/${second}`)).body
  const sum = `<Ntry><Amt Ccy="JPY">${batch.totalMinor}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today()}</Dt></BookgDt>
    <AcctSvcrRef>BATCH</AcctSvcrRef><NtryDtls><Btch><PmtInfId>${second.replaceAll('-', '')}</PmtInfId></Btch></NtryDtls></Ntry>`
  assert.equal((await importBank([sum])).paidItems, batch.items)

  const tomorrow = await finance.post(`/payout-runs/${third}/paid`, { paidOn: today(1) })
  assert.equal(tomorrow.http, 422)
  assert.equal((await finance.post(`/payout-runs/${third}/paid`, { paidOn: today() })).http, 200)
  assert.equal((await finance.post(`/payout-runs/${third}/paid`, { paidOn: today() })).http, 409, 'paid already')
}

test('a run that is refused frees its statements, and an outdated one pays nothing', async () => {
  await shop.sale({ order_amount: '80.00' })
  let lastDay = today()
  await shop.advance(day + 3_600_000)
  await finance.post('/statements', { lastDay })
  const refused = (await prepare('EUR')).body
  assert.equal((await colleague.post(`/approvals/${refused.approvalId}/refuse`, { note: 'wait' })).http, 200)
  const outdated = (await prepare('EUR')).body
  assert.ok(outdated.approvalId, 'the statement can be paid by another run')
  assert.equal((await finance.get(`/payout-runs/${refused.id}`)).body.state, 'cancelled')
  lastDay = today()
  await shop.advance(day + 3_600_000)
  await finance.post('/statements', { lastDay })
  const answer = await approve(outdated.approvalId)
  assert.deepEqual([answer.body.state, /newer statement/.test(answer.text)], ['failed', true], answer.text)
  assert.equal((await finance.get(`/payout-runs/${outdated.id}/file`)).http, 409)
  const current = (await prepare('EUR')).body
  assert.equal((await approve(current.approvalId)).body.state, 'done')
})

interface Day {
  readonly currency: string
  readonly announcedMinor: string
  readonly bankMinor: string
  readonly outstandingMinor: string
  readonly outstandingSince: string | null
  readonly overdue: boolean
  readonly bankDifferences: number
}

const daysIn = async (midId: string | undefined, currency: string): Promise<readonly Day[]> => {
  const { days } = (await finance.get(`/settlements/days?midId=${midId}&from=${today(-40)}&to=${today()}`)).body
  return days.filter((one: Day) => one.currency === currency && one.announcedMinor !== '0')
}

test('what the bank has not booked after five banking days is missing, and a late statement or settlement file explains it', async () => {
  const [firstMid, secondMid] = [...mids.values()]
  assert.ok(forgotten)
  await shop.advance(10 * day)
  await importBank([])
  const found = (await bankDifferences()).map(named)
  assert.ok(found.includes('bank-missing 1 JPY null'), found.join('\n'))
  assert.ok(found.includes('bank-unknown no MID EUR UNKNOWN'), found.join('\n'))
  const [outstanding] = await daysIn(secondMid, 'JPY')
  assert.deepEqual(
    [outstanding?.bankMinor, outstanding?.outstandingMinor, outstanding?.overdue, outstanding?.bankDifferences],
    ['0', forgotten.net, true, 1],
  )
  const [doubled] = await daysIn(firstMid, 'JPY')
  assert.deepEqual(
    [doubled?.bankMinor, doubled?.outstandingSince, doubled?.bankDifferences],
    [doubled?.announcedMinor, null, 2],
  )

  await importBank([creditOf('LATE', forgotten)])
  const [late] = await daysIn(secondMid, 'JPY')
  assert.deepEqual([late?.bankMinor, late?.outstandingSince, late?.bankDifferences], [forgotten.net, null, 0])
  const unnamed = creditOf('UNNAMED', { currency: 'EUR', net: '1234', payout: 'PAYOUT-COMING' })
  await importBank([unnamed])
  await shop.advance(10 * day)
  await importBank([])
  const isUnnamed = ({ ref }: BankDifference): boolean => ref === 'UNNAMED'
  assert.equal((await bankDifferences()).filter(isUnnamed).length, 1)
  const coming = `row,type,currency,gross,fee,net,date,payout\nCOMING,adjustment,EUR,12.34,0,12.34,${today()},PAYOUT-COMING\nend,1\n`
  await finance.post('/settlements', { midId: firstMid, name: 'coming.csv', content: base64(coming) })
  assert.equal((await bankDifferences()).filter(isUnnamed).length, 0)
  const closed = (await bankDifferences(false)).filter(
    (one) => isUnnamed(one) || named(one) === 'bank-missing 1 JPY null',
  )
  assert.deepEqual(
    closed.map(({ note }) => String(note).slice(0, 34)).toSorted(),
    ['A later import explained it: the b', 'The acquirer announced it later, a'],
    'nothing is deleted',
  )
})

test('two people post what the bank received less or more to the account of differences, and it is expected no longer', async () => {
  const open = await bankDifferences()
  const resolve = async (kind: string) => {
    const id = open.find((one) => one.kind === kind)?.id
    const { body } = await finance.post(`/settlements/differences/${id}/resolve`, { note: 'explained', correct: true })
    assert.equal((await approve(body.approvalId, finance)).http, 403, 'not by the person who asked')
    const approved = await approve(body.approvalId)
    assert.equal(approved.body.state, 'done', approved.text)
    return rowsOf<{ entry: string }>(
      `select from_account || ' to ' || to_account || ' ' || amount_minor as entry from book_entries where source = 'difference ' || $1::text`,
      [id],
    )
  }
  const [{ net } = { net: '' }] = await rowsOf<{ net: string }>(
    `select announced_minor::text as net from bank_differences where kind = 'bank-doubled'`,
  )
  assert.deepEqual(await resolve('bank-amount'), [{ entry: 'bank to differences 1' }])
  assert.deepEqual(await resolve('bank-doubled'), [{ entry: `differences to bank ${net}` }])
  const currency = open.find(({ kind }) => kind === 'bank-currency')?.id
  const refused = await finance.post(`/settlements/differences/${currency}/resolve`, {
    note: 'explained',
    correct: true,
  })
  assert.equal(refused.http, 422, 'two currencies have no common sum')
  await shop.advance(day)
  await importBank([])
  const left = (await bankDifferences()).map(({ kind }) => kind)
  assert.ok(!left.includes('bank-amount') && !left.includes('bank-doubled'), left.join())
  const [firstMid] = mids.values()
  const { payouts } = (await finance.get(`/settlements/payouts?midId=${firstMid}&from=${today(-60)}`)).body
  const settled = payouts.filter((one: Payout) => one.payout.startsWith('PAYOUT-sandbox') && one.currency !== 'KWD')
  assert.deepEqual(
    settled.map(({ currency, state }: { currency: string; state: string }) => `${currency} ${state}`),
    ['EUR matches', 'JPY matches'],
  )
})

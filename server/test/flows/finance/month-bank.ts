/** What the operator's bank books in a month: most payouts of the acquirers as announced, and some otherwise. */
import assert from 'node:assert/strict'
import { dayMs } from '#domain/time.ts'
import { base64, decimal } from './month-files.ts'
import { type Currency, currencies, type Month } from './month-scene.ts'

export interface Payout {
  readonly midId: string
  readonly payout: string
  readonly currency: string
  readonly net: string
}

/** Returns the payout of the second MID that the bank forgets. */
export async function bookPayouts(month: Month): Promise<Payout> {
  const { mids, today } = month
  const payouts = await announcedPayouts(month)
  const [firstMid, secondMid] = [...mids.values()]
  const payoutIn = (midId: string | undefined, currency: Currency): Payout => {
    const found = payouts.find((one) => one.midId === midId && one.currency === currency)
    if (!found) return assert.fail(`There is no payout in ${currency}.`)
    return found
  }
  const [short, doubled, converted] = [payoutIn(firstMid, 'EUR'), payoutIn(firstMid, 'JPY'), payoutIn(firstMid, 'KWD')]
  const forgotten = payoutIn(secondMid, 'JPY')
  const fine = payouts.filter(
    (one) => ![short, doubled, converted, forgotten].includes(one) && !one.net.startsWith('-'),
  )
  const entries = [
    ...fine.map((one, index) => creditOf(today(), `C${index}`, one)),
    creditOf(today(), 'SHORT', { ...short, net: String(BigInt(short.net) - 1n) }),
    creditOf(today(), 'TWICE1', doubled),
    creditOf(today(), 'TWICE2', doubled),
    creditOf(today(), 'USD', { ...converted, currency: 'USD', net: '777' }),
    creditOf(today(), 'UNKNOWN', { currency: 'EUR', net: '4321', payout: 'of something else' }),
  ]
  const period = { firstDay: today(-8), lastDay: today(-1) }
  const first = await importBank(month, entries, period)
  assert.deepEqual([first.lines, first.known, first.received], [entries.length, 0, entries.length - 1])
  const again = await importBank(month, entries, period)
  assert.deepEqual([again.known, again.differences], [entries.length, 0], 'a second import changes nothing')
  assert.deepEqual((await bankDifferences(month)).map((one) => named(month, one)).toSorted(), [
    'bank-amount 0 EUR null',
    'bank-currency 0 USD USD',
    'bank-doubled 0 JPY TWICE2',
  ])
  assert.equal(first.differences, 3)
  return forgotten
}

export async function explainMissing(month: Month, forgotten: Payout): Promise<void> {
  const { shop, finance, mids, today } = month
  const [firstMid, secondMid] = [...mids.values()]
  await shop.advance(10 * dayMs)
  await importBank(month, [])
  const found = (await bankDifferences(month)).map((one) => named(month, one))
  assert.ok(found.includes('bank-missing 1 JPY null'), found.join('\n'))
  assert.ok(found.includes('bank-unknown no MID EUR UNKNOWN'), found.join('\n'))
  const [outstanding] = await daysIn(month, secondMid, 'JPY')
  assert.deepEqual(
    [outstanding?.bankMinor, outstanding?.outstandingMinor, outstanding?.overdue, outstanding?.bankDifferences],
    ['0', forgotten.net, true, 1],
  )
  const [doubled] = await daysIn(month, firstMid, 'JPY')
  assert.deepEqual(
    [doubled?.bankMinor, doubled?.outstandingSince, doubled?.bankDifferences],
    [doubled?.announcedMinor, null, 2],
  )

  await importBank(month, [creditOf(today(), 'LATE', forgotten)])
  const [late] = await daysIn(month, secondMid, 'JPY')
  assert.deepEqual([late?.bankMinor, late?.outstandingSince, late?.bankDifferences], [forgotten.net, null, 0])
  const unnamed = creditOf(today(), 'UNNAMED', { currency: 'EUR', net: '1234', payout: 'PAYOUT-COMING' })
  await importBank(month, [unnamed])
  await shop.advance(10 * dayMs)
  await importBank(month, [])
  const isUnnamed = ({ ref }: BankDifference): boolean => ref === 'UNNAMED'
  assert.equal((await bankDifferences(month)).filter(isUnnamed).length, 1)
  const coming = `row,type,currency,gross,fee,net,date,payout\nCOMING,adjustment,EUR,12.34,0,12.34,${today()},PAYOUT-COMING\nend,1\n`
  await finance.post('/settlements', { midId: firstMid, name: 'coming.csv', content: base64(coming) })
  assert.equal((await bankDifferences(month)).filter(isUnnamed).length, 0)
  const closed = (await bankDifferences(month, false)).filter(
    (one) => isUnnamed(one) || named(month, one) === 'bank-missing 1 JPY null',
  )
  assert.deepEqual(
    closed.map(({ note }) => String(note).slice(0, 34)).toSorted(),
    ['A later import explained it: the b', 'The acquirer announced it later, a'],
    'nothing is deleted',
  )
}

export async function postDifferences(month: Month): Promise<void> {
  const { shop, finance, mids, today, rowsOf, approve } = month
  const open = await bankDifferences(month)
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
  await shop.advance(dayMs)
  await importBank(month, [])
  const left = (await bankDifferences(month)).map(({ kind }) => kind)
  assert.ok(!left.includes('bank-amount') && !left.includes('bank-doubled'), left.join())
  const [firstMid] = mids.values()
  const { payouts } = (await finance.get(`/settlements/payouts?midId=${firstMid}&from=${today(-60)}`)).body
  const settled = payouts.filter((one: Payout) => one.payout.startsWith('PAYOUT-sandbox') && one.currency !== 'KWD')
  assert.deepEqual(
    settled.map(({ currency, state }: { currency: string; state: string }) => `${currency} ${state}`),
    ['EUR matches', 'JPY matches'],
  )
}

interface Day {
  readonly currency: string
  readonly announcedMinor: string
  readonly bankMinor: string
  readonly outstandingMinor: string
  readonly outstandingSince: string | null
  readonly overdue: boolean
  readonly bankDifferences: number
}

async function daysIn({ finance, today }: Month, midId: string | undefined, currency: string): Promise<readonly Day[]> {
  const { days } = (await finance.get(`/settlements/days?midId=${midId}&from=${today(-40)}&to=${today()}`)).body
  return days.filter((one: Day) => one.currency === currency && one.announcedMinor !== '0')
}

/** What the first settlement files announced, one sum per MID and currency. */
const announcedPayouts = ({ rowsOf }: Month) =>
  rowsOf<Payout>(
    `select mid_id as "midId", payout, currency, sum(net_minor)::text as net from settlement_rows where payout like 'PAYOUT%' or payout = 'batch 41'
     group by 1, 2, 3 order by 1, 2, 3`,
  )

function creditOf(day: string, ref: string, { currency, net, payout }: Omit<Payout, 'midId'>): string {
  return `<Ntry><Amt Ccy="${currency}">${decimal(BigInt(net), currency)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
    <AcctSvcrRef>${ref}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>Settlement ${payout}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

const balanceIn = (currency: Currency): string => `<Bal><Amt Ccy="${currency}">0</Amt></Bal>`

interface Period {
  readonly firstDay?: string
  readonly lastDay?: string
}

const camt = (entries: readonly string[], { firstDay, lastDay }: Required<Period>): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>
   <FrToDt><FrDtTm>${firstDay}T00:00:00</FrDtTm><ToDtTm>${lastDay}T23:59:59</ToDtTm></FrToDt>
   <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${currencies.map(balanceIn).join('')}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`

/** Without a period, the statement is of today. */
export async function importBank({ finance, today }: Month, entries: readonly string[], period: Period = {}) {
  const content = base64(camt(entries, { firstDay: today(), lastDay: today(), ...period }))
  const answer = await finance.post('/bank-statements', { name: 'b.xml', content })
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

const bankDifferences = async ({ finance }: Month, open = true): Promise<readonly BankDifference[]> =>
  (await finance.get(`/settlements/differences?limit=200&reportedBy=bank&open=${open}`)).body.differences

const named = ({ mids }: Month, { kind, midId, currency, ref }: BankDifference): string =>
  `${kind} ${midId === null ? 'no MID' : [...mids.values()].indexOf(midId)} ${currency} ${ref}`

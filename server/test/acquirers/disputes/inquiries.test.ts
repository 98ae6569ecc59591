/**
 * Inquiries: the payer's bank asks before it takes money. One dispute from the inquiry to its chargeback, in any order of the reports, and no money moves before.
 * Chapter 70 §4, decisions/disputes#inquiries.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { now } from '#sandbox/acquirers/kit/clock.ts'
import { enterEvent } from '#server/payments/commands/acquirer-event.ts'
import { recordSettledChargeback } from '#server/payments/commands/settled-chargeback.ts'
import { operationDeps } from '../../operation-deps.ts'
import { panelOf } from '../../panel/admin.ts'
import { openAdyenScene } from '../adyen-scene.ts'

const scene = await openAdyenScene()
after(() => scene[Symbol.asyncDispose]())
const { shop, pool, midId, merchantId, settle } = scene
const deps = operationDeps(shop)
const finance = await panelOf(shop, { role: 'finance' })

const minuteMs = 60_000
const begin = now().getTime()
/** Later reports are dated later, whenever they arrive. */
const at = (minute: number): Date => new Date(begin + minute * minuteMs)
const dayAfter = (days: number): string => new Date(begin + days * 24 * 60 * minuteMs).toISOString().slice(0, 10)

type Event = Parameters<typeof enterEvent>[2]
type Taken = Extract<Event, { kind: 'chargeback' }>
type Change = Extract<Event, { kind: 'dispute-changed' }>
type ChangedMembers = 'state' | 'isInquiry' | 'evidenceDueAt' | 'amountMinor'

const reported = (
  paymentId: string,
  minute: number,
  change: Pick<Change, 'state'> & Partial<Pick<Change, ChangedMembers>>,
): Change => ({
  kind: 'dispute-changed',
  reference: `${paymentId} ${minute}`,
  dispute: `dp_${paymentId}`,
  chargeback: `dp_${paymentId}`,
  paymentId,
  at: at(minute),
  amountMinor: 1000n,
  evidenceDueAt: null,
  reasonCode: '10.4 fraudulent',
  ...change,
})

const asks = (paymentId: string, minute: number, days = 9): Change =>
  reported(paymentId, minute, {
    state: 'opened',
    isInquiry: true,
    evidenceDueAt: new Date(`${dayAfter(days)}T12:00:00Z`),
  })
const closes = (paymentId: string, minute: number): Change =>
  reported(paymentId, minute, { state: 'won', isInquiry: true })
const wantsEvidence = (paymentId: string, minute: number, days = 20): Change =>
  reported(paymentId, minute, {
    state: 'evidence-due',
    isInquiry: false,
    evidenceDueAt: new Date(`${dayAfter(days)}T12:00:00Z`),
  })
const takes = (paymentId: string, minute: number): Taken => ({
  kind: 'chargeback',
  reference: `dp_${paymentId}`,
  paymentId,
  amountMinor: 1000n,
  at: at(minute),
  bankDate: dayAfter(0),
  reasonCode: '10.4 fraudulent',
})

const enter = (event: Event) => enterEvent(deps, midId, event)

const disputesOf = async (paymentId: string): Promise<readonly string[]> =>
  (
    await pool.query<{ text: string }>(
      `select concat_ws(' ', stage, case when charged_back then 'charged back' end, answer, due_on) as text
       from disputes where payment_id = $1 order by opened_at`,
      [paymentId],
    )
  ).rows.map(({ text }) => text)

const taken = 'settled -> charged_back 1000'
const movementsOf = async (paymentId: string): Promise<readonly string[]> => (await shop.postings(paymentId)).slice(1)
const chargebacksOf = async (paymentId: string): Promise<readonly string[]> =>
  (
    await pool.query<{ id: string }>(
      `select t.id from transactions t join disputes d on d.id = t.id where t.payment_id = $1 and t.type = 'CHARGEBACK'`,
      [paymentId],
    )
  ).rows.map(({ id }) => id)
const callbacksOf = async (paymentId: string): Promise<number> =>
  (await pool.query('select 1 from callbacks where payment_id = $1', [paymentId])).rows.length

async function assertUntouched(paymentId: string, callbacks: number): Promise<void> {
  assert.equal(await scene.statusOf(paymentId), 'SETTLED')
  assert.deepEqual(await movementsOf(paymentId), [])
  assert.deepEqual(await chargebacksOf(paymentId), [])
  assert.equal(await callbacksOf(paymentId), callbacks)
}

test('an inquiry is a dispute with its deadline and takes no money', async () => {
  const paymentId = await settle()
  const callbacks = await callbacksOf(paymentId)
  for (const _ of ['reported', 'reported again']) assert.deepEqual(await enter(asks(paymentId, 0)), { kind: 'entered' })
  assert.deepEqual(await disputesOf(paymentId), [`inquiry ${dayAfter(9)}`])
  await assertUntouched(paymentId, callbacks)
  const { rows } = await pool.query('select text from alerts where payment_id = $1', [paymentId])
  assert.deepEqual(rows.length, 1)
  assert.match(rows[0].text, /^The inquiry dp_\S+ is opened \(reason 10\.4 fraudulent\)\. Send evidence/)
})

test('an inquiry whose amount is not told is about the whole payment', async () => {
  const paymentId = await settle()
  await enter(reported(paymentId, 0, { state: 'opened', isInquiry: true, amountMinor: null }))
  const { rows } = await pool.query('select amount_minor::text as amount from disputes where payment_id = $1', [
    paymentId,
  ])
  assert.deepEqual(rows, [{ amount: '1000' }])
})

test('an inquiry that closes ends the dispute, and nothing is returned', async () => {
  const paymentId = await settle()
  const callbacks = await callbacksOf(paymentId)
  for (const event of [asks(paymentId, 0), closes(paymentId, 2), closes(paymentId, 2)]) await enter(event)
  assert.deepEqual(await disputesOf(paymentId), [`won ${dayAfter(9)}`])
  await assertUntouched(paymentId, callbacks)
})

test('an inquiry whose end is read first stays closed', async () => {
  const paymentId = await settle()
  for (const event of [closes(paymentId, 2), asks(paymentId, 0)]) await enter(event)
  assert.deepEqual((await disputesOf(paymentId)).length, 1)
  assert.match((await disputesOf(paymentId)).join(), /^won/)
})

/** Every order of some reports. */
const ordersOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.length < 2
    ? [all]
    : all.flatMap((one) => ordersOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest]))

const reports = { asks, takes, wantsEvidence }
for (const order of ordersOf(Object.keys(reports) as (keyof typeof reports)[])) {
  test(`one dispute and one chargeback, with the deadline of the chargeback: ${order.join(', ')}`, async () => {
    const paymentId = await settle()
    const minutes = { asks: 0, takes: 5, wantsEvidence: 5 }
    const events = order.map((name) => reports[name](paymentId, minutes[name]))
    // Repeated, as acquirers do; the second time also what had to wait.
    for (const event of [...events, ...events]) await enter(event)
    assert.deepEqual(await disputesOf(paymentId), [`chargeback charged back ${dayAfter(20)}`])
    assert.deepEqual(await movementsOf(paymentId), [taken])
    assert.equal((await chargebacksOf(paymentId)).length, 1)
    assert.equal(await scene.statusOf(paymentId), 'CHARGEBACK')
  })
}

test('inquiry and chargeback at the same moment are one dispute and one movement', async () => {
  for (const _ of ['once', 'twice', 'three times']) {
    const paymentId = await settle()
    const both = [asks(paymentId, 0), takes(paymentId, 1), asks(paymentId, 0), takes(paymentId, 1)]
    await Promise.all(both.map(enter))
    const [dispute, ...more] = await disputesOf(paymentId)
    assert.match(dispute ?? '', /^chargeback charged back/)
    assert.deepEqual(more, [])
    assert.deepEqual(await movementsOf(paymentId), [taken])
  }
})

test('a closed inquiry that becomes a chargeback after all is open again', async () => {
  const paymentId = await settle()
  for (const event of [asks(paymentId, 0), closes(paymentId, 2), takes(paymentId, 3), closes(paymentId, 2)])
    await enter(event)
  assert.deepEqual(await disputesOf(paymentId), ['chargeback charged back'])
})

test('a decision about the chargeback waits for it and does not end the inquiry', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  for (const lost of [
    reported(paymentId, 6, { state: 'lost', isInquiry: false }),
    reported(paymentId, 7, { state: 'lost' }),
  ])
    assert.equal((await enter(lost)).kind, 'later')
  assert.deepEqual(await disputesOf(paymentId), [`inquiry ${dayAfter(9)}`])
  await enter(takes(paymentId, 5))
  assert.equal((await enter(reported(paymentId, 6, { state: 'lost', isInquiry: false }))).kind, 'entered')
  assert.deepEqual(await disputesOf(paymentId), ['lost charged back'])
})

test('a report about an inquiry that became a chargeback meanwhile changes nothing', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  const [inquiry] = await deps.disputes.listOfPayment(merchantId, paymentId)
  await enter(takes(paymentId, 5))
  const closed = {
    stage: 'won',
    dueOn: dayAfter(9),
    caseReference: 'dp',
    reportedAt: at(2),
    isChargedBack: false,
  } as const
  await deps.disputes.report(inquiry ?? assert.fail('There is no inquiry.'), { ...closed, at: now() })
  assert.deepEqual(await disputesOf(paymentId), ['chargeback charged back'])
})

test('money that comes back waits for the chargeback and does not count for an inquiry', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  const returned = {
    kind: 'chargeback-returned',
    reference: `R ${paymentId}`,
    chargeback: `dp_${paymentId}`,
    paymentId,
  } as const
  const event = { ...returned, at: at(9), amountMinor: 1000n, mayBeUntaken: false }
  assert.equal((await enter(event)).kind, 'later')
  await enter(takes(paymentId, 5))
  assert.equal((await enter(event)).kind, 'entered')
  assert.deepEqual(await movementsOf(paymentId), [taken, 'charged_back -> settled 1000'])
})

test('the answer to an inquiry is not the answer to its chargeback', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  const path = await pathOf(paymentId)
  await addEvidence(path)
  assert.equal((await finance.post(`${path}/answer`, { answer: 'contested', byHand: true })).http, 200)
  assert.deepEqual(await disputesOf(paymentId), [`inquiry contested ${dayAfter(9)}`])
  await enter(takes(paymentId, 5))
  assert.deepEqual(await disputesOf(paymentId), ['chargeback charged back'])
  const { files, answers } = (await finance.get(path)).body
  assert.equal(files[0].sentAt, null, 'the evidence can be changed, and is sent again')
  assert.equal(answers.length, 1, 'what was sent when stays known')
  assert.equal((await finance.post(`${path}/answer`, { answer: 'contested', byHand: true })).http, 200)
})

test('an answer to an inquiry that was not sent yet is withdrawn by its chargeback; one that may have arrived stays', async () => {
  for (const [state, answer] of [
    ['waiting', null],
    ['unknown', 'contested'],
  ] as const) {
    const paymentId = await settle()
    await enter(asks(paymentId, 0))
    await pool.query(
      `with answered as (update disputes set answer = 'contested', answered_at = now() where payment_id = $1 returning merchant_id, id)
       insert into dispute_answers (merchant_id, dispute_id, id, answer, way, state, requested_by, requested_at, next_at)
       select merchant_id, id, gen_random_uuid(), 'contested', 'acquirer', $2, 'A person', now(), null from answered`,
      [paymentId, state],
    )
    await enter(takes(paymentId, 5))
    const shown = (await finance.get(await pathOf(paymentId))).body
    assert.deepEqual([shown.answer, shown.answers[0].state], [answer, state === 'waiting' ? 'refused' : 'unknown'])
  }
})

test('people end an inquiry without money, and cannot make it a chargeback by its stage', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  const path = await pathOf(paymentId)
  const change = { answer: null, dueOn: null }
  const refused = await finance.send('PUT', path, { ...change, stage: 'chargeback' })
  assert.deepEqual([refused.http, refused.body.error.fields[0].field], [422, 'stage'])
  assert.equal((await finance.send('PUT', path, { ...change, stage: 'won' })).http, 200)
  assert.deepEqual(await disputesOf(paymentId), ['won'])
  assert.deepEqual(await movementsOf(paymentId), [])
})

test('a chargeback that a person records by the name of the inquiry continues it, and the notification counts no more', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  await pool.query(`update disputes set case_reference = 'CASE-1' where payment_id = $1`, [paymentId])
  const chargeback = { reference: 'CASE-1', amountMinor: '400', bankDate: dayAfter(0), reasonCode: '10.4 Fraud' }
  for (const _ of ['recorded', 'again']) {
    const recorded = await finance.post(`/merchants/${merchantId}/payments/${paymentId}/chargeback`, chargeback)
    assert.equal(recorded.http, 200, recorded.text)
  }
  await enter({ ...takes(paymentId, 5), amountMinor: 400n })
  assert.deepEqual(await disputesOf(paymentId), ['chargeback charged back'])
  assert.deepEqual(await movementsOf(paymentId), ['settled -> charged_back 400'])
})

test('a chargeback that a person records under another name is another dispute', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  const chargeback = { reference: 'OTHER', amountMinor: '400', bankDate: dayAfter(0), reasonCode: '10.4 Fraud' }
  assert.equal((await finance.post(`/merchants/${merchantId}/payments/${paymentId}/chargeback`, chargeback)).http, 200)
  assert.deepEqual(await disputesOf(paymentId), [`inquiry ${dayAfter(9)}`, 'chargeback charged back'])
})

// biome-ignore format: a table is read in columns.
const rows = [
  // what                               amount  reference   disputes after the file, then after the notification
  ['of the same amount',                 1000n,  null,      ['chargeback charged back'], ['chargeback charged back']],
  ['of another amount, named',           900n,   'dp',      ['chargeback charged back'], ['chargeback charged back']],
  ['of another amount, under its own name', 900n, 'ROW-9',  ['inquiry', 'chargeback charged back'], ['inquiry', 'chargeback charged back']],
] as const

for (const [what, amountMinor, reference, atFirst, atLast] of rows) {
  test(`a settlement file's chargeback ${what}, after the inquiry: its money counts once`, async () => {
    const paymentId = await settle()
    await enter(reported(paymentId, 0, { state: 'opened', isInquiry: true }))
    const none = async () => new Set<string>()
    const row = {
      midId,
      paymentId,
      row: `ROW ${paymentId}`,
      reference: reference === 'dp' ? `dp_${paymentId}` : reference,
      currency: 'EUR',
      amountMinor,
      bookedOn: dayAfter(0),
      reasonCode: '0000 Unknown',
      listSettledAmong: none,
      listPostedAmong: none,
    }
    for (const _ of ['approved', 'after a crash'])
      assert.equal((await recordSettledChargeback(deps, row)).kind, 'recorded')
    assert.deepEqual(await disputesOf(paymentId), atFirst)
    for (const _ of ['notified', 'again']) await enter(takes(paymentId, 5))
    assert.deepEqual(await disputesOf(paymentId), atLast)
    assert.deepEqual(await movementsOf(paymentId), [`settled -> charged_back ${amountMinor}`])
  })
}

test('rates count chargebacks, and an inquiry from the day of its chargeback', async () => {
  const counted = async (): Promise<number> =>
    (await finance.get('/disputes/rates')).body.rates
      .filter((one: { midId: string }) => one.midId === midId)
      .reduce((sum: number, one: { disputes: number }) => sum + one.disputes, 0)
  const before = await counted()
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  assert.equal(await counted(), before)
  await enter(takes(paymentId, 5))
  assert.equal(await counted(), before + 1)
})

test('the list has inquiries, and its filter finds them', async () => {
  const paymentId = await settle()
  await enter(asks(paymentId, 0))
  const listed = async (query: string) =>
    (await finance.get(`/disputes?limit=200&${query}`)).body.disputes.filter(
      (one: { paymentId: string }) => one.paymentId === paymentId,
    )
  for (const query of ['', 'stage=inquiry', `merchantId=${merchantId}`]) {
    const [inquiry, ...more] = await listed(query)
    assert.deepEqual(
      [inquiry?.stage, inquiry?.isChargedBack, inquiry?.amountMinor, more],
      ['inquiry', false, '1000', []],
    )
  }
  assert.deepEqual(await listed('stage=chargeback'), [])
})

test('people are warned 7, 3 and 1 days before an inquiry has to be answered', async () => {
  const paymentId = await settle()
  const today = shop.base.clock.now().getTime()
  const due = new Date(today + 8 * 24 * 60 * minuteMs)
  await enter({ ...asks(paymentId, 0), evidenceDueAt: due })
  const counts: number[] = []
  for (const days of [1, 4, 2]) {
    await shop.advance(days * 24 * 60 * minuteMs)
    const { rows: alerts } = await pool.query(
      `select text from alerts where payment_id = $1 and kind = 'dispute-due'`,
      [paymentId],
    )
    counts.push(alerts.length)
    for (const { text } of alerts) assert.match(text, /^Inquiry dp_\S+ of 10\.00 EUR must be answered by/)
  }
  assert.deepEqual(counts, [1, 2, 3])
})

async function pathOf(paymentId: string): Promise<string> {
  const { rows: found } = await pool.query('select id from disputes where payment_id = $1', [paymentId])
  return `/merchants/${merchantId}/disputes/${found[0].id}`
}

async function addEvidence(path: string): Promise<void> {
  const content = Buffer.from('%PDF-1.7 proof').toString('base64')
  assert.equal((await finance.post(`${path}/files`, { name: 'proof.pdf', content })).http, 200)
}

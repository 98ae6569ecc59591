/** Chapter 70 §4: a chargeback is a dispute with a deadline, an answer and sealed evidence. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decideDispute, merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { copyPayments } from '../../../../../../test/panel/copied-payments.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { readZip } from '../../../../../setup/forms/zip.ts'
import { disputeAnswerLog } from '../../../../../store/finance/disputes/dispute-answers.ts'

let shop: Shop
let demo: string
let owner: PanelClient
let finance: PanelClient
before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  owner = await panelOf(shop)
  finance = await panelOf(shop, { role: 'finance' })
})
after(() => shop[Symbol.asyncDispose]())

const pdf = Buffer.from('%PDF-1.7 proof of delivery')

/** The address of a new dispute. */
async function dispute(reference: string): Promise<string> {
  const { body } = await shop.sale({ order_id: reference })
  const chargeback = { reference, amountMinor: '400', bankDate: '2026-03-01', reasonCode: '4837 Fraud' }
  for (const _ of ['entered', 'entered again']) {
    const answer = await finance.post(`/merchants/${demo}/payments/${body.trans_id}/chargeback`, chargeback)
    assert.equal(answer.http, 200, answer.text)
  }
  const { disputes } = (await finance.get('/disputes?limit=200')).body
  const found = disputes.filter((one: { reference: string }) => one.reference === reference)
  assert.equal(found.length, 1, 'a chargeback that is entered twice is one dispute')
  const [{ id, paymentId, stage, answer, amountMinor, network, reasonCode }] = found
  assert.deepEqual(
    [paymentId, stage, answer, amountMinor, network, reasonCode],
    [body.trans_id, 'chargeback', null, '400', 'visa', '4837 Fraud'],
  )
  return `/merchants/${demo}/disputes/${id}`
}

const open = { stage: 'chargeback', answer: null, dueOn: null }
const grounds = { reason: 'Decided', evidence: 'Letter of the acquirer' }
const addFile = (at: string, content: Buffer, name = 'proof.pdf') =>
  finance.post(`${at}/files`, { name, content: content.toString('base64') })

test('evidence is stored sealed, contested with the dispute, and comes back as it was', async () => {
  const at = await dispute('CB-EVIDENCE')
  const early = await finance.send('PUT', at, { ...open, answer: 'contested' })
  assert.deepEqual([early.http, early.body.error.fields[0].field], [422, 'answer'], 'not without evidence')
  assert.equal((await addFile(at, pdf)).http, 200)
  const { rows } = await shop.base.pool.query(
    "select count(*)::int as n from dispute_files where position('%PDF' in encode(sealed, 'escape')) > 0",
  )
  assert.equal(rows[0].n, 0)
  assert.equal((await finance.send('PUT', at, { ...open, answer: 'contested' })).http, 200)
  const { files, answer, answeredAt } = (await finance.get(at)).body
  assert.deepEqual([answer, files.length, files[0].type], ['contested', 1, 'application/pdf'])
  assert.ok(answeredAt !== null && files[0].sentAt !== null)
  const auditor = await panelOf(shop, { role: 'auditor' })
  for (const reader of [auditor, finance]) assert.equal((await reader.get(`${at}/bundle`)).http, 200)
  assert.equal(
    (await auditor.get(`${at}/files/${files[0].id}`)).http,
    200,
    'who may read the dispute, reads its evidence',
  )
  assert.equal((await auditor.send('DELETE', `${at}/files/${files[0].id}`, {})).http, 403)
  const { content } = (await finance.get(`${at}/files/${files[0].id}`)).body
  assert.deepEqual(Buffer.from(content, 'base64'), pdf)
})

test('an acquirer without an API gets a bundle by hand: a cover sheet and every file as it was', async () => {
  const at = await dispute('CB-BUNDLE')
  const shown = (await finance.get(at)).body
  assert.deepEqual([shown.isSent, shown.needsReason, shown.caseReference], [false, false, null])
  assert.deepEqual((await finance.get(`${at}/reasons`)).body.reasons, [])
  assert.equal((await finance.post(`${at}/answer`, { answer: 'contested' })).http, 422, 'not without evidence')
  assert.equal((await addFile(at, pdf, 'proof:1.pdf')).http, 200)
  assert.equal((await addFile(at, pdf, 'proof:1.pdf')).http, 200, 'two files of one name')
  const { name, content } = (await finance.get(`${at}/bundle`)).body
  assert.equal(name, 'dispute-CB-BUNDLE.zip')
  const bundle = readZip(Buffer.from(content, 'base64'), 1_000_000)
  assert.ok(bundle.ok)
  const [cover, first] = bundle.entries
  assert.deepEqual(
    bundle.entries.map(({ path }) => path),
    ['cover.pdf', '1-proof-1.pdf', '2-proof-1.pdf'],
  )
  assert.deepEqual(first?.content, pdf)
  assert.match(cover?.content.toString('latin1') ?? '', /^%PDF-/)

  assert.equal((await finance.post(`${at}/answer`, { answer: 'contested' })).http, 200)
  const { answer, answers, files: sent } = (await finance.get(at)).body
  assert.deepEqual([answer, answers.length, answers[0].way, answers[0].state], ['contested', 1, 'hand', 'taken'])
  assert.ok(sent.every(({ sentAt }: { sentAt: string | null }) => sentAt !== null))
  assert.equal((await finance.send('DELETE', `${at}/files/${sent[0].id}`, {})).http, 409, 'what was sent stays')
  assert.equal((await finance.post(`${at}/answer`, { answer: 'accepted' })).http, 409, 'one answer')
  assert.equal((await finance.send('PUT', at, open)).http, 200, 'one that was only recorded is withdrawn')
  assert.equal((await finance.post(`${at}/answer`, { answer: 'accepted' })).http, 200)
  assert.equal((await finance.send('PUT', `${at}/answer`, { hasArrived: true })).http, 409)
})

test('of two people who answer at once one is told that the dispute is answered', async () => {
  const at = await dispute('CB-TWICE')
  const results = await Promise.all(
    ['accepted', 'accepted', 'accepted', 'accepted'].map((answer) => finance.post(`${at}/answer`, { answer })),
  )
  assert.deepEqual(
    results.map(({ http }) => http).toSorted((one, other) => one - other),
    [200, 409, 409, 409],
  )
  assert.equal((await finance.get(at)).body.answers.length, 1)
  // The statement itself refuses the second, whatever was read before.
  const [disputeId = '', id] = [at.split('/').at(-1), shop.base.ids.next()]
  const second = { merchantId: demo, disputeId, id, answer: 'contested', way: 'hand', reason: null } as const
  const log = disputeAnswerLog(shop.base.pool)
  assert.equal(await log.give({ ...second, requestedBy: 'test', at: shop.base.clock.now() }), false)
  assert.equal((await finance.get(at)).body.answer, 'accepted')
})

test('a file that is no PDF, PNG or JPEG by its content, or larger than 5 MB, is refused', async () => {
  const at = await dispute('CB-FILES')
  assert.equal((await addFile(at, Buffer.from('<html>'), 'proof.pdf')).http, 422)
  const most = Buffer.concat([pdf, Buffer.alloc(5_000_000 - pdf.length)])
  const large = await addFile(at, Buffer.concat([most, Buffer.alloc(1)]))
  assert.equal(large.http, 422)
  assert.match(large.text, /A file may have up to 5 MB\. Make it smaller\./)
  assert.deepEqual((await finance.get(at)).body.files, [])
  const { taken } = (await finance.get(at)).body
  assert.deepEqual([taken.filesAtMost, taken.isOnePerKind, taken.pages, taken.note], [null, false, null, null])
  assert.equal((await addFile(at, most)).http, 200)
})

test('a dispute that was won or lost does not change any more, and is listed only among all', async () => {
  const at = await dispute('CB-WON')
  await decideDispute(at, 'won', [finance, owner])
  assert.equal((await finance.send('PUT', at, open)).http, 409)
  assert.equal((await finance.post(`${at}/decision`, { decision: 'lost', ...grounds })).http, 409)
  assert.equal((await addFile(at, pdf)).http, 409)
  const references = async (query: string) =>
    (await finance.get(`/disputes?limit=200&${query}`)).body.disputes.map((one: { reference: string }) => one.reference)
  assert.ok(!(await references('open=true')).includes('CB-WON'))
  assert.ok((await references('open=false')).includes('CB-WON'))
})

test('a dispute that two people record as won returns its money to the merchant, once', async () => {
  const at = await dispute('CB-RETURNED')
  const { paymentId } = (await finance.get(at)).body
  await finance.send('PUT', at, { ...open, answer: 'accepted', dueOn: '2027-01-31' })
  const before = (await finance.get(at)).body
  assert.deepEqual([before.returnedMinor, before.returnedAt, before.reportsDecisions], ['0', null, false])

  for (const stage of ['won', 'lost'])
    assert.match((await finance.send('PUT', at, { ...open, answer: 'accepted', stage })).text, /Two people decide/)
  const { approvalId } = (await finance.post(`${at}/decision`, { decision: 'won', ...grounds })).body
  assert.equal((await finance.get(at)).body.decisionRequestId, approvalId)
  assert.equal((await finance.post(`${at}/decision`, { decision: 'lost', ...grounds })).http, 409, 'one waits')
  assert.equal((await finance.post(`/approvals/${approvalId}/approve`, {})).http, 403, 'not the requester')
  assert.equal((await finance.get(at)).body.stage, 'chargeback')
  const results = await Promise.all(
    Array.from({ length: 4 }, () => owner.post(`/approvals/${approvalId}/approve`, { note: null })),
  )
  assert.ok(results.some(({ body }) => body.state === 'done'))
  const { stage, answer, returnedMinor, returnedAt } = (await finance.get(at)).body
  assert.deepEqual([stage, answer, returnedMinor], ['won', 'accepted', '400'])
  assert.ok(returnedAt)
  assert.deepEqual(await shop.postings(paymentId), [
    'payer -> settled 1000',
    'settled -> charged_back 400',
    'charged_back -> settled 400',
  ])
  const payment = (await finance.get(`/merchants/${demo}/payments/${paymentId}`)).body
  assert.match(JSON.stringify(payment), /"status":"CHARGEBACK"/)
  const { rows } = await shop.base.pool.query('select charged_back_minor::text as left from payments where id = $1', [
    paymentId,
  ])
  assert.equal(rows[0].left, '0')
})

test('a dispute that two people record as lost returns nothing', async () => {
  const at = await dispute('CB-LOST')
  const { paymentId } = (await finance.get(at)).body
  await decideDispute(at, 'lost', [finance, owner])
  assert.equal((await finance.post(`${at}/decision`, { decision: 'won', ...grounds })).http, 409)
  assert.equal((await shop.postings(paymentId)).at(-1), 'settled -> charged_back 400')
})

test('people of another merchant see neither the dispute nor its evidence', async () => {
  const at = await dispute('CB-OWN')
  const other = await merchantId(shop, 'demo-dms')
  const viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [other] })
  assert.deepEqual((await viewer.get('/disputes?open=false')).body.disputes, [])
  assert.equal((await viewer.get(at)).http, 404)
  assert.equal((await viewer.get(at.replace(demo, other))).http, 404)
})

test('an unanswered dispute raises an alert before its deadline, and an answered one does not', async () => {
  const [waiting, accepted] = [await dispute('CB-DUE'), await dispute('CB-ACCEPTED')]
  const dueOn = new Date(shop.base.clock.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10)
  await finance.send('PUT', waiting, { ...open, dueOn })
  await finance.send('PUT', accepted, { ...open, dueOn, answer: 'accepted' })
  const alerts = async (): Promise<readonly string[]> =>
    (await owner.get('/alerts?limit=200')).body.alerts
      .filter(({ kind }: { kind: string }) => kind === 'dispute-due')
      .map(({ text }: { text: string }) => `${text.split(' ')[1]} ${text.split(' ').at(-1)}`)
  await shop.advance(12 * 86_400_000)
  assert.deepEqual(await alerts(), [])
  for (const days of [1, 4, 2]) await shop.advance(days * 86_400_000)
  assert.deepEqual((await alerts()).toSorted(), ['CB-DUE 1.', 'CB-DUE 3.', 'CB-DUE 7.'])
})

test('the rate of a month is disputes per payment, of each MID and network', async () => {
  const day = shop.base.clock.now().toISOString().slice(0, 10)
  await shop.sale({})
  const { body } = await shop.sale({})
  const chargeback = { reference: 'CB-RATE', amountMinor: '400', bankDate: day, reasonCode: '4837' }
  await finance.post(`/merchants/${demo}/payments/${body.trans_id}/chargeback`, chargeback)
  const ratesOf = async () => (await finance.get(`/disputes/rates?day=${day}`)).body
  const { watchedShare, rates } = await ratesOf()
  assert.equal(watchedShare, 0.009)
  const [rate] = rates
  assert.deepEqual([rate.midName, rate.network, rate.isWatched], ['sandbox-live', 'visa', true])
  assert.equal(rate.share, rate.disputes / rate.payments)
  assert.ok(rate.payments >= 2 && rate.disputes >= 1)

  const below = Math.floor(rate.disputes / watchedShare) + 1
  await copyPayments(shop.base.pool, body.trans_id, below - rate.payments)
  const [later] = (await ratesOf()).rates
  assert.deepEqual([later.payments, later.disputes, later.isWatched], [below, rate.disputes, false])
  assert.ok(later.share < watchedShare)
})

test('disputes of test payments do not count in the rates, as test payments do not', async () => {
  const day = shop.base.clock.now().toISOString().slice(0, 10)
  const ratesOf = async () => (await finance.get(`/disputes/rates?day=${day}`)).body.rates
  const before = await ratesOf()
  const { body } = await shop.sale({}, { mode: 'test' })
  const chargeback = { reference: 'CB-TEST', amountMinor: '400', bankDate: day, reasonCode: '4837' }
  const entered = await finance.post(`/merchants/${demo}/payments/${body.trans_id}/chargeback`, chargeback)
  assert.equal(entered.http, 200, entered.text)
  assert.deepEqual(await ratesOf(), before)
})

/**
 * Disputes answered through the acquirers' APIs, from the panel to the stand-in's own record and back by its notification. Chapter 60 §5, chapter 70 §4.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { panelOf } from '../../panel/admin.ts'
import { type DisputeScene, openDisputeScenes, send } from './dispute-scene.ts'

const scenes = await openDisputeScenes()
after(() => scenes[Symbol.asyncDispose]())
const { shop, finance, sceneOf, until } = scenes
const { pool } = shop.base
const owner = await panelOf(shop)

interface Opened {
  /** Of the dispute in the admin API. */
  readonly at: string
  /** Of the payment at the stand-in. */
  readonly reference: string
}

/** A settled payment whose payer's bank disputes it, with the deadline and the acquirer's name of it known. */
async function openDispute({ merchant, merchantId, url }: DisputeScene, card_number?: string): Promise<Opened> {
  const { body } = await shop.sale(card_number === undefined ? {} : { card_number }, { merchant })
  assert.equal(body.status, 'SETTLED', JSON.stringify(body))
  const { rows } = await pool.query('select reference from transactions where payment_id = $1 limit 1', [body.trans_id])
  const reference: string = rows[0].reference
  assert.equal(await send('POST', `${url}/disputes`, { payment: reference, step: 'open' }), 201)
  const id = await until('a dispute with a deadline', async () => {
    const found = await pool.query(
      'select id from disputes where payment_id = $1 and due_on is not null and case_reference is not null',
      [body.trans_id],
    )
    return found.rows[0]?.id
  })
  return { at: `/merchants/${merchantId}/disputes/${id}`, reference }
}

const [pdf, jpeg] = [Buffer.from('%PDF-1.7 receipt'), Buffer.from('ffd8ffe000', 'hex')]
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const addFile = (at: string, name: string, bytes: Buffer, kind: string) =>
  finance.post(`${at}/files`, { name, content: bytes.toString('base64'), kind })

async function addEvidence(at: string): Promise<void> {
  for (const [name, bytes, kind] of [
    ['receipt.pdf', pdf, 'receipt'],
    ['note.jpg', jpeg, 'delivery'],
  ] as const) {
    const added = await addFile(at, name, bytes, kind)
    assert.equal(added.http, 200, added.text)
  }
}

const answersAt = async (url: string, payment: string) =>
  (JSON.parse(await (await fetch(`${url}/disputes/answers`)).text()) as readonly { readonly payment: string }[]).filter(
    (one) => one.payment === payment,
  )
const newest = async (at: string) => (await finance.get(at)).body.answers.at(-1)
const alertsOf = async (word: string): Promise<readonly string[]> =>
  (await owner.get('/alerts?limit=200')).body.alerts
    .filter(({ kind, text }: { kind: string; text: string }) => kind === 'dispute-answer' && text.includes(word))
    .map(({ text }: { text: string }) => text)

// biome-ignore format: a table is read in columns.
const acquirers = [
  // connector   title           reason                  what the files are there
  ['adyen',      'Adyen',        'GoodsWereAsDescribed', ['TIDorInvoice', 'GoodsWereAsDescribed']],
  ['stripe',     'Stripe',       null,                   ['receipt', 'shipping_documentation']],
  ['checkout',   'Checkout.com', null,                   ['invoice_or_receipt_file', 'proof_of_delivery_or_service_file']],
  ['paypal',     'PayPal',       null,                   ['PROOF_OF_RECEIPT_COPY', 'DELIVERY_RECEIPT']],
] as const

for (const [connector, title, reason, places] of acquirers) {
  test(`${connector}: evidence and objection arrive once, byte for byte, and the dispute is won by the acquirer's notification`, async () => {
    const scene = await sceneOf(connector)
    const { at, reference } = await openDispute(scene)
    const shown = (await finance.get(at)).body
    assert.deepEqual([shown.acquirer, shown.isSent, shown.needsReason], [title, true, reason !== null])
    await addEvidence(at)
    if (reason !== null) {
      const { reasons } = (await finance.get(`${at}/reasons`)).body
      assert.ok(reasons.some(({ code }: { code: string }) => code === reason))
      assert.equal((await finance.post(`${at}/answer`, { answer: 'contested' })).http, 422)
    }
    const answered = await finance.post(`${at}/answer`, { answer: 'contested', reason })
    assert.equal(answered.http, 200, answered.text)
    assert.equal((await finance.post(`${at}/answer`, { answer: 'accepted' })).http, 409, 'one answer')

    const answer = await until('the answer arrived', async () => {
      const last = await newest(at)
      return last.state === 'taken' && last
    })
    assert.deepEqual([answer.answer, answer.way, answer.reason], ['contested', 'acquirer', reason])
    assert.ok(answer.sentAt !== null && answer.endedAt !== null)
    const documents = [
      { as: places[0], type: 'application/pdf', size: pdf.length, sha256: digest(pdf) },
      {
        as: places[1],
        type: connector === 'adyen' ? 'image/jpg' : 'image/jpeg',
        size: jpeg.length,
        sha256: digest(jpeg),
      },
    ]
    const [theirs, ...others] = await answersAt(scene.url, reference)
    assert.deepEqual(others, [])
    assert.deepEqual(theirs, {
      payment: reference,
      state: 'answered',
      answer: 'contested',
      documents,
      ...(reason && { reason }),
    })
    const { files } = (await finance.get(at)).body
    assert.ok(files.every(({ sentAt }: { sentAt: string | null }) => sentAt !== null))
    assert.equal((await finance.send('PUT', at, { stage: 'chargeback', answer: null, dueOn: null })).http, 409)

    assert.equal(await send('POST', `${scene.url}/disputes`, { payment: reference, step: 'won' }), 201)
    await until('the dispute is won', async () => (await finance.get(at)).body.stage === 'won')
  })

  test(`${connector}: an acceptance arrives, and the acquirer reports the dispute as lost`, async () => {
    const scene = await sceneOf(connector)
    const { at, reference } = await openDispute(scene)
    assert.equal((await finance.post(`${at}/answer`, { answer: 'accepted' })).http, 200)
    await until('the dispute is lost', async () => (await finance.get(at)).body.stage === 'lost')
    await until('the answer arrived', async () => (await newest(at)).state === 'taken')
    assert.deepEqual(await answersAt(scene.url, reference), [
      { payment: reference, state: 'lost', answer: 'accepted', documents: [] },
    ])
  })

  test(`${connector}: a reply that is lost does not send the answer again`, async () => {
    const scene = await sceneOf(connector)
    const { at, reference } = await openDispute(scene)
    await addEvidence(at)
    // Those that can be asked are asked: no notification tells it. Adyen's does.
    const address = `${scene.url}/accounts/live/notifications`
    if (connector !== 'adyen') await send('PUT', address, { url: 'http://127.0.0.1:9/nowhere' })
    // Adyen's reasons and documents come first.
    await send('PUT', `${scene.url}/faults`, { fault: 'reply-lost', every: connector === 'adyen' ? 3 : 1 })
    assert.equal((await finance.post(`${at}/answer`, { answer: 'contested', reason })).http, 200)
    await until('the answer is there', async () => (await answersAt(scene.url, reference)).length > 0)
    await until(
      'the reply was lost',
      async () => (await newest(at)).note !== null || (await newest(at)).state === 'taken',
    )
    await fetch(`${scene.url}/faults`, { method: 'DELETE' })
    await shop.advance(3 * 60_000)
    const last = await until('it is known that it arrived', async () => {
      const one = await newest(at)
      return one.state === 'taken' && one
    })
    assert.equal(last.state, 'taken')
    assert.equal((await answersAt(scene.url, reference)).length, 1)
    await send('PUT', address, { url: `${shop.url}/acquirers/${connector}-live/notifications` })
  })
}

test('adyen: an acceptance whose reply is lost is known by the report that the dispute is lost', async () => {
  const scene = await sceneOf('adyen')
  const { at, reference } = await openDispute(scene)
  await send('PUT', `${scene.url}/faults`, { fault: 'reply-lost', every: 1 })
  assert.equal((await finance.post(`${at}/answer`, { answer: 'accepted' })).http, 200)
  await until('the answer arrived', async () => (await newest(at)).state === 'taken')
  await fetch(`${scene.url}/faults`, { method: 'DELETE' })
  assert.equal((await answersAt(scene.url, reference)).length, 1)
})

test('adyen: an answer whose reply is lost is left to a person until the acquirer reports it', async () => {
  const scene = await sceneOf('adyen')
  const { at } = await openDispute(scene)
  await addEvidence(at)
  // From here on no notification arrives.
  await send('PUT', `${scene.url}/accounts/live/notifications`, { url: 'http://127.0.0.1:9/nowhere' })
  await send('PUT', `${scene.url}/faults`, { fault: 'reply-lost', every: 3 })
  await finance.post(`${at}/answer`, { answer: 'contested', reason: 'GoodsWereAsDescribed' })
  await until('it is not known', async () => (await newest(at)).state === 'unknown')
  await fetch(`${scene.url}/faults`, { method: 'DELETE' })
  assert.match((await alertsOf('not known whether Adyen')).join(), /Look there, and record it in the dispute/)
  assert.equal((await addFile(at, 'late.pdf', pdf, 'other')).http, 409, 'evidence stays as it was sent')
  assert.equal((await finance.send('PUT', `${at}/answer`, { hasArrived: true })).http, 200)
  assert.equal((await newest(at)).state, 'taken')
  assert.equal((await finance.send('PUT', `${at}/answer`, { hasArrived: true })).http, 409)
  await send('PUT', `${scene.url}/accounts/live/notifications`, {
    url: `${shop.url}/acquirers/adyen-live/notifications`,
  })
})

test('a refusal of the acquirer opens the dispute again, says why, and leaves the evidence unsent', async () => {
  const scene = await sceneOf('adyen')
  const { at } = await openDispute(scene)
  await addEvidence(at)
  await finance.post(`${at}/answer`, { answer: 'contested', reason: 'NoSuchReason' })
  const answer = await until('it was refused', async () => {
    const last = await newest(at)
    return last.state === 'refused' && last
  })
  assert.match(answer.note, /SupplyDefenseMaterial, GoodsWereAsDescribed/)
  const { answer: open, files } = (await finance.get(at)).body
  assert.equal(open, null)
  assert.ok(files.every(({ sentAt }: { sentAt: string | null }) => sentAt === null))
  assert.match((await alertsOf('was not accepted')).join(), /Answer again/)
  const [{ id }] = files
  assert.equal((await finance.send('DELETE', `${at}/files/${id}`, {})).http, 200)
  assert.equal((await finance.get(at)).body.files.length, 1)
})

test('files that the acquirer does not take are refused when they are added', async () => {
  const { at } = await openDispute(await sceneOf('adyen'))
  const png = await addFile(at, 'screen.png', Buffer.from('89504e470d0a1a0a00', 'hex'), 'other')
  assert.equal(png.http, 422)
  assert.match(png.text, /Adyen takes PDF and JPEG files. Convert screen\.png/)
  const large = await addFile(at, 'long.pdf', Buffer.concat([pdf, Buffer.alloc(2_000_000)]), 'other')
  assert.match(large.text, /Adyen takes PDF files of up to 2 MB. Make long\.pdf smaller/)
  const { at: other } = await openDispute(await sceneOf('stripe'))
  assert.equal((await addFile(other, 'one.pdf', pdf, 'other')).http, 200)
  assert.match((await addFile(other, 'two.pdf', pdf, 'other')).text, /one file of each kind/)
  const rest = Buffer.concat([pdf, Buffer.alloc(4_500_000 - 2 * pdf.length)])
  const beyond = Buffer.concat([rest, Buffer.alloc(1)])
  assert.match((await addFile(other, 'two.pdf', beyond, 'receipt')).text, /Stripe takes up to 4\.5 MB in all/)
  assert.equal((await addFile(other, 'two.pdf', rest, 'receipt')).http, 200)
})

const mastercard = '5555555555554444'
const pdfOf = (pages: number): Buffer => Buffer.from(`%PDF-1.7${'\n<< /Type /Page >>'.repeat(pages)}`)

test('the limits are those of the card network, and what this service cannot count is stated before the upload', async () => {
  const scene = await sceneOf('stripe')
  const [master, visa] = [await openDispute(scene, mastercard), await openDispute(scene)]
  const pagesOf = async ({ at }: Opened) => (await finance.get(at)).body.taken.pages
  assert.deepEqual(await pagesOf(master), { atMost: 19, of: 'dispute' })
  assert.deepEqual(await pagesOf(visa), { atMost: 49, of: 'dispute' })
})

// biome-ignore format: a table is read in columns.
const tooLong = [
  // connector   reason                  pages  its sentence
  ['stripe',     null,                   20,    /evidence has an estimated 20 pages, and the card network allows 19\. Remove some & try again\./],
  ['adyen',      'SupplyDefenseMaterial', 20,   /Document exceeds the maximum of 19 pages/],
] as const

for (const [connector, reason, pages, sentence] of tooLong) {
  test(`${connector}: evidence with too many pages is refused by the acquirer, whose own sentence is shown, and shorter evidence is taken`, async () => {
    const { at } = await openDispute(await sceneOf(connector), mastercard)
    assert.equal((await addFile(at, 'long.pdf', pdfOf(pages), 'other')).http, 200)
    assert.equal((await finance.post(`${at}/answer`, { answer: 'contested', reason })).http, 200)
    const refused = await until('it was refused', async () => {
      const last = await newest(at)
      return last.state === 'refused' && last
    })
    assert.match(refused.note, sentence)
    assert.ok((await alertsOf('was not accepted')).some((text) => sentence.test(text)))
    const [{ id }] = (await finance.get(at)).body.files
    assert.equal((await finance.send('DELETE', `${at}/files/${id}`, {})).http, 200)
    assert.equal((await addFile(at, 'short.pdf', pdfOf(pages - 1), 'other')).http, 200)
    assert.equal((await finance.post(`${at}/answer`, { answer: 'contested', reason })).http, 200)
    await until('the answer arrived', async () => (await newest(at)).state === 'taken')
  })
}

test('a receipt alone takes the place of the document that Adyen requires', async () => {
  const { at } = await openDispute(await sceneOf('adyen'))
  assert.equal((await addFile(at, 'receipt.pdf', pdf, 'receipt')).http, 200)
  assert.equal((await finance.post(`${at}/answer`, { answer: 'contested', reason: 'SupplyDefenseMaterial' })).http, 200)
  await until('the answer arrived', async () => (await newest(at)).state === 'taken')
})

test('an answer that failed at the acquirer is sent again while the dispute waits for it, and given up after a day', async () => {
  const scene = await sceneOf('stripe')
  const [first, second] = [await openDispute(scene), await openDispute(scene)]
  await send('PUT', `${scene.url}/faults`, { fault: 'error', every: 1 })
  for (const { at } of [first, second]) {
    await addEvidence(at)
    await finance.post(`${at}/answer`, { answer: 'contested' })
    await until('it was tried', async () => (await newest(at)).note !== null)
    assert.equal((await newest(at)).state, 'sending')
  }
  await fetch(`${scene.url}/faults`, { method: 'DELETE' })
  await pool.query(`update dispute_answers set next_at = next_at + interval '25 hours' where dispute_id = $1`, [
    second.at.split('/').at(-1),
  ])
  await shop.advance(3 * 60_000)
  await until('the answer arrived', async () => (await newest(first.at)).state === 'taken')
  assert.equal((await answersAt(scene.url, first.reference)).length, 1)
  await shop.advance(26 * 3_600_000)
  await until('it is given up', async () => (await newest(second.at)).state === 'refused')
  assert.equal((await finance.get(second.at)).body.answer, null)
  assert.deepEqual(await answersAt(scene.url, second.reference), [])
})

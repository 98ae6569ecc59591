/** Erasing a payer's data on request. Chapter 50 §5, "per-payer erasure". */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Erasure, type ErasureRequest, erasePayer, resolveDryRun } from '#server/panel/payments/erasure.ts'
import { chargeChain, newSchedule, startChain } from '../../chains.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['back office'])
after(() => shop[Symbol.asyncDispose]())

const { pool } = shop.base
const actor = { label: 'a test', address: null }
const merchantId = async (name = 'demo'): Promise<string> =>
  (await pool.query('select id from merchants where name = $1', [name])).rows[0]?.id

const erase = async (payer: ErasureRequest['payer'], dryRun = false, merchant = 'demo'): Promise<Erasure> =>
  resolveDryRun(erasePayer(shop.base, actor, { merchantId: await merchantId(merchant), payer, dryRun }))

const emptyErasure: Omit<Erasure, 'reference'> = {
  payments: 0,
  callbacks: 0,
  sessions: 0,
  cards: 0,
  savedCards: 0,
  savedFilters: 0,
  kept: [],
}

const withoutReference = ({ reference: _reference, ...told }: Erasure) => told

let payers = 0
/** A payer for one test, with the fields of every payment and what signs them. */
function newPayer(): {
  readonly email: string
  readonly fields: RequestFields
  readonly signedBy: { email: string; pan10: string }
} {
  payers += 1
  const email = `Payer-${payers}@example.com`
  return {
    email,
    fields: { payer_email: email, payer_last_name: `Roe${payers}` },
    signedBy: { email, pan10: '4111111111' },
  }
}

async function paySettled(fields: RequestFields): Promise<string> {
  const { body } = await shop.sale(fields)
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  await shop.service.awaitIdle()
  return body.trans_id
}

/** Searches every table for a text, or for a card number encrypted in it. */
async function placesOf(text: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('schema_migrations')`,
  )
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const hits = await pool.query(`select from "${name}" t where t::text ilike $1 limit 1`, [`%${text}%`])
      return hits.rows.length > 0 ? [name] : []
    }),
  )
  return found.flat().toSorted()
}

test('saved filters of the panel that contain the payer are removed, others stay', async () => {
  const { email, fields } = newPayer()
  await paySettled(fields)
  const { rows } = await pool.query('select id from users limit 1')
  const keep = (name: string, filter: object) =>
    pool.query(
      `insert into saved_filters (user_id, id, page, name, filter, created_at) values ($1, gen_random_uuid(), 'payments', $2, $3, now())`,
      [rows[0].id, name, JSON.stringify(filter)],
    )
  await keep('By address', { payerEmail: email.toLowerCase() })
  await keep(`Of ${email}`, { status: 'SETTLED' })
  await keep('Others', { payerEmail: 'another@example.com' })
  const erasure = await erase({ kind: 'email', email })
  assert.equal(erasure.savedFilters, 2)
  assert.deepEqual((await pool.query('select name from saved_filters')).rows, [{ name: 'Others' }])
  assert.deepEqual(await placesOf(email), [])
})

test('no table contains anything of the payer, and the amounts are unchanged', async () => {
  const { email, fields } = newPayer()
  const transId = await paySettled({
    ...fields,
    card_number: '4601541833776519',
    payer_address: '7 Elm Lane',
    custom_data: undefined,
  })
  const postings = await shop.postings(transId)
  assert.ok((await placesOf(email)).length > 0)

  const erasure = await erase({ kind: 'email', email: email.toLowerCase() })
  assert.deepEqual([erasure.payments, erasure.cards, erasure.kept], [1, 1, []])
  assert.ok(erasure.callbacks > 0)
  for (const text of [email, 'Roe1', '7 Elm Lane']) assert.deepEqual(await placesOf(text), [], text)
  assert.deepEqual(await shop.postings(transId), postings)
  const { rows } = await pool.query(
    'select status, captured_minor as captured, card_mask as mask from payments where id = $1',
    [transId],
  )
  assert.deepEqual(rows, [{ status: 'SETTLED', captured: 1000n, mask: '460154******6519' }])
  assert.deepEqual(withoutReference(await erase({ kind: 'email', email })), emptyErasure, 'a second time finds nothing')
})

test('the audit log has an entry that does not identify the payer', async () => {
  const { email, fields } = newPayer()
  await paySettled(fields)
  const { reference } = await erase({ kind: 'email', email })
  const { rows } = await pool.query(
    `select actor, subject, merchant_id as merchant, after from audit_log order by seq desc limit 1`,
  )
  const [entry] = rows
  assert.equal(entry.actor, 'a test')
  assert.match(reference, /^[0-9a-f]{32}$/)
  assert.equal(entry.subject, `payer ${reference}`)
  assert.equal((await erase({ kind: 'email', email: email.toUpperCase() }, true)).reference, reference)
  assert.equal(entry.merchant, await merchantId())
  assert.equal(JSON.parse(entry.after).payments, 1)
  assert.doesNotMatch(JSON.stringify(entry), new RegExp(email, 'i'))
})

test('a dry run reports what would be erased, and changes nothing', async () => {
  const { email, fields } = newPayer()
  await paySettled({ ...fields, card_exp_month: '04', card_exp_year: '2039' })
  const entries = async () => (await pool.query('select count(*)::int as count from audit_log')).rows[0]?.count
  const before = await entries()
  const rehearsed = await erase({ kind: 'email', email }, true)
  assert.deepEqual([rehearsed.payments, rehearsed.cards], [1, 1])
  assert.equal(await entries(), before)
  assert.ok((await placesOf(email)).includes('payments'))
  assert.deepEqual(await erase({ kind: 'email', email }), rehearsed)
})

test('payments of the same payer at other merchants are not affected', async () => {
  const { email, fields } = newPayer()
  const transId = await paySettled(fields)
  const others = [...shop.merchants.keys()].filter((name) => name !== 'demo')
  for (const merchant of others)
    assert.deepEqual(withoutReference(await erase({ kind: 'email', email }, false, merchant)), emptyErasure)
  const { rows } = await pool.query('select payer_email as email from payments where id = $1', [transId])
  assert.deepEqual(rows, [{ email }])
})

test('a hold keeps what it needs, says so, and is erased once it was captured', async () => {
  const { email, fields, signedBy } = newPayer()
  const { body } = await shop.sale({ ...fields, auth: 'Y' })
  await shop.service.awaitIdle()
  const first = await erase({ kind: 'email', email })
  assert.equal(first.payments, 0)
  assert.deepEqual(
    first.kept.map(({ what, id, reason }) => [what, what === 'payment' ? id : null, reason]),
    [
      ['payment', body.trans_id, 'The hold is neither captured nor released.'],
      ['card', null, 'Remaining payments use this card.'],
    ],
  )
  const captured = await shop.followUp('CAPTURE', body.trans_id, {}, { signedBy })
  assert.equal(captured.body.result, 'SUCCESS', JSON.stringify(captured.body))
  await shop.service.awaitIdle()
  assert.equal((await erase({ kind: 'email', email })).payments, 1)
})

test('a payer who is at the issuer is not erased during the payment', async () => {
  const { email, fields } = newPayer()
  const { body } = await shop.sale({ ...fields, card_exp_month: '05' })
  assert.equal(body.status, '3DS')
  const { payments, kept } = await erase({ kind: 'email', email })
  assert.equal(payments, 0)
  assert.ok(kept.some(({ id, reason }) => id === body.trans_id && reason === 'The payment is not finished.'))
  assert.ok((await placesOf(email)).includes('payments'))
})

test('an active plan keeps its chain and continues to charge', async () => {
  const { email, fields, signedBy } = newPayer()
  const schedule = await newSchedule(shop)
  const { body } = await shop.sale({ ...fields, recurring_init: 'Y', schedule_id: schedule })
  await shop.service.awaitIdle()
  const { payments, cards, kept } = await erase({ kind: 'email', email })
  assert.deepEqual([payments, cards], [0, 0])
  assert.ok(kept.some(({ id, reason }) => id === body.trans_id && reason.startsWith('A plan still charges')))
  const pair = { recurring_init_trans_id: body.trans_id, recurring_token: body.recurring_token }
  assert.equal((await chargeChain(shop, pair, {}, { signedBy })).body.result, 'SUCCESS')
})

test('a chain without a plan is erased with its payer, and can no longer be charged', async () => {
  const { email, fields, signedBy } = newPayer()
  const pair = await startChain(shop, fields)
  await shop.service.awaitIdle()
  assert.equal((await erase({ kind: 'email', email })).payments, 1)
  const { body } = await chargeChain(shop, pair, {}, { signedBy })
  assert.equal(body.result, 'ERROR')
})

test('a waiting callback is delivered before its payment is erased', async () => {
  const { email, fields } = newPayer()
  const transId = await paySettled(fields)
  await pool.query(`update callbacks set state = 'due', next_at = now() + interval '1 day' where payment_id = $1`, [
    transId,
  ])
  const { payments, kept } = await erase({ kind: 'email', email })
  assert.equal(payments, 0)
  assert.ok(kept.some(({ id, reason }) => id === transId && reason === 'A callback is waiting to be delivered.'))
})

test('by saved card: its payments, its number and its token are erased, whatever e-mail address they had', async () => {
  const [one, other] = [newPayer(), newPayer()]
  const { body } = await shop.sale({ ...one.fields, req_token: 'Y', card_number: '5555555555554444' })
  await paySettled({ ...other.fields, card_token: body.card_token })
  const erasure = await erase({ kind: 'card', cardToken: body.card_token })
  assert.deepEqual([erasure.payments, erasure.cards, erasure.savedCards, erasure.kept], [2, 1, 1, []])
  assert.deepEqual(await placesOf(body.card_token), [])
  await assert.rejects(erase({ kind: 'card', cardToken: body.card_token }), { message: 'Saved card not found.' })
  const again = await shop.sale({ ...one.fields, card_token: body.card_token })
  assert.equal(again.body.result, 'ERROR')
})

test('a card that other payers use stays, and so do their saved cards', async () => {
  const [one, other] = [newPayer(), newPayer()]
  const card = { card_exp_month: '05', card_exp_year: '2039' }
  await paySettled({ ...one.fields, ...card })
  const { body } = await shop.sale({ ...other.fields, ...card, req_token: 'Y' })
  const { payments, cards, savedCards, kept } = await erase({ kind: 'email', email: one.email })
  assert.deepEqual([payments, cards, savedCards], [1, 0, 0])
  assert.deepEqual(
    kept.map(({ what, reason }) => [what, reason]),
    [['card', 'Remaining payments use this card.']],
  )
  assert.equal((await shop.sale({ ...other.fields, card_token: body.card_token })).body.result, 'SUCCESS')
})

test('finished sessions lose the payer’s data; one that can still be paid does not', async () => {
  const { email } = newPayer()
  const client = new CheckoutClient(shop)
  const customer = { customer: { name: 'Jane Lefthand', email } }
  await client.session(customer)
  const open = await erase({ kind: 'email', email })
  assert.deepEqual(
    open.kept.map(({ what, reason }) => [what, reason]),
    [['session', 'The session can still be paid.']],
  )
  await shop.advance(2 * 3_600_000)
  assert.equal((await erase({ kind: 'email', email })).sessions, 1)
  assert.deepEqual(await placesOf('Lefthand'), [])
})

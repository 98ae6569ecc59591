/** Inquiries at the stand-ins of Stripe and Adyen: opened by the payer's bank, answered from the panel through the API, closed or followed by a chargeback. Chapter 70 §4. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type DisputeScene, openDisputeScenes, send } from './dispute-scene.ts'

const scenes = await openDisputeScenes()
after(() => scenes[Symbol.asyncDispose]())
const { shop, finance, sceneOf, until } = scenes
const { pool } = shop.base

interface Paid {
  readonly paymentId: string
  /** Of the payment at the stand-in. */
  readonly reference: string
}

async function pay({ merchant }: DisputeScene, card?: string): Promise<Paid> {
  const { body } = await shop.sale(card === undefined ? {} : { card_number: card }, { merchant })
  assert.equal(body.status, 'SETTLED', JSON.stringify(body))
  const { rows } = await pool.query('select reference from transactions where payment_id = $1 limit 1', [body.trans_id])
  return { paymentId: body.trans_id, reference: rows[0].reference }
}

const step = async ({ url }: DisputeScene, payment: string, name: string): Promise<void> =>
  assert.equal(await send('POST', `${url}/disputes`, { payment, step: name }), 201, name)

interface Shown {
  readonly id: string
  readonly stage: string
  readonly isChargedBack: boolean
  readonly answer: string | null
  readonly dueOn: string | null
  readonly caseReference: string | null
}

const disputesOf = async (paymentId: string): Promise<readonly Shown[]> =>
  (await finance.get('/disputes?limit=200&open=false')).body.disputes.filter(
    (one: { paymentId: string }) => one.paymentId === paymentId,
  )

/** The only dispute of the payment, at a stage, with its deadline. */
const awaitStage = (paymentId: string, stage: string): Promise<Shown> =>
  until(`the dispute is at the stage ${stage}`, async () => {
    const [one, ...more] = await disputesOf(paymentId)
    assert.deepEqual(more, [])
    return one?.stage === stage && one.caseReference !== null && one
  })

const movementsOf = async (paymentId: string): Promise<readonly string[]> => (await shop.postings(paymentId)).slice(1)
const statusOf = async (paymentId: string): Promise<string> =>
  (await pool.query('select status from payments where id = $1', [paymentId])).rows[0].status
const answersAt = async (url: string, payment: string) =>
  (JSON.parse(await (await fetch(`${url}/disputes/answers`)).text()) as readonly { payment: string; state: string }[])
    .filter((one) => one.payment === payment)
    .map(({ state }) => state)

async function contest(at: string, reason: string | null): Promise<void> {
  const answered = await finance.post(`${at}/answer`, { answer: 'contested', reason })
  assert.equal(answered.http, 200, answered.text)
  await until('the answer arrived', async () => (await finance.get(at)).body.answers.at(-1).state === 'taken')
}

// biome-ignore format: a table is read in columns.
const acquirers = [
  // connector  reason of the answer     a closed inquiry is
  ['stripe',    null,                    'won' ],
  ['adyen',     'SupplyDefenseMaterial', 'lost'],
] as const

for (const [connector, reason, closed] of acquirers) {
  test(`${connector}: an inquiry is answered through the API, and so is the chargeback that it becomes, which takes the money once`, async () => {
    const scene = await sceneOf(connector)
    const { paymentId, reference } = await pay(scene)
    await step(scene, reference, 'inquiry')
    const inquiry = await awaitStage(paymentId, 'inquiry')
    assert.deepEqual([inquiry.isChargedBack, inquiry.answer], [false, null])
    assert.ok(inquiry.dueOn !== null)
    const at = `/merchants/${scene.merchantId}/disputes/${inquiry.id}`
    assert.equal((await finance.get(at)).body.isSent, true)
    const content = Buffer.from('%PDF-1.7 receipt').toString('base64')
    assert.equal((await finance.post(`${at}/files`, { name: 'receipt.pdf', content, kind: 'receipt' })).http, 200)
    await contest(at, reason)
    assert.deepEqual(await answersAt(scene.url, reference), ['inquiry-answered'])
    assert.equal(await statusOf(paymentId), 'SETTLED')
    assert.deepEqual(await movementsOf(paymentId), [])

    await step(scene, reference, 'open')
    const disputed = await awaitStage(paymentId, 'chargeback')
    assert.deepEqual([disputed.id, disputed.isChargedBack, disputed.answer], [inquiry.id, true, null])
    await until('its deadline', async () => (await disputesOf(paymentId))[0]?.dueOn)
    assert.equal(await statusOf(paymentId), 'CHARGEBACK')
    assert.deepEqual(await movementsOf(paymentId), ['settled -> charged_back 1000'])
    await contest(at, reason)
    assert.deepEqual(await answersAt(scene.url, reference), ['answered'])
    await step(scene, reference, 'won')
    await awaitStage(paymentId, 'won')
    await until('the money is back', async () => (await movementsOf(paymentId)).length === 2)
  })

  test(`${connector}: an inquiry that closes without a chargeback ends, and no money moves`, async () => {
    const scene = await sceneOf(connector)
    const { paymentId, reference } = await pay(scene)
    await step(scene, reference, 'inquiry')
    await awaitStage(paymentId, 'inquiry')
    await step(scene, reference, 'closed')
    await awaitStage(paymentId, closed)
    assert.equal(await statusOf(paymentId), 'SETTLED')
    assert.deepEqual(await movementsOf(paymentId), [])
  })

  test(`${connector}: an inquiry that is accepted is lost, and no money moves`, async () => {
    const scene = await sceneOf(connector)
    const { paymentId, reference } = await pay(scene)
    await step(scene, reference, 'inquiry')
    const { id } = await awaitStage(paymentId, 'inquiry')
    const at = `/merchants/${scene.merchantId}/disputes/${id}`
    assert.equal((await finance.post(`${at}/answer`, { answer: 'accepted' })).http, 200)
    const { answer, isChargedBack } = await awaitStage(paymentId, 'lost')
    assert.deepEqual([answer, isChargedBack], ['accepted', false])
    assert.deepEqual(await movementsOf(paymentId), [])
  })
}

test("stripe: the test card 4000 0000 0000 1976 is followed by an inquiry, as on Stripe's test platform", async () => {
  const { paymentId } = await pay(await sceneOf('stripe'), '4000000000001976')
  const { isChargedBack } = await awaitStage(paymentId, 'inquiry')
  assert.equal(isChargedBack, false)
})

/** Acquirers call the gateway: what is taken, what is refused, and what becomes of it. Chapter 60 §2, §6. */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { now } from '#sandbox/acquirers/kit/clock.ts'
import { erasePayer, resolveDryRun } from '#server/panel/payments/erasure.ts'
import { changeCredentials, createMid } from '#server/setup/mids.ts'
import { listNotifications } from '#server/store/acquirers/notification-log.ts'
import { listRefusedSince } from '#server/store/acquirers/refused-notifications.ts'
import { type Item, openAdyenScene } from './adyen-scene.ts'

const scene = await openAdyenScene()
after(() => scene[Symbol.asyncDispose]())
const { shop, pool, as, merchantId, credentials, key, bodyOf, post, notify, noticeOf, statusOf, settle } = scene
const adyen = { id: scene.midId }
const stripeSecret = 'whsec_0123456789abcdef'
const stripe = await createMid(
  shop.base,
  { mode: 'live', name: 'stripe-live', connector: 'stripe', descriptor: 'EXAMPLE SHOP' },
  { secret_key: 'sk_live_0123456789', webhook_secret: stripeSecret, base_url: scene.url },
)
await shop.service.configuration.refresh()

/** A hold whose capture the acquirer has taken and not finished: only a notification ends it. */
async function captureOpen(): Promise<string> {
  const { body } = await shop.sale({ auth: 'Y' }, as)
  const capture = await shop.followUp('CAPTURE', body.trans_id, {}, as)
  assert.equal(capture.body.result, 'UNDEFINED', JSON.stringify(capture.body))
  assert.equal(await statusOf(body.trans_id), 'PENDING')
  return body.trans_id
}

const logOf = (midId: string) => listNotifications(pool, { midId, state: null, since: null, limit: 500 })

/** A report that concerns no payment of ours. */
let reports = 0
const foreign = (): Item => {
  reports += 1
  return {
    pspReference: `REPORT${reports}`,
    merchantAccountCode: credentials['merchant_account'],
    merchantReference: 'another shop',
    amount: { value: 0, currency: 'EUR' },
    eventCode: 'REPORT_AVAILABLE',
    eventDate: now().toISOString(),
    success: 'true',
  }
}

const dispute = async (paymentId: string): Promise<Item> => ({
  ...(await noticeOf(paymentId, 'AUTHORISATION')),
  eventCode: 'CHARGEBACK',
  pspReference: `DISPUTE${paymentId.slice(-8)}`,
  reason: 'Fraud',
})

test('an unverified notification is answered 401, changes nothing, and is counted in metrics and for the operator', async () => {
  const paymentId = await settle()
  const [before] = await listRefusedSince(pool, new Date(0), adyen.id)
  assert.equal(await notify(await dispute(paymentId), randomBytes(32).toString('hex')), 401)
  assert.equal(await post('{"not":"Adyen"}'), 401)
  assert.equal(await post(''), 401)
  assert.equal(await statusOf(paymentId), 'SETTLED')
  assert.deepEqual(await logOf(adyen.id), [])
  const metrics = await (await fetch(`${shop.url}/metrics`)).text()
  assert.match(metrics, /gatehouse_acquirer_notifications_total\{mid="adyen-live",result="unverified"\} 3\n/)
  const [refused] = await listRefusedSince(pool, new Date(0), adyen.id)
  assert.equal((refused?.refused ?? 0) - (before?.refused ?? 0), 3)
  assert.equal(refused?.reason, 'It is not a notification of Adyen.')
})

test('a notification of one megabyte is taken; a larger one is refused, and nothing of it is stored', async () => {
  const largest = 1_048_576
  const padded = (bytes: number): string => {
    const item = foreign()
    const padding = bytes - bodyOf({ ...item, additionalData: { note: '' } }).length
    return bodyOf({ ...item, additionalData: { note: 'x'.repeat(padding) } })
  }
  const before = (await logOf(adyen.id)).length
  assert.equal(await post(padded(largest)), 200)
  assert.equal(await post(padded(largest + 1)), 413)
  assert.equal(await post(padded(4 * largest)), 413)
  const metrics = await (await fetch(`${shop.url}/metrics`)).text()
  assert.match(metrics, /gatehouse_acquirer_notifications_total\{mid="adyen-live",result="too-large"\} 2\n/)
  const [refused] = await listRefusedSince(pool, new Date(0), adyen.id)
  assert.equal(refused?.reason, 'The body is larger than 1 MiB.')
  assert.equal((await logOf(adyen.id)).length, before + 1)
  assert.equal((await shop.sale({}, as)).body.status, 'SETTLED', 'and payments go on')
})

test('a notification for a MID that is switched off still ends its transaction', async () => {
  const paymentId = await captureOpen()
  await shop.configure('update mids set enabled = false where id = $1', [adyen.id])
  try {
    assert.equal(await notify(await noticeOf(paymentId, 'CAPTURE')), 200)
    assert.equal(await statusOf(paymentId), 'SETTLED')
  } finally {
    await shop.configure('update mids set enabled = true where id = $1', [adyen.id])
  }
})

test('a chargeback of a payment whose payer was erased is entered, and brings no data of the payer back', async () => {
  const email = 'erased@example.com'
  const paymentId = await settle({ payer_email: email })
  // A callback that is still to be delivered keeps the data.
  await shop.service.awaitIdle()
  const erased = await resolveDryRun(
    erasePayer(
      shop.base,
      { label: 'a test', address: null },
      { merchantId, payer: { kind: 'email', email }, dryRun: false },
    ),
  )
  assert.equal(erased.payments, 1)
  assert.equal(await notify(await dispute(paymentId)), 200)
  assert.equal(await statusOf(paymentId), 'CHARGEBACK')
  const { rows } = await pool.query('select payments::text as text from payments where id = $1', [paymentId])
  assert.doesNotMatch(rows[0]?.text, /erased@example\.com|John|Doe/)
  const { rows: sent } = await pool.query('select body from callbacks where payment_id = $1', [paymentId])
  assert.ok(sent.length > 0)
  for (const { body } of sent) assert.doesNotMatch(String(body), /erased@example/)
})

test('a repeated notification counts once, whether the copies come together or later', async () => {
  const paymentId = await settle()
  const item = await dispute(paymentId)
  const before = (await logOf(adyen.id)).length
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 8 }, () => post(bodyOf(item))))), new Set([200]))
  await shop.service.awaitIdle()
  assert.equal(await notify(item), 200)
  assert.equal(await statusOf(paymentId), 'CHARGEBACK')
  const { rows } = await pool.query("select id from transactions where payment_id = $1 and type = 'CHARGEBACK'", [
    paymentId,
  ])
  assert.equal(rows.length, 1)
  assert.equal((await logOf(adyen.id)).length, before + 1)
})

test('a notification that is sooner than our own record waits, and is entered once the record is there', async () => {
  const paymentId = await captureOpen()
  const moveTo = (midId: string) => pool.query('update payments set mid_id = $2 where id = $1', [paymentId, midId])
  // As long as it is at another MID, this one does not know it.
  await moveTo(stripe.id)
  assert.equal(await notify(await noticeOf(paymentId, 'CAPTURE')), 200)
  const waiting = (await logOf(adyen.id)).find(({ events }) => events.some((one) => one.paymentId === paymentId))
  assert.equal(waiting?.state, 'waiting')
  assert.match(waiting?.events[0]?.note ?? '', /not known/)
  await moveTo(adyen.id)
  await shop.advance(2_000)
  assert.equal(await statusOf(paymentId), 'SETTLED')
  assert.equal((await logOf(adyen.id)).find(({ id }) => id === waiting?.id)?.state, 'entered')
})

test('a chargeback of a payment that is not known yet waits; one whose payment is never known raises one alert after a day', async () => {
  const [early, stray] = [await settle(), await settle()]
  const moveTo = (midId: string, paymentId: string) =>
    pool.query('update payments set mid_id = $2 where id = $1', [paymentId, midId])
  const alerts = async (): Promise<number> =>
    (await pool.query(`select from alerts where text like 'The chargeback %' or text like '%unknown payment%'`)).rows
      .length
  const before = await alerts()
  for (const paymentId of [early, stray]) {
    await moveTo(stripe.id, paymentId)
    assert.equal(await notify(await dispute(paymentId)), 200)
  }
  assert.equal(await alerts(), before, 'it is tried again first')
  await moveTo(adyen.id, early)
  await shop.advance(2_000)
  assert.equal(await statusOf(early), 'CHARGEBACK')
  assert.equal(await alerts(), before)
  await shop.advance(25 * 3_600_000)
  await shop.advance(25 * 3_600_000)
  assert.equal(await alerts(), before + 1)
  await moveTo(adyen.id, stray)
})

test('a late report of the hold neither ends the open capture nor changes the payment after it', async () => {
  const paymentId = await captureOpen()
  const authorisation = await noticeOf(paymentId, 'AUTHORISATION')
  assert.equal(await notify(authorisation), 200)
  assert.equal(await statusOf(paymentId), 'PENDING')
  assert.equal(await notify(await noticeOf(paymentId, 'CAPTURE')), 200)
  assert.equal(await notify({ ...authorisation, eventCode: 'OFFER_CLOSED' }), 200)
  assert.equal(await statusOf(paymentId), 'SETTLED')
  const captured = (await shop.postings(paymentId)).filter((posting) => posting.startsWith('held ->'))
  assert.deepEqual(captured, ['held -> settled 1000'])
})

test('while a webhook secret is rotated both keys are accepted; afterwards the old one is refused', async () => {
  const next = randomBytes(32).toString('hex')
  const use = async (changes: object): Promise<void> => {
    await changeCredentials(shop.base, adyen.id, { ...credentials, ...changes })
    await shop.service.configuration.refresh()
  }
  const answers = async () => [await notify(foreign(), key), await notify(foreign(), next)]
  assert.deepEqual(await answers(), [200, 401])
  await use({ hmac_key: next, hmac_key_previous: key })
  assert.deepEqual(await answers(), [200, 200])
  await use({ hmac_key: next })
  assert.deepEqual(await answers(), [401, 200])
  await use({})
})

test('an acquirer that stops to send notifications while payments are approved raises one alert', async () => {
  const texts = async (): Promise<readonly string[]> =>
    (await pool.query<{ text: string }>(`select text from alerts where kind = 'notifications-silent'`)).rows.map(
      ({ text }) => text,
    )
  for (let sent = 0; sent < 5; sent += 1) {
    assert.equal(await notify(foreign()), 200)
    await shop.advance(60_000)
  }
  // Longer than three times any pause of the tests before.
  await shop.advance(20 * 86_400_000)
  await shop.service.awaitIdle()
  assert.deepEqual(await texts(), [], 'without payments there is nothing to report')
  await settle()
  await settle()
  await settle()
  await shop.service.midHealth.share()
  await shop.service.awaitIdle()
  const raised = await texts()
  assert.equal(raised.length, 1)
  assert.match(raised[0] ?? '', /^The acquirer of MID adyen-live has sent no notification since /)
  await pool.query('update alerts set resolved_at = now()')
  await shop.service.awaitIdle()
  assert.equal((await texts()).length, 1, 'also after an operator has resolved it')
})

test('an acquirer’s clock may be wrong by four minutes, not by six, also after a sandbox’s own clock was moved', async () => {
  let events = 0
  const sendAt = (minutes: number): Promise<number> => {
    events += 1
    const seconds = Math.floor(now().getTime() / 1000) + minutes * 60
    const body = JSON.stringify({
      id: `evt_${events}`,
      object: 'event',
      type: 'balance.available',
      created: seconds,
      data: { object: {} },
    })
    const signature = createHmac('sha256', stripeSecret).update(`${seconds}.${body}`).digest('hex')
    return post(body, 'stripe-live', { 'stripe-signature': `t=${seconds},v1=${signature}` })
  }
  const answers = async () => [await sendAt(-6), await sendAt(-4), await sendAt(0), await sendAt(4), await sendAt(6)]
  assert.deepEqual(await answers(), [401, 200, 200, 200, 401])
  await shop.advance(3 * 86_400_000)
  assert.deepEqual(await answers(), [401, 200, 200, 200, 401])
})

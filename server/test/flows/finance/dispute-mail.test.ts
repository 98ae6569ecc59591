/** Chapter 70 §4: 7, 3 and 1 days before the deadline the people who may answer a dispute get a mail, once each. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startMailHost } from '../../mail-host.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

let host: Awaited<ReturnType<typeof startMailHost>>
let shop: Shop
before(async () => {
  host = await startMailHost()
  shop = await openShop({ SMTP_URL: host.url, MAIL_FROM: 'payments@example.com' }, ['back office'])
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await host.stop()
})

const day = 86_400_000

test('the people who may answer for the merchant are written to, and no others', async () => {
  const demo = await merchantId(shop, 'demo')
  const other = await merchantId(shop, 'demo-dms')
  const finance = await panelOf(shop, { role: 'finance' })
  const strangers = [
    await panelOf(shop, { role: 'finance', allMerchants: false, merchantIds: [other] }),
    await panelOf(shop, { role: 'support' }),
  ]

  const { body } = await shop.sale({})
  const chargeback = { reference: 'CB-MAIL', amountMinor: '400', bankDate: '2026-03-01', reasonCode: '4837 Fraud' }
  await finance.post(`/merchants/${demo}/payments/${body.trans_id}/chargeback`, chargeback)
  const { disputes } = (await finance.get('/disputes')).body
  const dueOn = new Date(shop.base.clock.now().getTime() + 8 * day).toISOString().slice(0, 10)
  await finance.send('PUT', `/merchants/${demo}/disputes/${disputes[0].id}`, {
    stage: 'chargeback',
    answer: null,
    dueOn,
  })

  const counts: number[] = []
  for (const days of [1, 1, 3, 2]) {
    await shop.advance(days * day)
    await shop.service.awaitIdle()
    counts.push(sentAbout('CB-MAIL', finance.person.email).length)
  }
  assert.deepEqual(counts, [1, 1, 2, 3])
  const [first] = sentAbout('CB-MAIL', finance.person.email)
  assert.match(first?.text ?? '', new RegExp(`Subject: Dispute to be answered by ${dueOn}: 4\\.00 EUR`))
  assert.match(first?.text ?? '', /Accept or contest it\..*admin\/disputes\?merchantId/s)
  for (const { person } of strangers) assert.deepEqual(sentAbout('CB-MAIL', person.email), [])
})

/** Soft line breaks of the encoding are undone. */
const sentAbout = (word: string, to: string) =>
  host.received
    .map((mail) => ({ ...mail, text: mail.text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') }))
    .filter((mail) => mail.to.includes(to) && mail.text.includes(word))

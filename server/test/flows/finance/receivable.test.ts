/**
 * Chapter 70 §3: after two people posted a difference, the acquirer owes nothing for it any more, whatever the row is for, in currencies with 0, 2
 * and 3 decimals.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '#domain/time.ts'
import {
  importRows,
  type Kind,
  kinds,
  listDifferences,
  type Moved,
  move,
  openReceivable,
  pay,
  payOutTo,
  type ReceivableCurrency,
  type ReceivableScene,
  type RowWish,
  readReceivable,
  readUnassigned,
  receivableCurrencies,
  refund,
  resolve,
  saleMinor,
  signs,
  transfer,
} from './receivable-scene.ts'

let scene: ReceivableScene
before(async () => {
  scene = await openReceivable()
})
after(() => scene.shop[Symbol.asyncDispose]())

const declinedPayeeCard = '4917484589897107'

/** One that failed with us. */
async function fail(kind: Exclude<Kind, 'chargeback'>, currency: ReceivableCurrency): Promise<Moved> {
  switch (kind) {
    case 'charge':
      return { paymentId: await pay(scene, currency, saleMinor, '02'), minor: saleMinor, charge: [] }
    case 'refund': {
      const paymentId = await payOnce(currency, { card_exp_month: '04', card_exp_year: '2039' })
      await refund(scene, paymentId, 400n)
      return { paymentId, minor: 400n, charge: [{ kind: 'charge', paymentId, currency, minor: saleMinor }] }
    }
    case 'payout': {
      const { paymentId, result } = await payOutTo(scene, currency, saleMinor, declinedPayeeCard)
      assert.equal(result, 'DECLINED')
      return { paymentId, minor: saleMinor, charge: [] }
    }
  }
}

async function payOnce(currency: ReceivableCurrency, card: Readonly<Record<string, string>>): Promise<string> {
  const order_amount = { JPY: '1000', EUR: '10.00', KWD: '1.000' }[currency]
  const { body } = await scene.shop.sale({
    order_id: crypto.randomUUID(),
    order_amount,
    order_currency: currency,
    ...card,
  })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  return body.trans_id
}

/** Imports the rows, which have one difference, and posts it. */
async function settleAndPost(rows: readonly RowWish[], expected: string): Promise<void> {
  const found = await importRows(scene, rows)
  assert.deepEqual(
    found.map((one) => one.kind),
    [expected],
  )
  await resolve(scene, found[0]?.id ?? '')
}

for (const currency of receivableCurrencies)
  for (const kind of kinds) {
    const sign = signs[kind]
    const rowOf = ({ paymentId }: Moved, minor: bigint) => ({ kind, paymentId, currency, minor: sign * minor })

    for (const [why, by] of [
      ['less', -100n],
      ['more', 100n],
    ] as const)
      test(`${currency} ${kind}: the acquirer moved ${why} than we did, it is posted, and nothing is owed`, async () => {
        const moved = await move(scene, kind, currency)
        await settleAndPost([...moved.charge, rowOf(moved, moved.minor + by)], 'amount')
        assert.equal(await readReceivable(scene, currency), 0n)
      })

    test(`${currency} ${kind}: the acquirer settled it twice, it is posted, and nothing is owed`, async () => {
      const moved = await move(scene, kind, currency)
      await settleAndPost([...moved.charge, rowOf(moved, moved.minor), rowOf(moved, moved.minor - 1n)], 'doubled')
      assert.equal(await readReceivable(scene, currency), 0n)
    })

    // No acquirer declines a chargeback.
    if (kind !== 'chargeback')
      test(`${currency} ${kind}: the acquirer settled what failed here, it is posted, and nothing is owed`, async () => {
        const failed = await fail(kind, currency)
        await settleAndPost([...failed.charge, rowOf(failed, failed.minor)], 'other-outcome')
        assert.equal(await readReceivable(scene, currency), 0n)
      })

    test(`${currency} ${kind}: the acquirer settled what we do not know, it is posted, and nothing is unassigned`, async () => {
      const before = await readUnassigned(scene, currency)
      const found = await importRows(scene, [{ kind, paymentId: crypto.randomUUID(), currency, minor: sign * 700n }])
      assert.equal(await readUnassigned(scene, currency), before + sign * 700n)
      await resolve(scene, found[0]?.id ?? '')
      assert.equal(await readUnassigned(scene, currency), before)
      assert.equal(await readReceivable(scene, currency), 0n)
    })
  }

for (const currency of receivableCurrencies)
  test(`${currency}: of a transfer the acquirer keeps its fee and owes nothing; an amount that it paid is found and posted`, async () => {
    const rowOf = (paymentId: string, minor: bigint) => ({ kind: 'charge', paymentId, currency, minor, feeMinor: 14n })
    const agreed = await transfer(scene, currency, saleMinor)
    assert.deepEqual(await importRows(scene, [rowOf(agreed, 0n)]), [])
    assert.equal(await readReceivable(scene, currency), 0n)
    const paid = await transfer(scene, currency, saleMinor)
    await settleAndPost([rowOf(paid, saleMinor)], 'amount')
    assert.equal(await readReceivable(scene, currency), 0n)
  })

for (const [currency, other] of [
  ['JPY', 'EUR'],
  ['EUR', 'KWD'],
  ['KWD', 'JPY'],
] as const)
  for (const kind of kinds)
    test(`${currency} ${kind}: the acquirer settled it in ${other}, it is posted, and nothing is owed in either currency`, async () => {
      const { paymentId, charge } = await move(scene, kind, currency)
      const row = { kind, paymentId, currency: other, minor: signs[kind] * 777n }
      await settleAndPost([...charge, row], 'currency')
      assert.deepEqual([await readReceivable(scene, currency), await readReceivable(scene, other)], [0n, 0n])
    })

test('the settlement file of the sandbox owes nothing for a transfer', async () => {
  const paymentId = await transfer(scene, 'EUR', saleMinor)
  await scene.shop.service.awaitIdle()
  const file = await (await fetch(`${scene.shop.sandbox.url}/settlement?mid=sandbox-live`)).text()
  const [heading = '', ...lines] = file.split('\n')
  const line = lines.find((one) => one.includes(paymentId)) ?? ''
  const cells = new Map(heading.split(',').map((name, index) => [name, line.split(',')[index]]))
  assert.deepEqual(
    ['effect', 'gross_minor', 'fee_minor', 'net_minor'].map((name) => cells.get(name)),
    ['transfer', '0', '14', '-14'],
  )
  const body = { midId: scene.midId, name: 'own.csv', format: 'sandbox' }
  const content = Buffer.from([heading, line, 'total,1', ''].join('\n')).toString('base64')
  const imported = await scene.finance.post('/settlements', { ...body, content })
  assert.deepEqual([imported.body.file?.matched, imported.body.file?.openDifferences], [1, 0], imported.text)
  assert.equal(await readReceivable(scene, 'EUR'), 0n)
})

test('what the acquirer never settled is posted by its kind, and nothing is owed', async () => {
  const moved: { kind: Kind; paymentId: string; currency: ReceivableCurrency; signedMinor: bigint }[] = []
  for (const currency of receivableCurrencies)
    for (const kind of kinds) {
      const { paymentId, minor, charge } = await move(scene, kind, currency)
      if (charge.length > 0) assert.deepEqual(await importRows(scene, charge), [])
      moved.push({ kind, paymentId, currency, signedMinor: signs[kind] * minor })
    }
  // Nothing is missing of a transfer that no row names.
  await transfer(scene, 'EUR', saleMinor)
  await scene.shop.advance(7 * dayMs)
  await importRows(scene, [{ kind: 'fee', paymentId: '', currency: 'EUR', minor: 0n, feeMinor: 1n }])
  const missing = (await listDifferences(scene, 'open=true')).filter((one) => one.kind === 'missing-there')
  const paymentIds = (of: readonly { readonly paymentId: string | null }[]) => new Set(of.map((one) => one.paymentId))
  assert.deepEqual(paymentIds(missing), paymentIds(moved))
  for (const { kind, paymentId, currency, signedMinor } of moved) {
    const owed = await readReceivable(scene, currency)
    const found = missing.find((one) => one.paymentId === paymentId)
    assert.equal(found?.movement, kind, 'it says what is missing')
    await resolve(scene, found.id)
    assert.equal(await readReceivable(scene, currency), owed - signedMinor, `${currency} ${signedMinor}`)
  }
  for (const currency of receivableCurrencies) assert.equal(await readReceivable(scene, currency), 0n, currency)
})

test('a row of a payment that succeeded after the file was imported has nothing to post', async () => {
  const paymentId = await payOnce('EUR', { card_exp_month: '01', card_exp_year: '2038' })
  const { pool } = scene.shop.base
  await pool.query("update transactions set state = 'undefined' where payment_id = $1", [paymentId])
  const found = await importRows(scene, [{ kind: 'charge', paymentId, currency: 'EUR', minor: saleMinor }])
  await pool.query("update transactions set state = 'success' where payment_id = $1", [paymentId])
  assert.deepEqual(
    found.map((one) => one.kind),
    ['other-outcome'],
  )
  const wish = { note: 'Known now', correct: true }
  const refused = await scene.finance.post(`/settlements/differences/${found[0]?.id}/resolve`, wish)
  assert.match(refused.text, /no amount to post/)
  assert.equal(await readReceivable(scene, 'EUR'), 0n)
})

/** Chapter 50 §4: a rule that prefers by approval rate, tested over HTTP with two MIDs of the sandbox whose rates differ and then swap. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { publishRules } from '../../rules.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const windowMinutes = 10
const merchant = await openAccount(shop, { mids: [{}, {}] })
const [one, two] = [`${merchant}-1`, `${merchant}-2`]

/** Ten payments per minute; returns the share whose first attempt went to the second MID. */
async function shareOfTwo(minutes: number): Promise<number> {
  const { clock } = shop.base
  const since = clock.now()
  for (let minute = 0; minute < minutes; minute += 1) {
    await Promise.all(Array.from({ length: 10 }, () => shop.sale({}, { merchant })))
    clock.moveTo(clock.offsetMs + 60_000)
  }
  const { rows } = await shop.base.pool.query<{ share: number }>(
    `select avg((mids.name = $1)::int)::float as share from payments
     join merchants on merchants.id = merchant_id join mids on mids.id = mid_id
     where merchants.name = $2 and payments.created_at >= $3 and attempt = 1`,
    [two, merchant, since],
  )
  return rows[0]?.share ?? 0
}

test('payments go to the MID that approves more, and follow when the rates swap', async () => {
  await publishRules(shop, merchant, {
    name: 'the better one',
    action: { kind: 'prefer', method: 'thompson', windowMinutes, exploration: 0.1 },
  })
  await shop.scenario({ mid: one, approval_percent: 20 })
  await shop.scenario({ mid: two, approval_percent: 95 })
  await shareOfTwo(4)
  const learnt = await shareOfTwo(6)
  assert.ok(learnt > 0.75, `${learnt} of the payments went to the better MID`)

  await shop.scenario({ mid: one, approval_percent: 95 })
  await shop.scenario({ mid: two, approval_percent: 20 })
  await shareOfTwo(12)
  const followed = await shareOfTwo(6)
  assert.ok(followed < 0.25, `${followed} of the payments went to what was the better MID before`)
})

/** Why a cascade ended, as support sees it in Transaction Details. Chapter 50 §3 rule 5, §4, chapter 10 §6.2. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { changeOverride } from '#server/setup/mid-health.ts'
import { type AccountMid, type AccountOptions, openAccount } from '../../account.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import {
  attemptPath,
  attemptsOf,
  outage,
  saleWhileAnswerIsHeld,
  setFaults,
  softDeclines,
  withCascade,
} from '../../cascades.ts'
import { chargeChain, startChain } from '../../chains.ts'
import { withRefusedRows } from '../../crash.ts'
import { holdAnswers } from '../../hosts/held-answers.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import { expiryFields } from '../../payments.ts'
import { publishRules } from '../../rules.ts'
import { openShop, type RequestFields } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop({ RETRY_BUDGETS: 'mastercard 1/24h, 5/30d' })
const apm = new Apm(shop)
const support = await panelOf(shop, { role: 'support' })
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const two: readonly AccountMid[] = [{}, {}]
const mastercard = { card_number: '5555555555554444' }

async function account(faults: Readonly<Record<number, object>>, wishes: AccountOptions = {}): Promise<string> {
  const merchant = await openAccount(shop, { mids: two, ...wishes })
  await setFaults(shop, merchant, faults)
  return merchant
}

/** The panel's explanation of each attempt of an order. */
async function explainAttempts(merchant: string, order_id: string) {
  const owner = await merchantId(shop, merchant)
  const attempts = await attemptsOf(shop, order_id)
  const answers = attempts.map(({ id }) => support.get(`/merchants/${owner}/payments/${id}/routing`))
  return (await Promise.all(answers)).map(({ body }) => body)
}

/** The ending of the last attempt; the earlier ones have none and say that another followed. */
async function endOf(merchant: string, order_id: string) {
  const attempts = await explainAttempts(merchant, order_id)
  for (const [index, { ending, sentences }] of attempts.slice(0, -1).entries()) {
    assert.equal(ending, null)
    assert.equal(sentences.at(-1), `Declined. Attempt ${index + 2} followed.`)
  }
  const { ending, sentences } = attempts.at(-1) ?? {}
  if (ending) assert.equal(sentences.at(-1), ending.sentence)
  return ending?.stored ?? null
}

async function runToEnd(merchant: string, over: RequestFields = {}) {
  const order_id = randomUUID()
  await shop.sale({ order_id, ...over }, { merchant })
  return endOf(merchant, order_id)
}

test('an approved payment has no ending, at its first MID or at a later one', async () => {
  assert.equal(await runToEnd(await account({})), null)
  assert.equal(await runToEnd(await account({ 1: softDeclines })), null)
})

describe('by the acquirer’s answer', () => {
  test('a hard decline, with its class', async () => {
    const merchant = await account({})
    assert.deepEqual(await runToEnd(merchant, expiryFields('09/2038')), {
      reason: 'hard-decline',
      declineClass: 'hard',
    })
  })

  test('an unknown outcome, and none once it is resolved as a success', async () => {
    const order_id = randomUUID()
    const merchant = await account({ 1: { drop_reply: { count: 1, of: 1 } } })
    await shop.sale({ order_id }, { merchant })
    assert.deepEqual(await endOf(merchant, order_id), { reason: 'outcome-unknown' })
    await shop.clearScenario()
    await shop.advance(10_000)
    assert.deepEqual(await attemptPath(shop, order_id), ['1 SETTLED'])
    assert.equal(await endOf(merchant, order_id), null)
  })

  test('a decline that was resolved later', async () => {
    const order_id = randomUUID()
    const merchant = await account({ 1: { ...softDeclines, drop_reply: { count: 1, of: 1 } } }, { mids: [{}] })
    await shop.sale({ order_id }, { merchant })
    assert.equal(await endOf(merchant, order_id), null, 'nothing is decided, and there is no other MID')
    await shop.clearScenario()
    await shop.advance(10_000)
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
    assert.deepEqual(await endOf(merchant, order_id), { reason: 'outcome-unknown' })
  })
})

describe('by the MIDs', () => {
  test('none was left', async () => {
    const merchant = await account({ 1: softDeclines, 2: outage })
    assert.deepEqual(await runToEnd(merchant), { reason: 'no-mid-left' })
  })

  test('the maximum number of attempts was reached', async () => {
    const faults = { 1: softDeclines, 2: softDeclines, 3: softDeclines }
    const merchant = await account(faults, { mids: [{}, {}, {}, {}] })
    assert.deepEqual(await runToEnd(merchant), { reason: 'maximum-reached', maximum: 3 })
    await publishRules(shop, merchant, {
      name: 'one',
      action: { kind: 'use', mids: [`${merchant}-1`] },
      maximumAttempts: 1,
    })
    assert.deepEqual(await runToEnd(merchant), { reason: 'maximum-reached', maximum: 1 })
  })

  test('all remaining ones were dropped, each with its reason', async () => {
    const order_id = randomUUID()
    const merchant = await account({ 1: softDeclines }, { mids: [{}, {}, {}, {}, {}] })
    const meanwhile = async () => {
      await shop.configure('update mids set enabled = false where name = $1', [`${merchant}-2`])
      await changeOverride(shop.base, await midId(`${merchant}-3`), 'open')
      await shop.service.midHealth.share()
      await shop.configure('update mids set month_limit_count = 0 where name = $1', [`${merchant}-4`])
      await shop.configure(
        `update merchant_mappings set week_limit_amounts = '{"EUR":"999"}' from mids where mids.id = mid_id and name = $1`,
        [`${merchant}-5`],
      )
    }
    await saleWhileAnswerIsHeld(shop, { merchant, sent: { order_id }, meanwhile })
    assert.deepEqual(await endOf(merchant, order_id), {
      reason: 'mids-fell-out',
      mids: [
        { midName: `${merchant}-2`, because: 'switched-off' },
        { midName: `${merchant}-3`, because: 'failing' },
        { midName: `${merchant}-4`, because: 'mid month' },
        { midName: `${merchant}-5`, because: 'mapping week' },
      ],
    })
  })

  test('a half-open MID accepts one attempt of all cascades at a time', async () => {
    const merchant = await account({ 1: softDeclines })
    await using held = await holdAnswers(shop, `${merchant}-2`)
    const since = new Date(shop.base.clock.now().getTime() - limits.breaker.coolDownMs)
    const cooledDown = "insert into mid_breakers values ($1, 'open', $2, 0, null, 1)"
    await shop.base.pool.query(cooledDown, [await midId(`${merchant}-2`), since])
    await shop.service.midHealth.share()
    const orders = [randomUUID(), randomUUID()]
    const sales = orders.map((order_id) => shop.sale({ order_id }, { merchant }))
    // One attempt is held at the second MID, so that the cascade which ends first is the one without a place there.
    await Promise.race(sales)
    held.release()
    await Promise.all(sales)
    const ends = await Promise.all(orders.map((order_id) => endOf(merchant, order_id)))
    assert.deepEqual(ends.filter(Boolean), [
      { reason: 'mids-fell-out', mids: [{ midName: `${merchant}-2`, because: 'failing' }] },
    ])
  })

  test('MIDs that were skipped before the next attempt are reported with it', async () => {
    const order_id = randomUUID()
    const merchant = await account({ 1: softDeclines }, { mids: [{}, {}, {}] })
    const meanwhile = () =>
      shop.configure('update mids set day_limit_amounts = \'{"EUR":"999"}\' where name = $1', [`${merchant}-2`])
    await saleWhileAnswerIsHeld(shop, { merchant, sent: { order_id }, meanwhile })
    const [, last] = await explainAttempts(merchant, order_id)
    assert.equal(last.ending, null)
    const wanted = `${merchant}-2 was left out. It had no room within the day limit of the MID.`
    assert.ok(last.sentences.includes(wanted), last.sentences.join('\n'))
  })

  const midId = async (name: string): Promise<string> => {
    const { rows } = await shop.base.pool.query('select id from mids where name = $1', [name])
    return rows[0].id
  }
})

describe('by the card', () => {
  test('its network allows no more tries: which network, and within which time', async () => {
    const merchant = await account({ 1: softDeclines, 2: softDeclines }, { mids: [{}, {}, {}] })
    const window = { tries: 1, withinMs: 86_400_000 }
    assert.deepEqual(await runToEnd(merchant, mastercard), { reason: 'budget-spent', network: 'mastercard', window })
  })
})

describe('by the payment method', () => {
  const taking: AccountMid = { cardFlow: true, acceptsDecrypted: true }
  const passing: AccountMid = { cardFlow: true, acceptsDecrypted: false }
  const virtual: AccountMid = { cardFlow: false, acceptsDecrypted: false }

  async function paidByWallet(mid: AccountMid) {
    const merchant = await openApmAccount(shop, { mids: [mid, mid] })
    const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
    await setFaults(shop, merchant, { 1: softDeclines, 2: softDeclines })
    const order_id = randomUUID()
    const token = await device.mint()
    const paid = { brand: 'walletapay', identifier: 'payer@example.com', 'parameters[paymentToken]': token }
    await apm.sale({ order_id, ...paid }, { merchant })
    return endOf(merchant, order_id)
  }

  test('a wallet whose token is passed on, or that is in virtual flow', async () => {
    assert.deepEqual(await paidByWallet(passing), { reason: 'stays', because: 'wallet-passed-on' })
    assert.deepEqual(await paidByWallet(virtual), { reason: 'stays', because: 'wallet-virtual' })
  })

  test('a brand that does not cascade', async () => {
    await withCascade(shop, 'walletapay', false)
    assert.deepEqual(await paidByWallet(taking), { reason: 'stays', because: 'brand' })
    await withCascade(shop, 'walletapay', true)
    assert.deepEqual(await paidByWallet(taking), { reason: 'no-mid-left' })
  })

  test('a RETRY, which no longer reports the ending of the attempt before', async () => {
    const merchant = await openAccount(shop, { mids: two })
    const as = { merchant }
    const pair = await startChain(shop, expiryFields('01/2039'), as)
    const order_id = randomUUID()
    await chargeChain(shop, pair, { order_id }, as)
    assert.deepEqual(await endOf(merchant, order_id), { reason: 'no-mid-left' })
    await setFaults(shop, merchant, { 1: softDeclines, 2: softDeclines })
    const last = (await attemptsOf(shop, order_id)).at(-1)
    await shop.followUp('RETRY', last?.id ?? '', {}, as)
    assert.deepEqual(await endOf(merchant, order_id), { reason: 'stays', because: 'retry' })
    await shop.clearScenario()
    await shop.followUp('RETRY', last?.id ?? '', {}, as)
    assert.deepEqual((await attemptsOf(shop, order_id)).at(-1)?.status, 'SETTLED')
    assert.equal(await endOf(merchant, order_id), null)
  })

  test('a rule that declines, without asking an acquirer', async () => {
    const merchant = await account({})
    await publishRules(shop, merchant, { name: 'no', action: { kind: 'decline', reason: 'Not here' } })
    assert.deepEqual(await runToEnd(merchant), { reason: 'declined-by-rule' })
  })
})

describe('by the payer', () => {
  const withMpi: AccountOptions = { mids: two, merchant: { mpiService: 'sandbox' } }

  test('who was not authenticated', async () => {
    const order_id = randomUUID()
    const merchant = await account({}, withMpi)
    const { body } = await shop.sale({ order_id, ...expiryFields('05/2038') }, { merchant })
    assert.equal(await endOf(merchant, order_id), null)
    const { pathname } = new URL(body.redirect_params.TermUrl)
    const form = new URLSearchParams({ PaRes: 'no' })
    await fetch(`${shop.url}${pathname}`, { method: 'POST', body: form, redirect: 'manual' })
    assert.deepEqual(await endOf(merchant, order_id), { reason: 'not-authenticated', because: 'failed' })
  })

  test('who did not return', async () => {
    const order_id = randomUUID()
    const merchant = await account({})
    await shop.sale({ order_id, ...expiryFields('12/2038') }, { merchant })
    await shop.advance(31 * 60_000)
    assert.deepEqual(await endOf(merchant, order_id), { reason: 'payer-away' })
  })

  test('whom the issuer wants to authenticate, when no payer step is possible', async () => {
    const merchant = await account({}, { mids: [{}] })
    const ending = { reason: 'no-mid-left', withoutStepUp: 'no-service' }
    assert.deepEqual(await runToEnd(merchant, expiryFields('05/2038')), ending)
  })
})

test('by the process, which died between two attempts', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines })
  await withRefusedRows(shop, 'payments', () => shop.sale({ order_id }, { merchant }), 'attempt > 1')
  const [before] = await explainAttempts(merchant, order_id)
  assert.equal(before.sentences.at(-1), 'Declined. Attempt 2 follows.')
  await shop.base.pool.query('update open_cascades set sent_by = -1')
  await shop.service.awaitIdle()
  assert.deepEqual(await endOf(merchant, order_id), { reason: 'process-ended' })
})

// The connector against the stand-in for Stripe, over HTTP: one effect there for each command here, whatever is lost on the way.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStripe } from '#sandbox/acquirers/stripe/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type {
  AcquirerAccount,
  AcquirerEffect,
  FollowUp,
  Order,
  Outcome,
  StatusQuery,
} from '#server/connectors/connector.ts'
import { enquire, exchange } from '#server/connectors/exchange.ts'
import { stripe } from '#server/connectors/stripe/index.ts'
import {
  followUpWith,
  orderWith,
  payerReturnWith,
  type SampleInput,
  statusQueryWith,
} from '#server/connectors/testing/contract-samples.ts'
import { createWires } from '#server/connectors/wire.ts'
import { systemClock } from '#server/process/clock.ts'
import { receiveNotifications } from './receiver.ts'

/** How far the clocks of both sides are ahead of the machine's. */
let aheadMs = 0
const clock = { now: () => new Date(systemClock().now().getTime() + aheadMs) }

const wires = createWires({ clock, budgetMs: 5_000 })
const folder = await mkdtemp(join(tmpdir(), 'stripe-'))
let standIn = await openStripe(folder)
let running = await startServices([standIn], 0, (fault) => assert.fail(String(fault)))
let account: AcquirerAccount

before(() => {
  account = stripe.open(standIn.credentials(running.url).test, wires, 'test')
})
after(async () => {
  await running.stop()
  await wires.close()
  await rm(folder, { recursive: true, force: true })
})

let count = 0
const nextId = (): string => `0199a1b2-c3d4-7e5f-8a6b-${String(++count).padStart(12, '0')}`

function order(changes: SampleInput = {}): Order {
  const number = changes['number'] ?? '4111111111111111'
  return orderWith({ transactionId: nextId(), createdAt: clock.now(), ...changes, card: { number } })
}

const send = (call: () => Promise<Outcome> | undefined): Promise<Outcome> =>
  exchange(
    async () => (await call()) ?? assert.fail('The operation is not offered.'),
    (fault) => assert.fail(String(fault)),
    () => undefined,
  )

const ask = (query: StatusQuery) =>
  enquire(
    () => account.status(query),
    (fault) => assert.fail(String(fault)),
  )

const queryOf = ({ transactionId, amountMinor, createdAt }: Order, changes: SampleInput = {}): StatusQuery =>
  statusQueryWith({ transactionId, amountMinor: String(amountMinor), createdAt, reference: null, ...changes })

/** A later step on an order that the stand-in has answered. */
function next({ transactionId, createdAt }: Order, { facts }: Outcome, amountMinor: string): FollowUp {
  const reference = facts.reference ?? null
  const first = { transactionId, reference, amountMinor: 1000n, createdAt, facts }
  return followUpWith({ transactionId: nextId(), amountMinor, reference, first, createdAt: clock.now() })
}

const laterQuery = (operation: string, { transactionId, first, createdAt }: FollowUp): StatusQuery =>
  statusQueryWith({ transactionId, operation, reference: null, first, createdAt })

interface LedgerEffect {
  readonly transactionId: string
  readonly kind: string
  readonly amount: string
  readonly state: string
}

async function effectsOf(...ids: readonly string[]): Promise<readonly string[]> {
  const response = await fetch(`${running.url}/ledger`)
  const effects: readonly LedgerEffect[] = JSON.parse(await response.text())
  return effects
    .filter(({ transactionId }) => ids.includes(transactionId))
    .map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)
}

test('a hold is captured in part, refunded in part, and the rest is voided', async () => {
  const hold = order()
  const held = await send(() => account.authorize?.(hold))
  assert.equal(held.result, 'approved')
  const capture = next(hold, held, '700')
  assert.equal((await send(() => account.capture?.(capture))).result, 'approved')
  const refund = next(hold, held, '300')
  assert.equal((await send(() => account.refund?.(refund))).result, 'approved')
  const cancel = next(hold, held, '400')
  assert.equal((await send(() => account.void?.(cancel))).result, 'approved')
  const ids = [hold, capture, refund, cancel].map(({ transactionId }) => transactionId)
  assert.deepEqual(await effectsOf(...ids), [
    'authorize 1000 executed',
    'capture 700 executed',
    'refund 300 executed',
    'refund 400 executed',
  ])
  assert.equal((await send(() => account.refund?.(next(hold, held, '100')))).result, 'not-executed')
  for (const [operation, followUp] of [
    ['capture', capture],
    ['refund', refund],
    ['void', cancel],
  ] as const)
    assert.equal((await ask(laterQuery(operation, followUp))).result, 'approved', operation)
})

/** Everything that the acquirer lists since then, as the reconciliation after a restore reads it. */
async function listed(since: Date): Promise<readonly string[]> {
  const all: AcquirerEffect[] = []
  for (let cursor = ''; ; ) {
    const page = (await account.effects?.({ cursor, since })) ?? assert.fail('The acquirer lists nothing.')
    all.push(...page.effects)
    if (!page.more) return all.map(({ kind, transactionId, amountMinor }) => `${kind} ${transactionId} ${amountMinor}`)
    cursor = page.cursor
  }
}

test('the acquirer lists what it executed: charges, captures, releases and refunds, and no declines', async () => {
  const since = new Date(clock.now().getTime() - 1000)
  const sale = order()
  const paid = await send(() => account.sale(sale))
  const back = next(sale, paid, '1000')
  await send(() => account.void?.(back))
  const hold = order()
  const held = await send(() => account.authorize?.(hold))
  const capture = next(hold, held, '700')
  await send(() => account.capture?.(capture))
  const refund = next(hold, held, '300')
  await send(() => account.refund?.(refund))
  const other = order()
  const release = next(other, await send(() => account.authorize?.(other)), '1000')
  await send(() => account.reverse?.(release))
  const declined = order({ number: '4000000000000002' })
  assert.equal((await send(() => account.sale(declined))).result, 'declined')
  const mine = new Set([sale, back, hold, capture, refund, other, release, declined].map((one) => one.transactionId))
  const found = (await listed(since)).filter((line) => mine.has(line.split(' ')[1] ?? ''))
  assert.deepEqual(found.toSorted(), [
    `authorize ${hold.transactionId} 1000`,
    `authorize ${other.transactionId} 1000`,
    `capture ${capture.transactionId} 700`,
    `refund ${refund.transactionId} 300`,
    `reverse ${release.transactionId} 1000`,
    `sale ${sale.transactionId} 1000`,
    `void ${back.transactionId} 1000`,
  ])
})

test('a hold is released, and cannot be captured afterwards', async () => {
  const hold = order()
  const held = await send(() => account.authorize?.(hold))
  const reversal = next(hold, held, '1000')
  assert.deepEqual(await ask(laterQuery('reverse', reversal)), { result: 'never-arrived' })
  assert.equal((await send(() => account.reverse?.(reversal))).result, 'approved')
  assert.equal((await ask(laterQuery('reverse', reversal))).result, 'approved')
  const capture = next(hold, held, '1000')
  assert.equal((await send(() => account.capture?.(capture))).result, 'not-executed')
  assert.deepEqual(await effectsOf(hold.transactionId, reversal.transactionId, capture.transactionId), [
    'authorize 1000 executed',
    'reverse 1000 executed',
  ])
})

test('a late sale is reversed', async () => {
  const late = order()
  const paid = await send(() => account.sale(late))
  const reversal = next(late, paid, '1000')
  assert.equal((await send(() => account.reverse?.(reversal))).result, 'approved')
  assert.deepEqual(await effectsOf(reversal.transactionId), ['refund 1000 executed'])
})

// biome-ignore format: a table is read in columns.
const declines = [
  ['4000000000000002', 'soft',      'Declined by the issuer'],
  ['4000000000009995', 'soft',      'Insufficient funds'],
  ['4000000000009979', 'fraud',     'Declined by the issuer'],
  ['4000000000000069', 'hard',      'Expired card'],
  ['4000000000000119', 'technical', 'Processing error'],
  ['4242424242424241', 'hard',      'Incorrect card number'],
] as const

for (const [number, declineClass, reason] of declines) {
  test(`Stripe’s test card ${number.slice(-4)} is declined: ${reason}`, async () => {
    const outcome = await send(() => account.sale(order({ number })))
    assert.ok(outcome.result === 'declined', outcome.result)
    assert.deepEqual([outcome.declineClass, outcome.reason], [declineClass, reason])
  })
}

test('a zero amount verifies the card and holds nothing', async () => {
  const verification = order({ amountMinor: '0' })
  const outcome = await send(() => account.authorize?.(verification))
  assert.equal(outcome.result, 'approved')
  assert.match(outcome.facts.reference ?? '', /^seti_/)
  assert.deepEqual(await ask(queryOf(verification, { operation: 'authorize' })), outcome)
})

async function visit(url: string, decision: string): Promise<string | null> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(url, { method: 'POST', headers, body: `decision=${decision}`, redirect: 'manual' })
  await response.arrayBuffer()
  return response.headers.get('location')
}

// biome-ignore format: a table is read in columns.
const authentications = [
  ['4000002760003184', 'approve', 'approved'],
  ['4000002760003184', 'decline', 'declined'],
  ['4000008260003178', 'approve', 'declined'],
  ['4000002760003184', 'leave',   'payer-step'],
] as const

for (const [number, decision, result] of authentications) {
  test(`3-D Secure with card ${number.slice(-4)}, the payer’s decision ${decision}: ${result}`, async () => {
    const sale = order({ number })
    const step = await send(() => account.sale(sale))
    assert.ok(step.result === 'payer-step', step.result)
    const location = await visit(step.url, decision)
    const { transactionId } = sale
    const back = payerReturnWith({
      transactionId,
      reference: null,
      state: step.state,
      fields: { redirect_status: 'succeeded' },
    })
    const outcome = await send(() => account.complete?.(back))
    assert.equal(outcome.result, result)
    if (decision !== 'leave')
      assert.match(location ?? '', /^https:\/\/pay\.example\.com\/verify\/redirect\/0\/0\?payment_intent=pi_/)
    const isDecided = result === 'approved' || decision !== 'leave'
    assert.equal((await effectsOf(transactionId)).length, isDecided ? 1 : 0)
  })
}

test('a charge without the payer that needs authentication is declined, and goes through with the first payment’s network reference', async () => {
  const storedCredential = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null }
  const changes = { number: '4000002760003184', payerPresent: false, storedCredential, returnUrl: null }
  const declined = await send(() => account.sale(order(changes)))
  assert.ok(declined.result === 'declined', declined.result)
  assert.equal(declined.declineClass, 'authentication_required')
  const linked = await send(() => account.sale(order({ ...changes, networkTransactionId: '300002654435761' })))
  assert.equal(linked.result, 'approved')
})

test('a registered card is charged again by Stripe’s own reference', async () => {
  const first = await send(() => account.sale(order({ registerCard: true })))
  const reference = first.facts.storedCredential
  assert.match(reference ?? '', /^cus_\w+\/pm_\w+$/)
  const storedCredential = { initiator: 'merchant', sequence: 'subsequent', source: 'card_token', reference }
  const again = order({ payerPresent: false, returnUrl: null, storedCredential })
  assert.equal((await send(() => account.sale(again))).result, 'approved')
  const unknown = { ...storedCredential, reference: 'cus_other/pm_other' }
  const refused = await send(() =>
    account.sale(order({ payerPresent: false, returnUrl: null, storedCredential: unknown })),
  )
  assert.equal(refused.result, 'not-executed')
})

test('a wallet’s token is exchanged for Stripe’s and charged', async () => {
  const token = '{"paymentData":{"version":"EC_v1","data":"c2VjcmV0"},"transactionIdentifier":"5a"}'
  const paid = await send(() => account.sale({ ...order({ wallet: { name: 'walletapay', token } }), card: null }))
  assert.equal(paid.result, 'approved')
})

// biome-ignore format: a table is read in columns.
const losses = [
  //  amount   what happens                                          first seen   then found
  [ '66601', 'the reply is lost after execution',                   'unknown',   'approved'      ],
  [ '66603', 'the acquirer answers 500 and executes nothing',       'unknown',   'never-arrived' ],
  [ '66604', 'the acquirer executes and answers 500',               'unknown',   'approved'      ],
  [ '66605', 'the acquirer executes and answers garbage',           'unknown',   'approved'      ],
  [ '66606', 'the request is lost',                                 'unknown',   'never-arrived' ],
] as const

for (const [amountMinor, what, seen, found] of losses) {
  test(`a sale of which ${what} is ${found} by the list, and one repetition leaves one effect`, async () => {
    const sale = order({ amountMinor })
    assert.equal((await send(() => account.sale(sale))).result, seen)
    assert.equal((await ask(queryOf(sale))).result, found)
    assert.equal((await send(() => account.sale(sale))).result, 'approved')
    assert.deepEqual(await effectsOf(sale.transactionId), [`sale ${amountMinor} executed`])
  })

  test(`a refund of which ${what} is ${found} by the refunds of its payment`, async () => {
    const sale = order({ amountMinor: '100000' })
    const refund = next(sale, await send(() => account.sale(sale)), amountMinor)
    assert.equal((await send(() => account.refund?.(refund))).result, seen)
    assert.equal((await ask(laterQuery('refund', refund))).result, found)
    assert.equal((await send(() => account.refund?.(refund))).result, 'approved')
    assert.deepEqual(await effectsOf(refund.transactionId), [`refund ${amountMinor} executed`])
  })
}

test('the same key with another request is not believed to have charged or declined', async () => {
  const sale = order()
  await send(() => account.sale(sale))
  const { card } = sale
  const changed = await send(() => account.sale({ ...sale, card: card && { ...card, verificationCode: null } }))
  assert.equal(changed.result, 'unknown')
  assert.equal((await ask(queryOf(sale))).result, 'approved')
  assert.deepEqual(await effectsOf(sale.transactionId), ['sale 1000 executed'])
})

test('a wrong secret key executes nothing, and the check names it', async () => {
  const stranger = stripe.open({ ...standIn.credentials(running.url).test, secret_key: 'sk_test_wrong' }, wires, 'test')
  const sale = order()
  assert.deepEqual(await send(() => stranger.sale(sale)), {
    result: 'not-executed',
    reason: 'The acquirer refused the credentials',
    facts: {},
    onlyThisSend: true,
  })
  const check = await stranger.check?.(null)
  assert.equal(check?.kind === 'refused' && check.field, 'secret_key')
  assert.deepEqual(await account.check?.(null), { kind: 'accepted' })
  assert.deepEqual(await effectsOf(sale.transactionId), [])
})

test('more intents than fit a page are read to the end', async () => {
  const sale = order()
  await send(() => account.sale(sale))
  await Promise.all(Array.from({ length: 100 }, () => send(() => account.sale(order()))))
  assert.equal((await ask(queryOf(sale))).result, 'approved')
  assert.equal((await ask(queryOf(order()))).result, 'never-arrived')
})

test('notifications tell of payments, refunds that are finished later, and disputes', async (t) => {
  const { taken, url } = await receiveNotifications(t, (request) => account.readNotification?.(request))
  await fetch(`${running.url}/accounts/test/notifications`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  const disputed = order({ number: '4000000000000259' })
  await send(() => account.sale(disputed))
  await taken(({ kind, paymentId }) => kind === 'chargeback' && paymentId === disputed.paymentId)

  const later = order({ number: '4000000000007726' })
  const refund = next(later, await send(() => account.sale(later)), '400')
  assert.equal((await send(() => account.refund?.(refund))).result, 'waiting')
  await taken((event) => event.kind === 'arn' && event.transactionId === refund.transactionId)
  assert.equal((await ask(laterQuery('refund', refund))).result, 'approved')

  const failing = order({ number: '4000000000005126' })
  const lost = next(failing, await send(() => account.sale(failing)), '400')
  assert.equal((await send(() => account.refund?.(lost))).result, 'approved')
  await taken((event) => event.kind === 'refund-failed' && event.transactionId === lost.transactionId)
})

test('the record outlives a restart and holds no card number', async () => {
  const sale = order()
  const paid = await send(() => account.sale(sale))
  await running.stop()
  standIn = await openStripe(folder)
  running = await startServices([standIn], 0, (fault) => assert.fail(String(fault)))
  account = stripe.open(standIn.credentials(running.url).test, wires, 'test')
  assert.deepEqual(await ask(queryOf(sale)), paid)
  assert.deepEqual(await send(() => account.sale(sale)), paid)
  assert.deepEqual(await effectsOf(sale.transactionId), ['sale 1000 executed'])
  const { readFile } = await import('node:fs/promises')
  const journal = await readFile(join(folder, 'journal'), 'utf8')
  for (const secret of ['4111111111111111', '4000000000000259', '"917"', 'c2VjcmV0'])
    assert.ok(!journal.includes(secret), secret)
})

// From here on the clocks are ahead of the machine's.
for (const [kind, amountMinor] of [
  ['sale', '66606'],
  ['authorize', '66603'],
] as const) {
  test(`a lost ${kind} is known not to have arrived when both clocks are an hour ahead of the machine’s`, async () => {
    await advanceBoth(3_600_000)
    const lost = order({ amountMinor })
    assert.equal((await send(() => account[kind]?.(lost))).result, 'unknown')
    assert.deepEqual(await ask(queryOf(lost, { operation: kind })), { result: 'never-arrived' })
  })
}

async function advanceBoth(milliseconds: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ advance_ms: milliseconds })
  assert.equal((await fetch(`${running.url}/clock`, { method: 'POST', headers, body })).status, 200)
  aheadMs += milliseconds
}

test('a list that is dated by another clock does not tell that a request never arrived', async () => {
  const wiresAhead = createWires({ clock: { now: () => new Date(clock.now().getTime() + 3_600_000) }, budgetMs: 5_000 })
  const ahead = stripe.open(standIn.credentials(running.url).test, wiresAhead, 'test')
  const answer = await ahead.status(queryOf(order()))
  await wiresAhead.close()
  assert.equal(answer.result, 'unknown')
})

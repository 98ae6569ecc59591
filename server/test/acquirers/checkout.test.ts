// The connector of Checkout.com against the stand-in for Checkout.com, over HTTP.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { openCheckout } from '#sandbox/acquirers/checkout/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { checkout } from '#server/connectors/checkout/index.ts'
import type { AcquirerAccount, Answer, MoneyOperation, Order } from '#server/connectors/connector.ts'
import { enquire, exchange } from '#server/connectors/exchange.ts'
import type { AcquirerFacts, Outcome } from '#server/connectors/outcome.ts'
import { followUpWith, orderWith, statusQueryWith } from '#server/connectors/testing/contract-samples.ts'
import { createWires } from '#server/connectors/wire.ts'

type StandInHere = Awaited<ReturnType<typeof openHere>>

/** A second after the samples were written. */
const today = new Date('2026-03-01T12:00:00Z')

async function openHere() {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'))
  const standIn = await openCheckout(folder)
  const running = await startServices([standIn], 0, (fault) => assert.fail(String(fault)))
  const wires = createWires({ clock: { now: () => today }, budgetMs: 20_000 })
  const credentials = standIn.credentials(running.url).test
  const open = (changes: object = {}): AcquirerAccount => checkout.open({ ...credentials, ...changes }, wires, 'test')
  const ask = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'PUT') =>
    fetch(running.url + path, { method, redirect: 'manual', ...(body !== undefined && { body: JSON.stringify(body) }) })
  return {
    url: running.url,
    credentials,
    open,
    account: open(),
    ask,
    ledger: async (): Promise<readonly string[]> => {
      const rows = JSON.parse(await (await ask('/ledger')).text()) as readonly Record<string, string>[]
      return rows.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`)
    },
    journal: () => readFile(join(folder, 'journal'), 'utf8'),
    accountOf: async (wanted: string) => {
      const accounts: readonly { readonly name: string; readonly secrets: Record<string, string> }[] = JSON.parse(
        await readFile(join(folder, 'accounts.json'), 'utf8'),
      )
      return accounts.find(({ name }) => name === wanted) ?? assert.fail('no such account')
    },
    close: async () => {
      await wires.close()
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let at: StandInHere
beforeEach(async () => {
  at = await openHere()
})
afterEach(() => at.close())

const unexpected = (fault: unknown): never => {
  throw fault
}
const outcomeOf = (call: () => Promise<Outcome> | undefined): Promise<Outcome> =>
  exchange(
    async () => (await call()) ?? assert.fail('not offered'),
    unexpected,
    () => undefined,
  )

const newOrder = (changes: object = {}): Order =>
  orderWith({ transactionId: randomUUID(), paymentId: randomUUID(), ...changes })

const sale = (order: Order, account = at.account): Promise<Outcome> => outcomeOf(() => account.sale(order))
const authorize = (order: Order): Promise<Outcome> => outcomeOf(() => at.account.authorize?.(order))

const followUpOf = (order: Order, { reference = null }: { readonly reference?: string | null }, amountMinor = '1000') =>
  followUpWith({
    transactionId: randomUUID(),
    paymentId: order.paymentId,
    originalTransactionId: order.transactionId,
    reference,
    amountMinor,
  })

const firstOf = (order: Order, facts: AcquirerFacts) => ({
  transactionId: order.transactionId,
  reference: facts.reference ?? null,
  amountMinor: 1000n,
  createdAt: order.createdAt,
  facts,
})

interface Question {
  readonly operation: MoneyOperation
  readonly transactionId: string
  readonly reference: string | null
  readonly amountMinor?: string
}

const statusOf = (order: Order, facts: AcquirerFacts, question: Question): Promise<Answer> =>
  enquire(
    () => at.account.status(statusQueryWith({ paymentId: order.paymentId, first: firstOf(order, facts), ...question })),
    unexpected,
  )

const lookUp = (order: Order, reference: string | null = null): Promise<Answer> =>
  statusOf(order, {}, { operation: 'sale', transactionId: order.transactionId, reference })

test('a hold is captured in part, refunded in part, and the list of actions tells how each step ended', async () => {
  const order = newOrder()
  const hold = await authorize(order)
  assert.equal(hold.result, 'approved')
  for (const [operation, amount] of [
    ['capture', '600'],
    ['refund', '200'],
  ] as const) {
    const followUp = followUpOf(order, hold.facts, amount)
    const taken = await outcomeOf(() => at.account[operation]?.(followUp))
    assert.equal(taken.result, 'waiting', operation)
    const { transactionId } = followUp
    const known = { operation, transactionId, reference: taken.facts.reference ?? null }
    assert.equal((await statusOf(order, hold.facts, known)).result, 'approved', operation)
    assert.equal(
      (await statusOf(order, hold.facts, { ...known, reference: null })).result,
      'approved',
      'by our reference',
    )
  }
  const tooMuch = followUpOf(order, hold.facts, '500')
  assert.equal((await outcomeOf(() => at.account.refund?.(tooMuch))).result, 'not-executed')
  assert.deepEqual(await at.ledger(), ['authorize 1000 executed', 'capture 600 executed', 'refund 200 executed'])
})

test('a hold is released and a sale is voided, as a whole and once', async () => {
  const [held, sold] = [newOrder(), newOrder()]
  const [hold, charge] = [await authorize(held), await sale(sold)]
  const [release, cancel] = [followUpOf(held, hold.facts), followUpOf(sold, charge.facts)]
  for (const _ of [1, 2]) {
    assert.equal((await outcomeOf(() => at.account.reverse?.(release))).result, 'waiting')
    assert.equal((await outcomeOf(() => at.account.void?.(cancel))).result, 'waiting')
  }
  const again = followUpOf(sold, charge.facts)
  // Written a second ago, it might be the repetition of one that was executed and is not listed yet.
  assert.equal((await outcomeOf(() => at.account.void?.(again))).result, 'unknown')
  const old = { ...again, createdAt: new Date('2026-03-01T11:57:59Z') }
  assert.equal((await outcomeOf(() => at.account.void?.(old))).result, 'not-executed')
  const question = { operation: 'void', transactionId: again.transactionId, reference: null } as const
  assert.equal((await statusOf(sold, charge.facts, question)).result, 'never-arrived')
  assert.deepEqual(await at.ledger(), [
    'authorize 1000 executed',
    'sale 1000 executed',
    'reverse 1000 executed',
    'void 1000 executed',
  ])
})

test('a card of Checkout.com’s list is declined with its class, and the details tell the same', async () => {
  const order = newOrder({ card: { number: '4544249167673670' } })
  const outcome = await sale(order)
  assert.ok(outcome.result === 'declined')
  assert.deepEqual([outcome.reason, outcome.declineClass], ['Insufficient Funds', 'soft'])
  const looked = await lookUp(order)
  assert.ok(looked.result === 'declined')
  assert.equal(looked.declineClass, 'soft')
  assert.deepEqual(await at.ledger(), ['sale 1000 declined'])
})

for (const [decision, result] of [
  ['approve', 'approved'],
  ['decline', 'declined'],
] as const) {
  test(`3-D Secure: the payer who chooses "${decision}" on the page has ${result}, once`, async () => {
    const order = newOrder({ card: { number: '4242424242424242' } })
    const step = await sale(order)
    assert.ok(step.result === 'payer-step')
    assert.equal((await lookUp(order)).result, 'payer-step')
    const body = new URLSearchParams({ decision })
    const answer = await fetch(step.url, { method: 'POST', body, redirect: 'manual' })
    const back = new URL(answer.headers.get('location') ?? '')
    assert.equal(back.origin + back.pathname, order.returnUrl)
    assert.match(back.searchParams.get('cko-session-id') ?? '', /^sid_/)
    for (const reference of [step.facts.reference ?? null, null]) {
      const done = await lookUp(order, reference)
      assert.equal(done.result, result)
      if (done.result === 'declined') assert.equal(done.declineClass, 'hard')
    }
    assert.deepEqual(await at.ledger(), [`sale 1000 ${decision === 'approve' ? 'executed' : 'declined'}`])
  })
}

test('our own authentication and a wallet’s cryptogram take the place of the page', async () => {
  const number = '4242424242424242'
  const threeDs = {
    eci: '05',
    authenticationValue: 'AAABBJg0VhI0VniQEjRWAAAAAAA=',
    dsTransId: randomUUID(),
    version: '2.2.0',
    transStatus: 'Y',
    xid: null,
  }
  const decrypted = { panType: 'DPAN', dataType: '3DSecure', cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '05' }
  assert.equal((await sale(newOrder({ card: { number }, threeDs }))).result, 'approved')
  assert.equal(
    (await sale(newOrder({ card: { number }, wallet: { name: 'walletapay', decrypted } }))).result,
    'approved',
  )
  const token = '{"version":"EC_v1","data":"x"}'
  assert.equal((await sale(newOrder({ card: null, wallet: { name: 'walletbpay', token } }))).result, 'approved')
})

// biome-ignore format: a table is read in columns.
const faults = [
  // what goes wrong                 test amount  the sale is   looked up         effects
  [ 'the reply is lost',             '66601',     'unknown',    'approved',       ['sale 66601 executed'] ],
  [ 'an error before execution',     '66603',     'unknown',    'never-arrived',  [] ],
  [ 'an error after execution',      '66604',     'unknown',    'approved',       ['sale 66604 executed'] ],
  [ 'garbage after execution',       '66605',     'unknown',    'approved',       ['sale 66605 executed'] ],
  [ 'the request is lost',           '66606',     'unknown',    'never-arrived',  [] ],
] as const

for (const [title, amountMinor, result, looked, effects] of faults) {
  test(`${title}: ${result}, looked up as ${looked}, and repeated with one effect`, async () => {
    const order = newOrder({ amountMinor })
    assert.equal((await sale(order)).result, result)
    const answer = await statusOf(
      order,
      {},
      { operation: 'sale', transactionId: order.transactionId, reference: null, amountMinor },
    )
    assert.equal(answer.result, looked)
    assert.deepEqual(await at.ledger(), effects)
    assert.equal((await sale(order)).result, 'approved')
    assert.deepEqual(await at.ledger(), [`sale ${amountMinor} executed`])
  })
}

test('a capture whose reply was lost is found by our reference, and repeated with one effect', async () => {
  const order = newOrder()
  const { facts } = await authorize(order)
  const capture = followUpOf(order, facts, '400')
  await at.ask('/faults', { fault: 'reply-lost', every: 1 })
  assert.equal((await outcomeOf(() => at.account.capture?.(capture))).result, 'unknown')
  const question = { operation: 'capture', transactionId: capture.transactionId, reference: null } as const
  assert.equal((await statusOf(order, facts, question)).result, 'approved')
  assert.equal((await outcomeOf(() => at.account.capture?.(capture))).result, 'waiting')
  assert.deepEqual(await at.ledger(), ['authorize 1000 executed', 'capture 400 executed'])
})

test('wrong keys execute nothing, and the check names them', async () => {
  const wrong = at.open({ secret_key: 'sk_sbox_m73dzbpy7cf3gfd46xr4yj5xo4e' })
  assert.equal((await sale(newOrder(), wrong)).result, 'not-executed')
  const check = async (account: AcquirerAccount) => account.check?.(null)
  assert.deepEqual((await check(at.account))?.kind, 'accepted')
  const [secret, open] = [
    await check(wrong),
    await check(at.open({ public_key: 'pk_sbox_7d5gkb4yfzqkgsjxxlrwmaiuyme' })),
  ]
  assert.deepEqual(
    [secret, open].map((answer) => answer?.kind === 'refused' && answer.field),
    ['secret_key', 'public_key'],
  )
  assert.deepEqual(await at.ledger(), [])
})

test('an access key works like the secret key', async () => {
  const { secrets } = await at.accountOf('test')
  const account = at.open({
    secret_key: undefined,
    access_key_id: secrets['accessKeyId'],
    access_key_secret: secrets['accessKeySecret'],
  })
  assert.equal((await sale(newOrder(), account)).result, 'approved')
})

test('a payout waits and is paid, and a card is verified with no amount', async () => {
  const order = newOrder({ payeeCard: '5555555555554444' })
  const taken = await outcomeOf(() => at.account.credit?.(order))
  assert.equal(taken.result, 'waiting')
  const question = { operation: 'credit', transactionId: order.transactionId, reference: null } as const
  assert.equal((await statusOf(order, {}, question)).result, 'approved')
  assert.equal((await authorize(newOrder({ amountMinor: '0' }))).result, 'approved')
  assert.deepEqual(await at.ledger(), ['credit 1000 executed', 'authorize 0 executed'])
})

test('webhooks are signed, lead back to their transactions, and are sent until they are taken', async (t) => {
  const { promise: both, resolve } = Promise.withResolvers<void>()
  const decided: string[] = []
  let calls = 0
  const merchant = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const reading = await at.account.readNotification?.({
      headers,
      query: {},
      body: Buffer.concat(chunks),
      receivedAt: today,
    })
    calls += 1
    response.statusCode = calls === 1 ? 503 : 200
    response.end()
    if (calls === 1 || reading?.kind !== 'verified') return
    decided.push(...reading.events.flatMap((event) => (event.kind === 'decided' ? [event.transactionId] : [])))
    if (new Set(decided).size === 2) resolve()
  })
  await new Promise<void>((listening) => merchant.listen(0, '127.0.0.1', listening))
  t.after(() => merchant.close())
  const address = merchant.address()
  await at.ask('/accounts/test/notifications', {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/n`,
  })
  const order = newOrder()
  const { facts } = await authorize(order)
  const capture = followUpOf(order, facts, '400')
  await outcomeOf(() => at.account.capture?.(capture))
  await both
  assert.deepEqual(new Set(decided), new Set([order, capture].map(({ transactionId }) => transactionId.slice(-12))))
})

test('the stand-in keeps no card number', async () => {
  await sale(newOrder())
  const journal = await at.journal()
  assert.ok(journal.includes('1111') && !journal.includes('4111111111111111'))
})

// The connector against the company with a host of ISO 8583, which has a codec and a record of its own.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openIso8583 } from '#sandbox/acquirers/iso8583/stand-in.ts'
import { startServices } from '#sandbox/kit/program.ts'
import type { AcquirerAccount, FollowUp, Order, Outcome, SentTransaction } from '#server/connectors/connector.ts'
import { askUndo, exchange } from '#server/connectors/exchange.ts'
import { iso8583 } from '#server/connectors/iso8583/index.ts'
import { canaries, followUpWith, orderWith } from '#server/connectors/testing/contract-samples.ts'
import { createWires } from '#server/connectors/wire.ts'

interface Effect {
  readonly transactionId: string
  readonly kind: string
  readonly amount: string
  readonly currency: string
  readonly state: string
}

const unexpected = (fault: unknown): never => {
  throw fault
}
const clock = { now: () => new Date('2026-03-01T12:00:00Z') }
let transactions = 0
const newId = (): string => {
  transactions += 1
  return `0199a1b2-c3d4-7e5f-8a6b-${String(transactions).padStart(12, '0')}`
}

async function start(t: TestContext, mode: 'live' | 'test', { budgetMs = 5_000, folder = '' } = {}) {
  const data = folder || (await mkdtemp(join(tmpdir(), 'iso8583-')))
  if (!folder) t.after(() => rm(data, { recursive: true, force: true }))
  const standIn = await openIso8583(data)
  const running = await startServices([standIn], 0, unexpected)
  const wires = createWires({ clock, budgetMs, lineTiming: { firstPauseMs: 1, longestPauseMs: 5 } })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await wires.close()
    await running.stop()
  }
  t.after(stop)
  const account = iso8583.open(standIn.credentials(running.url)[mode], wires, mode)
  const run = (ask: () => Promise<Outcome> | undefined): Promise<Outcome> =>
    exchange(
      async () => (await ask()) ?? assert.fail(),
      unexpected,
      () => undefined,
    )
  const ledger = async (): Promise<readonly string[]> => {
    const effects: readonly Effect[] = JSON.parse(await (await fetch(`${running.url}/ledger`)).text())
    return effects.map(({ transactionId, kind, amount, currency, state }) =>
      [Number(transactionId.slice(-12)) - base, kind, amount, currency, state].join(' '),
    )
  }
  // Numbers of this test's transactions begin with 1.
  const base = transactions
  const undo = (sent: SentTransaction) => askUndo(async () => account.undo?.(sent) ?? assert.fail(), unexpected)
  return { account, run, ledger, undo, stop, data, url: running.url }
}

const newOrder = (input: object = {}): Order => orderWith({ transactionId: newId(), ...input })

const factsOf = (outcome: Outcome) => ('facts' in outcome ? outcome.facts : {})

function after(order: Order, outcome: Outcome, amountMinor: string): FollowUp {
  const facts = factsOf(outcome)
  const first = {
    transactionId: order.transactionId,
    reference: facts.reference ?? null,
    amountMinor: order.amountMinor ?? 0n,
    createdAt: order.createdAt,
    facts,
  }
  return followUpWith({
    transactionId: newId(),
    paymentId: order.paymentId,
    originalTransactionId: order.transactionId,
    amountMinor,
    first,
  })
}

const sentAs = (
  operation: SentTransaction['operation'],
  step: Order | FollowUp,
  first: FollowUp['first'],
): SentTransaction => ({
  transactionId: step.transactionId,
  paymentId: step.paymentId,
  operation,
  reference: null,
  amountMinor: step.amountMinor ?? 0n,
  currency: step.currency,
  createdAt: step.createdAt,
  first,
})

const sentOrder = (order: Order): SentTransaction =>
  sentAs('sale', order, {
    transactionId: order.transactionId,
    reference: null,
    amountMinor: order.amountMinor ?? 0n,
    createdAt: order.createdAt,
    facts: {},
  })

const resultOf = ({ result }: Outcome): string => result

for (const [mode, dialect] of [
  ['live', '1987'],
  ['test', '1993'],
] as const) {
  describe(`dialect of ${dialect}`, () => {
    test('a hold is captured in part, refunded in part and voided; a sale is voided; a hold is released', async (t) => {
      const { account, run, ledger } = await start(t, mode)
      const hold = newOrder()
      const held = await run(() => account.authorize?.(hold))
      assert.equal(held.result, 'approved')
      assert.match(factsOf(held).approvalCode ?? '', /^[0-9]{6}$/)
      assert.equal(factsOf(held).rrn, hold.transactionId.slice(-12))
      assert.equal(resultOf(await run(() => account.capture?.(after(hold, held, '400')))), 'approved')
      assert.equal(resultOf(await run(() => account.refund?.(after(hold, held, '150')))), 'approved')
      assert.equal(resultOf(await run(() => account.refund?.(after(hold, held, '300')))), 'declined')
      assert.equal(resultOf(await run(() => account.void?.(after(hold, held, '250')))), 'approved')
      const sale = newOrder()
      const sold = await run(() => account.sale(sale))
      assert.equal(resultOf(await run(() => account.void?.(after(sale, sold, '1000')))), 'approved')
      const second = newOrder()
      const secondHold = await run(() => account.authorize?.(second))
      assert.equal(resultOf(await run(() => account.reverse?.(after(second, secondHold, '1000')))), 'approved')
      assert.deepEqual(await ledger(), [
        '1 authorize 1000 EUR executed',
        '2 capture 400 EUR executed',
        '3 refund 150 EUR executed',
        '4 refund 300 EUR declined',
        '5 void 1000 EUR executed',
        '6 sale 1000 EUR executed',
        '7 void 1000 EUR executed',
        '8 authorize 1000 EUR executed',
        '9 reverse 1000 EUR executed',
      ])
    })

    // biome-ignore format: a table is read in columns.
    const cards = [
      [ 2038,  2, 'soft',      'Do not honour' ],
      [ 2038,  9, 'hard',      'Stolen card' ],
      [ 2038, 10, 'soft',      'Insufficient funds' ],
      [ 2038,  8, 'technical', 'Issuer is not available' ],
    ] as const
    for (const [expiryYear, expiryMonth, declineClass, reason] of cards) {
      test(`a card of ${expiryMonth}/${expiryYear} is declined: ${reason}`, async (t) => {
        const { account, run } = await start(t, mode)
        const outcome = await run(() => account.sale(newOrder({ card: { expiryMonth, expiryYear } })))
        assert.ok(outcome.result === 'declined')
        assert.deepEqual([outcome.declineClass, outcome.reason], [declineClass, reason])
      })
    }

    // biome-ignore format: a table is read in columns.
    const faults = [
      // amount   what happens                              the host's record afterwards
      [ '66601', 'the answer is lost after the execution',  ['sale', 'reverse'] ],
      [ '66605', 'garbage comes in place of the answer',    ['sale', 'reverse'] ],
      [ '66606', 'the request is lost before it',           [] ],
      [ '66607', 'the answer comes late',                   ['sale', 'reverse'] ],
      [ '66608', 'the answer has another trace number',     ['sale', 'reverse'] ],
    ] as const
    for (const [amountMinor, what, kinds] of faults) {
      test(`${what}: unknown, then reversed until it is acknowledged; nothing stays charged`, async (t) => {
        const { account, run, ledger, undo } = await start(t, mode, { budgetMs: 600 })
        await run(() => account.authorize?.(newOrder({ amountMinor: '0' })))
        const order = newOrder({ amountMinor })
        assert.equal(resultOf(await run(() => account.sale(order))), 'unknown')
        let outcome = await undo(sentOrder(order))
        for (let time = 0; outcome.result === 'unknown' && time < 10; time += 1) outcome = await undo(sentOrder(order))
        assert.equal(outcome.result, 'not-executed')
        const effects = (await ledger()).filter((effect) => effect.startsWith('2 '))
        assert.deepEqual(
          effects,
          kinds.map((kind) => `2 ${kind} ${amountMinor} EUR executed`),
        )
        // The line serves others as before.
        assert.equal(resultOf(await run(() => account.sale(newOrder()))), 'approved')
      })
    }

    test('a capture whose answer was lost is repeated as an advice, and executed once', async (t) => {
      const { account, run, ledger, undo } = await start(t, mode)
      const hold = newOrder({ amountMinor: '100000' })
      const held = await run(() => account.authorize?.(hold))
      const capture = after(hold, held, '66601')
      assert.equal(resultOf(await run(() => account.capture?.(capture))), 'unknown')
      assert.equal((await undo(sentAs('capture', capture, capture.first))).result, 'approved')
      assert.deepEqual((await ledger()).slice(1), ['2 capture 66601 EUR executed'])
    })

    test(`a refund whose answer was lost is ${mode === 'live' ? 'a request, and reversed' : 'an advice, and repeated'}`, async (t) => {
      const { account, run, ledger, undo } = await start(t, mode)
      const sale = newOrder({ amountMinor: '100000' })
      const sold = await run(() => account.sale(sale))
      const refund = after(sale, sold, '66601')
      assert.equal(resultOf(await run(() => account.refund?.(refund))), 'unknown')
      const isRequest = mode === 'live'
      assert.equal((await undo(sentAs('refund', refund, refund.first))).result, isRequest ? 'not-executed' : 'approved')
      const kinds = isRequest ? ['refund', 'reverse'] : ['refund']
      const effects = kinds.map((kind) => `2 ${kind} 66601 EUR executed`)
      assert.deepEqual((await ledger()).slice(1), effects)
    })

    test('a reversal that overtakes its request keeps it from being executed', async (t) => {
      const { account, run, ledger, undo } = await start(t, mode)
      const order = newOrder()
      assert.equal((await undo(sentOrder(order))).result, 'not-executed')
      assert.notEqual(resultOf(await run(() => account.sale(order))), 'approved')
      assert.deepEqual(
        (await ledger()).filter((effect) => effect.endsWith('executed')),
        [],
      )
    })
  })
}

test('dropped lines come back, and a restarted host knows what it did', async (t) => {
  const before = await start(t, 'live')
  const order = newOrder()
  const sold = await before.run(() => before.account.sale(order))
  await fetch(`${before.url}/lines/drop`, { method: 'POST' })
  const recovered = async (account: AcquirerAccount): Promise<string> => (await account.check?.(null))?.kind ?? ''
  while ((await recovered(before.account)) !== 'accepted') await new Promise((resolve) => setImmediate(resolve))
  assert.equal(resultOf(await before.run(() => before.account.refund?.(after(order, sold, '100')))), 'approved')
  await before.stop()
  const { account, run, ledger } = await start(t, 'live', { folder: before.data })
  assert.equal(resultOf(await run(() => account.refund?.(after(order, sold, '1000')))), 'declined')
  assert.equal((await ledger()).length, 3)
})

test('the host writes no card number and no verification code down', async (t) => {
  const { account, run, data } = await start(t, 'test')
  await run(() => account.sale(newOrder()))
  const journal = await readFile(join(data, 'journal'), 'utf8')
  assert.ok(journal.includes('"lastFour":"1111"'))
  for (const value of [canaries.number, `"${canaries.verificationCode}"`]) assert.ok(!journal.includes(value), value)
})

test('a terminal that the host does not know is declined, and the check of the MID says that the line is taken', async (t) => {
  const { account, run, data } = await start(t, 'live')
  assert.deepEqual(await account.check?.(null), { kind: 'accepted' })
  const ports: { readonly live: number } = JSON.parse(await readFile(join(data, 'ports.json'), 'utf8'))
  const wires = createWires({ clock })
  t.after(() => wires.close())
  const stranger = iso8583.open(
    {
      host: '127.0.0.1',
      port: ports.live,
      encryption: 'plain',
      acquirer_id: '1',
      terminal_id: 'X',
      acceptor_id: 'X',
      mcc: '5661',
      city: 'B',
      country: 'DE',
      dialect: 'iso1987-ascii',
    },
    wires,
    'live',
  )
  const outcome = await run(() => stranger.sale(newOrder()))
  assert.ok(outcome.result === 'declined' && outcome.reason === 'Invalid merchant')
})

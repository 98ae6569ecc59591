/**
 * What every connector of the registry owes. A new one is covered by being listed; it brings `fixtures/` with it:
 * `credentials.json`, and one file per exchange with the operation, what is given, the request that must go out byte for
 * byte, a reply of the acquirer and the outcome it must become. Where the reply says that the payer did not pay, `payer` says what
 * the payer did.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { wallets } from '#domain/mid.ts'
import { capabilityTable } from './capability-table.ts'
import type { AcquirerAccount, RegisteredConnector } from './connector.ts'
import { askUndo, enquire, exchange } from './exchange.ts'
import { capabilitiesOf, connectorById, connectors } from './registry.ts'
import { secretCredentials } from './scrub.ts'
import { capabilityProofs } from './testing/capability-fixtures.ts'
import {
  type ContractFixtures,
  firstSteps,
  laterSteps,
  operations,
  readFixtures,
  stepsOf,
  type TestedOperation,
} from './testing/contract-fixtures.ts'
import {
  canaries,
  followUpWith,
  orderWith,
  payerReturnWith,
  type SampleInput,
  statusQueryWith,
} from './testing/contract-samples.ts'
import { FakeAcquirer, type FakeReply, refusedConnection } from './testing/fake-acquirer.ts'
import { createWires, type WireEntry, type Wires } from './wire.ts'

/** What signatures are made at, so that a fixture can state them. */
const clock = { now: () => new Date('2026-03-01T12:00:00Z') }

function judge(connector: RegisteredConnector, { credentials, token, exchanges: fixtures }: ContractFixtures): void {
  const offered = operations.filter((operation) => connector.operations.has(operation))

  const fake = new FakeAcquirer()
  const entries: WireEntry[] = []
  const openWires: Wires[] = []
  const accountBy = (settings: Omit<Parameters<typeof createWires>[0], 'clock'>): AcquirerAccount => {
    const wires = createWires({ clock, ...settings })
    openWires.push(wires)
    return connector.open(credentials, wires, 'test')
  }
  // Whatever address the credentials name, every request goes to the fake.
  const account = accountBy({ connect: () => fake.connect, onEntry: (entry) => entries.push(entry) })
  const hasty = accountBy({ connect: () => fake.connect, budgetMs: 100 })
  const unreachable = accountBy({ connect: () => refusedConnection })

  before(async () => {
    await fake.listen()
    if (token) fake.issueTokens(token.path, token.reply)
  })
  after(async () => {
    await Promise.all(openWires.map((wires) => wires.close()))
    fake.close()
  })

  /** Of its first request; null if it sends none. */
  const bodyOf = async (operation: TestedOperation, changes: SampleInput): Promise<string | null> => {
    fake.answer({ status: 500 })
    await call(account, operation, changes)
    return fake.sent[0]?.body ?? null
  }

  /** What the browser brings back is named by each acquirer: its first fixture with fields shows it. */
  const { given: usualReturn = {} } =
    fixtures.find(({ operation, given }) => operation === 'complete' && given?.fields) ?? {}
  const call = (to: AcquirerAccount, operation: TestedOperation, changes: SampleInput) =>
    callOperation(to, operation, operation === 'complete' ? { ...usualReturn, ...changes } : changes)

  /** On a busy machine the time may pass before the request has left, which says nothing about a silence: then once more. */
  const resultOfSilence = async (operation: TestedOperation): Promise<string> => {
    for (;;) {
      fake.trouble('silent')
      const { result } = await call(hasty, operation, {})
      if (fake.requests > 0) return result
    }
  }

  const { way } = account.recovery
  // An acquirer that has nothing to ask is never asked.
  const sending = offered.filter((operation) =>
    fixtures.some((fixture) => fixture.operation === operation && stepsOf(fixture).length > 0),
  )

  test('is found by its id, which is the name of its folder', () => {
    assert.equal(connectorById(connector.id), connector)
    assert.match(connector.id, /^[a-z][a-z0-9-]*$/)
  })

  test('takes its sample credentials again as it read them, and refuses none', () => {
    assert.deepEqual(connector.credentials.parse(credentials), credentials)
    assert.equal(connector.credentials.safeParse({}).success, false)
  })

  for (const operation of sending) {
    test(`${operation} has fixtures of ${operation === 'undo' ? 'an acknowledgement' : 'an approval'} and of something else`, () => {
      const results = fixtures.filter((fixture) => fixture.operation === operation).map(({ outcome }) => outcome.result)
      // Many acquirers take a capture, a refund or a void first, and decide later.
      const wanted = operation === 'undo' ? ['not-executed'] : ['approved', 'waiting']
      assert.ok(
        results.some((result) => wanted.includes(result)),
        'an approval',
      )
      assert.ok(
        results.some((result) => !wanted.includes(result)),
        'something else',
      )
    })
  }

  test('status says what the way of recovery promises', () => {
    const wanted = way === 'lookup' ? 'never-arrived' : 'cannot-be-asked'
    assert.ok(
      fixtures.some(({ operation, outcome }) => operation === 'status' && outcome.result === wanted),
      wanted,
    )
    assert.equal(account.undo !== undefined || way !== 'reverse', true, 'a reversal by our own id')
    assert.equal(account.recovery.idempotencyKey !== null || way !== 'repeat', true, 'an idempotency key')
  })

  for (const { file, outcome } of fixtures) {
    if (outcome.result !== 'payer-step') continue
    test(`${file}: the payer comes back to the connector, not to the MPI service`, () => {
      assert.equal(outcome.step, 'REDIRECT')
    })
  }

  const waitsForPayer = fixtures.some(
    ({ operation, outcome }) =>
      outcome.result === 'payer-step' || (outcome.result === 'waiting' && ['sale', 'authorize'].includes(operation)),
  )
  if (waitsForPayer) {
    // Chapter 10 §6.2: a payer who cancels is not asked again by the next acquirer.
    for (const payer of ['cancelled', 'expired'] as const) {
      test(`has a fixture of a payer who ${payer === 'cancelled' ? 'cancelled' : 'let the time pass'}`, () => {
        assert.ok(fixtures.some((fixture) => fixture.payer === payer))
      })
    }
  }

  for (const { file, payer, outcome } of fixtures) {
    const isPayersWill = payer !== undefined || (outcome.result === 'declined' && saysSo.test(outcome.reason ?? ''))
    if (!isPayersWill) continue
    test(`${file}: what the payer did not want is a hard decline, which no other MID is tried after`, () => {
      assert.equal(outcome.result, 'declined')
      assert.equal(outcome.declineClass, 'hard')
    })
  }

  for (const fixture of fixtures) {
    const { file, operation, given: changes = {}, outcome } = fixture
    const steps = stepsOf(fixture)
    test(`${file}: the request goes out byte for byte, and the reply becomes the stated outcome`, async () => {
      fake.answerInTurn(steps.map(({ reply }) => reply))
      const result = await call(account, operation, changes)
      assert.equal(fake.requests, steps.length, 'requests')
      for (const [index, { request }] of steps.entries()) {
        const sent = fake.sent[index]
        assert.equal(`${sent?.method} ${sent?.path}`, `${request.method} ${request.path}`)
        assert.equal(sent?.body, request.text ?? (request.body === undefined ? '' : JSON.stringify(request.body)))
        for (const [name, value] of Object.entries(request.headers))
          assert.equal(sent?.headers[name.toLowerCase()], value, name)
      }
      assert.deepEqual(result, outcome)
    })
  }

  for (const operation of sending) {
    test(`${operation} logs no card number, verification code, authentication value, token or credential`, async () => {
      entries.length = 0
      // An acquirer that quotes the request in its answer, in a field of its own choice.
      fake.echo()
      for (const changes of revealing) await call(account, operation, changes)
      assert.ok(entries.length > 0)
      const log = readings(JSON.stringify(entries.map((entry) => ({ ...entry, durationMs: 0 }))))
      for (const value of [...Object.values(canaries), ...secretCredentials(credentials)]) {
        // So short a value may be part of any reference.
        const shown = value === canaries.verificationCode ? `"${value}"` : value.replaceAll('\\', '')
        assert.ok(!log.includes(shown), `${value} in ${log}`)
      }
    })

    test(`${operation} sends nothing again, and a silence or a broken connection leaves it unknown`, async () => {
      fake.trouble('hang-up')
      assert.equal((await call(account, operation, {})).result, 'unknown', 'hang-up')
      assert.equal(fake.requests, 1)

      assert.equal(await resultOfSilence(operation), 'unknown', 'silent')
      assert.equal(fake.requests, 1)
    })

    test(`${operation} does not take a stranger's answer for the acquirer's`, async () => {
      for (const reply of strangers) {
        fake.answer(reply)
        const { result } = await call(account, operation, {})
        assert.equal(result, 'unknown', JSON.stringify(reply))
      }
    })

    const isQuestion = operation === 'status' || operation === 'undo'
    test(`${operation} on a refused connection is ${isQuestion ? 'unknown' : 'not executed'}`, async () => {
      const { result } = await call(unreachable, operation, {})
      // An undo that was not sent leaves the transaction as it was.
      assert.equal(result, isQuestion ? 'unknown' : 'not-executed')
    })
  }

  const moving = sending.filter((name) => name !== 'status' && name !== 'complete' && name !== 'undo')
  for (const operation of moving) {
    test(`${operation} sends a large amount to the last unit, or not at all`, async () => {
      const body = await bodyOf(operation, { amountMinor: '123456789012345678' })
      // Some acquirers release or cancel the whole, and take no amount.
      const isWhole = operation === 'reverse' || operation === 'void'
      if (isWhole && body !== null && body === (await bodyOf(operation, { amountMinor: '400' }))) return
      if (body !== null) assert.ok(body.replaceAll('.', '').includes('123456789012345678'), body)
      else assert.equal((await call(account, operation, { amountMinor: '123456789012345678' })).result, 'not-executed')
    })
  }

  test('what it supports is visible in what it sends', async () => {
    const plain = await bodyOf('sale', {})
    for (const [flag, changes] of claims) {
      if (connector.supports[flag]) assert.notEqual(await bodyOf('sale', changes), plain, flag)
    }
    if (!connector.supports.ipv6) {
      const body = readings((await bodyOf('sale', { payerIp: '2001:db8::7' })) ?? '')
      assert.ok(!body.includes('2001:db8::7'), 'no IPv6 address')
    }
  })

  // The sandbox acquirer knows brands, and is told this one, too.
  if (connector.id !== 'sandbox') {
    test('a device wallet is sent alike, whether or not it is named as a brand as well', async () => {
      const { acceptsDecrypted, passesTokens } = connector.supports
      for (const name of wallets) {
        const sent = [
          ...(acceptsDecrypted ? [{ wallet: { name, decrypted: dpan } }] : []),
          ...(passesTokens ? [{ wallet: { name, token: '{"id":"tok_visa"}' }, card: null }] : []),
        ]
        for (const changes of sent) {
          const plain = await bodyOf('sale', changes)
          assert.ok(plain)
          assert.equal(await bodyOf('sale', { ...changes, brand: walletBrand(name) }), plain)
        }
      }
    })
  }

  for (const { id, title, isOffered } of capabilityTable(connector)) {
    if (!isOffered || id === 'notifications' || id === 'disputes' || id === 'disputeDecisions') continue
    test(`${title}: a fixture shows the request and a reply that grants it`, () => {
      assert.ok(capabilityProofs[id](fixtures))
    })
  }

  test('what it supports agrees with the methods that it has', () => {
    const { actions, followUps } = capabilitiesOf(connector)
    const offers = (operation: TestedOperation): boolean => offered.includes(operation)
    assert.equal(actions.has('auth'), offers('authorize'))
    for (const action of ['sale', 'debit', 'credit', 'transfer'] as const) {
      assert.equal(actions.has(action), offers(action))
    }
    assert.equal(actions.has('recurring'), connector.supports.recurring)
    assert.deepEqual([...followUps], laterSteps.filter(offers))
    assert.equal(offers('capture'), offers('authorize'), 'a hold can be captured, and only a hold')
    assert.ok(offers('reverse') || !offers('authorize'), 'a hold can be released')
    assert.ok(connector.supports.cardFlow || !connector.supports.acceptsDecrypted, 'decrypted numbers are cards')
  })
}

const dpan = { panType: 'DPAN', dataType: '3DSecure', cryptogram: canaries.cryptogram, eci: '05' }

const walletBrand = (code: string) => ({
  code,
  kind: 'wallet',
  identifier: null,
  expiresAt: '2026-03-10T12:52:53.000Z',
})

/** A text as it is and as it reads where it was escaped: without backslashes, and with percent signs resolved. */
function readings(text: string): string {
  const plain = text.replaceAll('\\', '')
  const resolved = plain.replace(/%[0-9A-F]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  return `${text}\n${plain}\n${resolved}`
}

/** An acquirer's words for it, in case that a fixture forgets to say so; what a bank cancelled or a card that expired is none. */
const saysSo = /(cancel|abandon|abort)\w* by (the )?(payer|customer|user|cardholder|buyer|consumer)|^expired$/i

const threeDs = {
  eci: '05',
  authenticationValue: canaries.authenticationValue,
  dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  version: '2.2.0',
  transStatus: 'Y',
  xid: null,
}

const decrypted = {
  panType: 'DPAN',
  dataType: '3DSecure',
  cryptogram: canaries.cryptogram,
  eci: '05',
  merchantToken: canaries.merchantToken,
}
const emv = { panType: 'DPAN', dataType: 'EMV', emvData: canaries.emvData }
const opened: SampleInput = { wallet: { name: 'walletapay', decrypted } }
const unopened: SampleInput = { wallet: { name: 'walletapay', token: canaries.token }, card: null }
const brand = { code: 'bank-payout', kind: 'payout', expiresAt: '2026-03-15T10:00:00.000Z' }

/** Everything that may be secret, together as far as it goes together. */
const revealing: readonly SampleInput[] = [
  {},
  { payeeCard: canaries.payeeNumber, threeDs },
  opened,
  { wallet: { name: 'walletapay', decrypted: emv } },
  unopened,
  { brand, card: null, parameters: { account_number: canaries.account } },
]

const subsequent = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null }

// biome-ignore format: a table is read in columns.
const claims = [
  // supports            shows in the request when
  [ 'moto',              { moto: true } ],
  [ 'recurring',         { recurringInit: true } ],
  [ 'recurring',         { storedCredential: subsequent, payerPresent: false } ],
  [ 'cardOnFile',        { registerCard: true } ],
  [ 'externalThreeDs',   { threeDs } ],
  [ 'acceptsDecrypted',  opened ],
  [ 'emv',               { wallet: { name: 'walletapay', decrypted: emv } } ],
  [ 'passesTokens',      unopened ],
] as const

/** Proxies, outages and half answers: none of them says what became of the transaction. */
const strangers: readonly FakeReply[] = [
  { status: 500 },
  { status: 502, text: '<html>Bad gateway</html>' },
  { status: 503, text: '<html>Service unavailable</html>' },
  { status: 504, text: 'upstream timed out' },
  { status: 404, text: '<html>Not found</html>' },
  { status: 302, text: '' },
  { status: 200 },
  { status: 200, text: '<html>Welcome</html>' },
  { status: 200, body: {} },
  { status: 200, body: { state: 'a state of the future', status: 'a state of the future', reference: 'R', id: 'R' } },
  { status: 200, text: '{"state":"appr', type: 'application/json' },
]

async function callOperation(account: AcquirerAccount, operation: TestedOperation, changes: SampleInput) {
  const unexpected = (fault: unknown): never => {
    throw fault
  }
  if (operation === 'status') return enquire(() => account.status(statusQueryWith(changes)), unexpected)
  const { undo, complete } = account
  if (operation === 'undo' && undo) return askUndo(() => undo(statusQueryWith(changes)), unexpected)

  return exchange(
    async () => {
      if (operation === 'complete' && complete) return complete(payerReturnWith(changes))
      const first = firstSteps.find((name) => name === operation)
      const outcome = first
        ? account[first]?.(orderWith(changes))
        : account[laterSteps.find((name) => name === operation) ?? 'capture']?.(followUpWith(changes))
      assert.ok(outcome, `${operation} is offered`)
      return outcome
    },
    unexpected,
    () => undefined,
  )
}

// A connector with a transport of its own gives the same guarantees by a contract test in its folder.
for (const connector of connectors.filter(({ transport }) => transport === 'http')) {
  const folder = new URL(`./${connector.id}/fixtures/`, import.meta.url)
  const reading = await readFixtures(connector.credentials, folder)
  if (reading.ok) describe(`connector ${connector.id}`, () => judge(connector, reading.fixtures))
  else test(`connector ${connector.id} has fixtures that can be read`, () => assert.fail(reading.faults.join('\n')))
}

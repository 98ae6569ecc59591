/**
 * What every connector owes (`contract.test.ts`), for the one that speaks over a line, in both of its dialects: the same guarantees, by
 * messages in place of HTTP.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AcquirerAccount } from '../connector.ts'
import { askUndo, enquire, exchange } from '../exchange.ts'
import { capabilitiesOf, connectorById } from '../registry.ts'
import { secretCredentials } from '../scrub.ts'
import { canaries, followUpWith, orderWith, type SampleInput, statusQueryWith } from '../testing/contract-samples.ts'
import { createWires, type WireEntry, type Wires } from '../wire.ts'
import { credentialsSchema, dialectOf } from './credentials.ts'
import sample from './fixtures/credentials.json' with { type: 'json' }
import { iso8583 } from './index.ts'
import { type Behaviour, FakeHost } from './testing/fake-host.ts'

const clock = { now: () => new Date('2026-03-01T12:00:00Z') }
const firstSteps = ['sale', 'authorize'] as const
const laterSteps = ['capture', 'refund', 'reverse', 'void'] as const
const operations = [...firstSteps, ...laterSteps, 'undo'] as const
type TestedOperation = (typeof operations)[number]

const unexpected = (fault: unknown): never => {
  throw fault
}

async function call(account: AcquirerAccount, operation: TestedOperation, input: SampleInput = {}) {
  const { undo } = account
  if (operation === 'undo') return askUndo(async () => undo?.(statusQueryWith(input)) ?? assert.fail(), unexpected)
  return exchange(
    async () => {
      const first = firstSteps.find((name) => name === operation)
      const later = laterSteps.find((name) => name === operation)
      if (first) return account[first]?.(orderWith(input)) ?? assert.fail()
      return (later && account[later]?.(followUpWith(input))) ?? assert.fail()
    },
    unexpected,
    () => undefined,
  )
}

const types = (host: FakeHost): readonly string[] => host.sent.map(({ mti }) => mti)

const threeDs = {
  eci: '05',
  authenticationValue: canaries.authenticationValue,
  dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  version: '2.2.0',
  transStatus: 'Y',
  xid: null,
}
const dpan = { panType: 'DPAN', dataType: '3DSecure', cryptogram: canaries.cryptogram, eci: '05' }
const emv = { panType: 'DPAN', dataType: 'EMV', emvData: canaries.emvData }
const subsequent = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null }

// biome-ignore format: a table is read in columns.
const claims = [
  // supports            shows in the request when
  [ 'moto',              { moto: true } ],
  [ 'zeroAmount',        { amountMinor: '0' } ],
  [ 'recurring',         { recurringInit: true } ],
  [ 'recurring',         { storedCredential: subsequent, payerPresent: false } ],
  [ 'recurring',         { storedCredential: subsequent, networkTransactionId: 'MCC1234560301' } ],
  [ 'cardOnFile',        { registerCard: true } ],
  [ 'externalThreeDs',   { threeDs } ],
  [ 'acceptsDecrypted',  { wallet: { name: 'walletapay', decrypted: dpan } } ],
  [ 'acceptsDecrypted',  { wallet: { name: 'walletbpay', decrypted: dpan } } ],
  [ 'emv',               { wallet: { name: 'walletapay', decrypted: emv } } ],
] as const

for (const name of ['iso1987-ascii', 'iso1993-binary'] as const) {
  describe(`dialect ${name}`, () => {
    const dialect = dialectOf(credentialsSchema.parse({ ...sample, dialect: name }))
    const host = new FakeHost(dialect)
    const approved = name === 'iso1987-ascii' ? '00' : '000'
    const notHonoured = name === 'iso1987-ascii' ? '05' : '100'
    const [reversed = ''] = dialect.reversed
    const entries: WireEntry[] = []
    const openWires: Wires[] = []
    let account: AcquirerAccount
    let hasty: AcquirerAccount
    let unreachable: AcquirerAccount

    before(async () => {
      const port = await host.listen()
      const accountBy = (input: object, settings: object): AcquirerAccount => {
        const wires = createWires({ clock, ...settings })
        openWires.push(wires)
        return iso8583.open({ ...sample, dialect: name, ...input }, wires, 'test')
      }
      account = accountBy({ port }, { onEntry: (entry: WireEntry) => entries.push(entry) })
      hasty = accountBy({ port }, { budgetMs: 240 })
      // Nothing listens on port 1.
      unreachable = accountBy({ port: 1 }, {})
    })
    after(async () => {
      await Promise.all(openWires.map((wires) => wires.close()))
      await host.close()
    })

    /** Makes the line ready, so that a request does not end before it was sent. */
    const warm = async (used: AcquirerAccount): Promise<void> => {
      host.answer(notHonoured)
      while ((await call(used, 'sale')).result !== 'declined') await new Promise((resolve) => setImmediate(resolve))
    }

    const okCode = (operation: TestedOperation): string => (operation === 'undo' ? reversed : approved)
    const okResult = (operation: TestedOperation): string => (operation === 'undo' ? 'not-executed' : 'approved')

    for (const operation of operations) {
      test(`${operation}: the host's yes is ${okResult(operation)}, its no is not`, async () => {
        host.answer(okCode(operation))
        assert.equal((await call(account, operation)).result, okResult(operation))
        assert.equal(host.sent.length, 1)
        host.answer(notHonoured)
        assert.equal((await call(account, operation)).result, operation === 'undo' ? 'unknown' : 'declined')
      })

      test(`${operation} logs no card number, verification code, authentication value, token or credential`, async () => {
        entries.length = 0
        // A host that quotes the request in its answer.
        const sale = dialect.answer.avsResult
        for (const input of [{ threeDs }, { wallet: { name: 'walletapay', decrypted: dpan } }]) {
          host.answer(okCode(operation), { [Number(sale)]: `PAN ${canaries.number}` })
          await call(account, operation, input)
        }
        assert.ok(entries.length > 0)
        const log = JSON.stringify(entries.map((entry) => ({ ...entry, durationMs: 0 })))
        assert.match(log, /EUR|978/, 'it shows the rest')
        const inHex = [canaries.authenticationValue, canaries.cryptogram].map((text) =>
          Buffer.from(text, 'base64').toString('hex'),
        )
        for (const value of [...Object.values(canaries), ...inHex, ...secretCredentials(sample)]) {
          const shown = value === canaries.verificationCode ? `"${value}"` : value
          assert.ok(!log.includes(shown), `${value} in ${log}`)
        }
      })

      test(`${operation} after a silence or a broken line is unknown, and only a reversal is sent again`, async () => {
        const times = operation === 'undo' ? 3 : 1
        await warm(hasty)
        host.behave(() => undefined)
        assert.equal((await call(hasty, operation)).result, 'unknown', 'silent')
        assert.equal(host.sent.length, times)
        const { mti, repeat } = dialect.messages.undo
        if (operation === 'undo') assert.deepEqual(types(host), [mti, repeat, repeat])
        await warm(account)
        host.behave((_message, socket) => socket.destroy())
        assert.equal((await call(account, operation)).result, 'unknown', 'hang-up')
        assert.equal(host.sent.length, times)
      })

      test(`${operation} does not take a stranger's answer for the host's`, async () => {
        const strangers: (readonly [string, Behaviour])[] = [
          ['no frame', (_message, socket) => socket.write(Buffer.alloc(100, 0xff))],
          ['another amount', (message, socket) => host.reply(socket, message, { 4: '7', 39: okCode(operation) })],
          [
            'another type',
            (message, socket) => host.reply(socket, message, { 39: okCode(operation) }, `${message.mti.slice(0, 2)}50`),
          ],
          ['no code', (message, socket) => host.reply(socket, message, {})],
          [
            'a code of the future',
            (message, socket) => host.reply(socket, message, { 39: name === 'iso1987-ascii' ? 'Z9' : '799' }),
          ],
        ]
        for (const [what, behaviour] of strangers) {
          await warm(account)
          host.behave(behaviour)
          assert.equal((await call(account, operation)).result, 'unknown', what)
        }
      })

      test(`${operation} on a refused connection is ${operation === 'undo' ? 'unknown' : 'not executed'}`, async () => {
        assert.equal((await call(unreachable, operation)).result, operation === 'undo' ? 'unknown' : 'not-executed')
      })
    }

    for (const operation of [...firstSteps, ...laterSteps]) {
      test(`${operation} sends twelve digits to the last unit, and a larger amount not at all`, async () => {
        host.answer(approved)
        await call(account, operation, { amountMinor: '123456789012' })
        assert.equal(host.sent[0]?.fields.get(4), '123456789012')
        host.answer(approved)
        assert.equal((await call(account, operation, { amountMinor: '1234567890123' })).result, 'not-executed')
        assert.equal(host.sent.length, 0)
      })
    }

    test('a reply to another request, one that cannot be read, or one of a wrong length leaves the outcome unknown', async () => {
      const others: readonly Behaviour[] = [
        (_message, socket) => host.write(socket, Buffer.from('HTTP/1.1 200 OK')),
        (message, socket) => host.reply(socket, message, { 11: '999999', 39: approved }),
        (message, socket) => host.reply(socket, message, { 37: 'ffffffffffff', 39: approved }),
        (message, socket) => host.replyWithLength(socket, message, { 39: approved }, -1),
        (message, socket) => host.replyWithLength(socket, message, { 39: approved }, 1),
      ]
      for (const behaviour of others) {
        await warm(hasty)
        host.behave(behaviour)
        assert.equal((await call(hasty, 'sale')).result, 'unknown')
        assert.equal(host.sent.length, 1)
      }
    })

    test('a request that comes too late is not sent', async () => {
      await warm(account)
      host.answer(approved)
      const late = await exchange(
        () => account.sale(orderWith({}), performance.now() - 1),
        unexpected,
        () => undefined,
      )
      assert.equal(late.result, 'not-executed')
      assert.equal(host.sent.length, 0)
    })

    test('what it supports is visible in what it sends', async () => {
      const sent = async (input: SampleInput): Promise<string> => {
        host.answer(approved)
        await call(account, 'sale', input)
        return JSON.stringify([host.sent[0]?.mti, ...(host.sent[0]?.fields ?? [])])
      }
      const plain = await sent({})
      for (const [flag, input] of claims) {
        assert.equal(iso8583.supports[flag], true)
        assert.notEqual(await sent(input), plain, flag)
      }
    })

    test('a brand or a wallet token that it cannot pass on is not executed, and nothing is sent', async () => {
      host.answer(approved)
      const brand = { code: 'bank', kind: 'redirect', expiresAt: '2026-03-15T10:00:00.000Z' }
      for (const input of [
        { wallet: { name: 'walletapay', token: canaries.token }, card: null },
        { brand, card: null },
      ])
        assert.equal((await call(account, 'sale', input)).result, 'not-executed')
      assert.equal(host.sent.length, 0)
    })
  })
}

test('is found by its id, which is the name of its folder, and says that it has its own transport', () => {
  assert.equal(connectorById('iso8583'), iso8583)
  assert.equal(iso8583.transport, 'own')
})

test('takes its sample credentials again as it read them, and refuses none', () => {
  assert.deepEqual(iso8583.credentials.parse(sample), sample)
  assert.equal(iso8583.credentials.safeParse({}).success, false)
})

test('an unknown outcome is resolved by a reversal, since the host cannot be asked', async (t) => {
  const wires = createWires({ clock })
  t.after(() => wires.close())
  const account = iso8583.open(sample, wires, 'test')
  const answer = await enquire(() => account.status(statusQueryWith({})), unexpected)
  assert.deepEqual(answer, { result: 'cannot-be-asked' })
  assert.deepEqual(account.recovery, { way: 'reverse', idempotencyKey: null, executesWithinMs: 60_000 })
})

test('what it supports agrees with the methods that it has', () => {
  const { actions, followUps } = capabilitiesOf(iso8583)
  assert.deepEqual([...actions].toSorted(), ['auth', 'recurring', 'sale'])
  assert.deepEqual([...followUps], laterSteps)
})

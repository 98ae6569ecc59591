// Written from chapter 20 §18: `gatehouse trigger` reports the payer's money: the exact amount, more, less (crypto), or expired.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type SandboxProcess, startSandbox } from '#server/demo/sandbox-process.ts'
import { findUnusedUrl, runGatehouse } from '../../test/gatehouse.ts'
import { openOtherProgram } from '../../test/other-program.ts'

let folder: string
let sandbox: SandboxProcess

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-trigger-'))
  sandbox = await startSandbox(folder)
})
after(async () => {
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

const trigger = (argv: readonly string[], environment: NodeJS.ProcessEnv = { SANDBOX_URL: sandbox.url }) =>
  runGatehouse(['trigger', ...argv], { environment: { DATA_DIR: folder, ...environment } })

/** A payment of 10 USDT, or a redirect, that waits for the payer at the sandbox acquirer. */
async function openWaitingPayment(kind: string): Promise<string> {
  const payment = randomUUID()
  const reply = await fetch(`${sandbox.url}/v1/transactions`, {
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      type: 'sale',
      mid: 'MID-1',
      payment_id: payment,
      amount: '10000000',
      currency: 'USDT',
      brand: { code: 'a-brand', kind },
      return_url: 'https://pay.example.com/return/0',
    }),
  })
  assert.equal(reply.status, 200)
  return payment
}

// biome-ignore format: a table is read in columns.
const cases = [
  // kind       report                           becomes      with
  [ 'crypto',   ['paid'],                        'approved',  {} ],
  [ 'crypto',   ['more'],                        'approved',  { received: '11000000' } ],
  [ 'crypto',   ['more', '--amount', '12.5'],    'approved',  { received: '12500000' } ],
  [ 'crypto',   ['less'],                        'declined',  { received: '9000000', reason: 'Amount mismatch' } ],
  [ 'crypto',   ['expired'],                     'declined',  { reason: 'Expired' } ],
  [ 'voucher',  ['paid'],                        'approved',  {} ],
  [ 'redirect', ['approve'],                     'approved',  {} ],
  [ 'redirect', ['decline'],                     'declined',  { reason: 'Cancelled by payer' } ],
] as const

for (const [kind, report, state, more] of cases) {
  test(`"trigger ${report.join(' ')}" makes a ${kind} payment ${state}, once`, async () => {
    const payment = await openWaitingPayment(kind)
    const { json } = await trigger([payment.toUpperCase(), ...report, '--json'])
    const { transaction_id: _, ...decision } = json
    assert.deepEqual(decision, { payment_id: payment, state, currency: 'USDT', ...more })

    const again = await trigger([payment, ...report])
    assert.equal(again.code, 1)
    assert.match(again.err, /No transaction of this payment is waiting for the payer/)
  })
}

test('a report that does not suit the payment is refused with the reason', async () => {
  const payment = await openWaitingPayment('voucher')
  const { code, err } = await trigger([payment, 'more'])
  assert.equal(code, 1)
  assert.match(err, /paid in full or not at all/)
})

test('an invalid report, payment or amount is a usage error', async () => {
  for (const argv of [
    [randomUUID(), 'stolen'],
    ['ORDER-1', 'paid'],
    [randomUUID(), 'paid', '--amount', '-1'],
  ]) {
    assert.equal((await trigger(argv)).code, 2, argv.join(' '))
  }
})

test('without a sandbox acquirer the command says so', async () => {
  const payment = randomUUID()
  assert.match((await trigger([payment, 'paid'], {})).err, /The sandbox acquirer was not found/)
  assert.match(
    (await trigger([payment, 'paid'], { SANDBOX_URL: await findUnusedUrl() })).err,
    /does not answer: .*ECONNREFUSED/,
  )
})

test('another program at the address of the sandbox acquirer is named as the cause', async () => {
  await using other = await openOtherProgram()
  const { code, err } = await trigger([randomUUID(), 'paid'], { SANDBOX_URL: other.url })
  assert.equal(code, 1)
  assert.match(
    err,
    /^The answer of the sandbox acquirer at .* cannot be read\.\nAnother program may use this address: .*$/,
  )
})

test('the command is refused on a live instance', async () => {
  const environment = {
    GATEHOUSE_MODE: 'live',
    GATEHOUSE_KEY_FILE: join(folder, 'keys.json'),
    SANDBOX_URL: sandbox.url,
  }
  const { code, err } = await trigger([randomUUID(), 'paid'], environment)
  assert.equal(code, 1)
  assert.match(err, /On a live instance payers act themselves/)
})

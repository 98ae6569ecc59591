/**
 * The payer's way through the real sandbox, from the MPI service or the connector over the proxied pages to the outcome, row by row.
 * Chapter 10 §12. Plain requests replace the browser: the pages work without scripts.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import { secret } from '#domain/secret.ts'
import type { Order } from '#server/connectors/connector.ts'
import { sandbox as connector } from '#server/connectors/sandbox/index.ts'
import { orderWith, statusQueryWith } from '#server/connectors/testing/contract-samples.ts'
import { createWires } from '#server/connectors/wire.ts'
import { startSandbox } from '#server/demo/sandbox-process.ts'
import { systemClock } from '#server/process/clock.ts'
import { sandboxPages } from '#server/protocols/sandbox/pages/index.ts'
import type { Authentication } from '#server/three-ds/mpi.ts'
import { sandboxMpi } from '#server/three-ds/sandbox.ts'
import { request, writtenLog } from '#server/three-ds/testing/mpi-samples.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-pages-'))
const sandbox = await startSandbox(folder)
const app = Fastify()
await app.register(sandboxPages({ url: () => sandbox.url }))
let publicUrl = ''
before(async () => {
  publicUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
const wires = createWires({ clock: systemClock() })
const account = connector.open({ mid: 'MID-1', base_url: sandbox.url }, wires, 'test')
const mpi = sandboxMpi({ url: () => sandbox.url, publicUrl: () => publicUrl, log: writtenLog() })
after(async () => {
  await app.close()
  await wires.close()
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

type Challenge = Extract<Authentication, { result: 'challenge' }>

function cardOf(expiry: string) {
  const [expiryMonth, expiryYear] = expiry.split('/').map(Number)
  return {
    ...request.card,
    number: secret('4111111111111111'),
    expiryMonth: expiryMonth ?? 0,
    expiryYear: expiryYear ?? 0,
  }
}

const returnUrl = (): string => `${publicUrl}/verify/3ds/${request.paymentId}/5f0c3a9be1d24c7786a1f2d0b3c4e5f6`

const authenticate = (expiry: string): Promise<Authentication> =>
  mpi.authenticate({ ...request, card: cardOf(expiry), returnUrl: returnUrl(), browser: null })

async function startChallenge(expiry: string): Promise<Challenge> {
  const answer = await authenticate(expiry)
  if (answer.result !== 'challenge') return assert.fail(`${answer.result} instead of a challenge`)
  return answer
}

/** What a browser sends when the button on the challenge page is pressed. */
async function press(challenge: Challenge, button: 'approve' | 'decline'): Promise<Record<string, string>> {
  const reply = await fetch(challenge.url, { method: 'POST', body: new URLSearchParams(challenge.params) })
  assert.equal(reply.status, 200)
  const html = await reply.text()
  const [, action] = /<form method="post" action="([^"]*)">/.exec(html) ?? []
  assert.equal(action, returnUrl())
  const [, MD = ''] = /name="MD" value="([^"]*)"/.exec(html) ?? []
  assert.ok(html.includes(`name="PaRes" value="${button}"`))
  return { MD, PaRes: button }
}

const order = (expiry: string, changes: Partial<Order> = {}): Order => ({
  ...orderWith({}),
  card: cardOf(expiry),
  transactionId: randomUUID(),
  paymentId: request.paymentId,
  returnUrl: `${publicUrl}/verify/redirect/${request.paymentId}/0c3a9be1d24c7786a1f2d0b3c4e5f65f`,
  ...changes,
})

// biome-ignore format: a table is read in columns.
const rows = [
  // expiry    the charge after Approve
  [ '05/2038', 'approved' ],
  [ '06/2038', 'declined' ],
  [ '02/2040', 'unknown'  ],
] as const

for (const [expiry, outcome] of rows) {
  test(`${expiry}: challenged; after Approve the charge is ${outcome}`, async () => {
    const challenge = await startChallenge(expiry)
    assert.equal(challenge.url, `${publicUrl}/sandbox/acs`)
    assert.equal(challenge.facts.transStatus, 'C')
    const fields = await press(challenge, 'approve')
    const answer = await mpi.readResult({ paymentId: request.paymentId, state: challenge.state, fields })
    assert.equal(answer.result, 'authenticated')
    assert.equal(answer.facts.transStatus, 'Y')
    assert.equal(answer.facts.authenticationFlow, 'Challenge')
    assert.equal(answer.facts.dsTransID, answer.data.dsTransId)
    assert.equal((await account.sale(order(expiry, { threeDs: answer.data }))).result, outcome)
  })

  test(`${expiry}: a client that posts directly to TermUrl needs no page`, async () => {
    const { state } = await startChallenge(expiry)
    const result = (PaRes: string) =>
      mpi.readResult({ paymentId: request.paymentId, state, fields: { MD: 'x', PaRes } })
    assert.equal((await result('approve')).result, 'authenticated')
    assert.equal((await result('decline')).result, 'authenticated', 'the first outcome stands')
  })

  test(`${expiry}: Decline is a failed authentication`, async () => {
    const challenge = await startChallenge(expiry)
    const fields = await press(challenge, 'decline')
    const answer = await mpi.readResult({ paymentId: request.paymentId, state: challenge.state, fields })
    assert.deepEqual(answer.result === 'failed' && answer.reason, 'Authentication failed')
  })
}

test('01/2040: authenticated without a challenge, with every attribute, and approved', async () => {
  const answer = await authenticate('01/2040')
  assert.equal(answer.result, 'authenticated')
  const { xid: _, transStatusReason: __, ...filled } = answer.facts
  for (const [name, value] of Object.entries(filled)) assert.ok(value, name)
  assert.equal(answer.facts.authenticationFlow, 'Frictionless')
  assert.equal((await account.sale(order('01/2040', { threeDs: answer.data }))).result, 'approved')
})

test('01/2038 and 12/2038: not enrolled in 3-D Secure', async () => {
  assert.deepEqual(await authenticate('01/2038'), { result: 'not-needed' })
  assert.deepEqual(await authenticate('12/2038'), { result: 'not-needed' })
})

// biome-ignore format: a table is read in columns.
const redirects = [
  // expiry    button      outcome
  [ '12/2038', 'approve', 'approved', undefined                ],
  [ '12/2039', 'approve', 'declined', 'Declined by processing' ],
  [ '12/2038', 'decline', 'declined', 'Cancelled by payer'     ],
] as const

for (const [expiry, decision, result, reason] of redirects) {
  test(`${expiry}: the payer is redirected; after ${decision} the status is ${reason ?? result}`, async () => {
    const request = order(expiry)
    const { transactionId, paymentId } = request
    const sent = await account.sale(request)
    if (sent.result !== 'payer-step') return assert.fail(`${sent.result} instead of a payer step`)
    assert.deepEqual([sent.step, sent.method, sent.params], ['REDIRECT', 'GET', {}])
    assert.match(sent.url.slice(publicUrl.length), new RegExp(`^/sandbox/redirect/${paymentId}/[0-9a-f]{32}$`))

    const status = () => account.status(statusQueryWith({ transactionId, paymentId, reference: null }))
    assert.deepEqual(await status(), sent, 'until then the payer is waited for, at the same page')
    assert.equal((await fetch(sent.url)).status, 200)
    const body = new URLSearchParams({ decision })
    const back = await fetch(sent.url, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual([back.status, back.headers.get('location')], [303, request.returnUrl])
    const outcome = await status()
    assert.deepEqual([outcome.result, 'reason' in outcome ? outcome.reason : undefined], [result, reason])
  })
}

test('the sandbox’s other addresses cannot be reached through the pages', async () => {
  for (const path of ['/ledger', '/clock', '/scenario', '/v1/transactions', '/3ds/results']) {
    assert.equal((await fetch(`${publicUrl}/sandbox${path}`)).status, 404, path)
    assert.equal((await fetch(publicUrl + path)).status, 404, path)
  }
})

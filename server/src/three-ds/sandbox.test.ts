// Written from chapter 10 §12 and §13.2. Against the real sandbox: server/test/pages/payer-pages.test.ts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FakeAcquirer } from '../connectors/testing/fake-acquirer.ts'
import { sandboxMpi } from './sandbox.ts'
import { reportedFacts, request, writtenLog } from './testing/mpi-samples.ts'

const server = new FakeAcquirer()
before(() => server.listen())
after(() => server.close())

const publicUrl = () => 'https://pay.example.com'
const mpi = sandboxMpi({ url: () => server.url, publicUrl, log: writtenLog() })
const state = { threeDSServerTransID: reportedFacts.threeDSServerTransID }

test('a challenge leads to the sandbox page under our own address, with PaReq, MD and TermUrl in this order', async () => {
  server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'C', pareq: 'eJxVUs1u' } })
  const answer = await mpi.authenticate({ ...request, browser: null })
  assert.equal(answer.result, 'challenge')
  assert.equal(answer.url, 'https://pay.example.com/sandbox/acs')
  assert.equal(answer.method, 'POST')
  assert.deepEqual(Object.entries(answer.params), [
    ['PaReq', 'eJxVUs1u'],
    ['MD', request.paymentId],
    ['TermUrl', request.returnUrl],
  ])
  assert.deepEqual(answer.state, state)
  assert.equal(server.last().path, '/3ds/authentications')
})

test('a card that is not enrolled needs no authentication', async () => {
  server.answer({ status: 200, body: { enrolled: false } })
  assert.deepEqual(await mpi.authenticate(request), { result: 'not-needed' })
})

test("the browser's fields decide the result, and missing fields count as a failure", async () => {
  server.answer({ status: 200, body: { ...reportedFacts, transStatus: 'Y' } })
  const about = { paymentId: request.paymentId, state }
  assert.equal((await mpi.readResult({ ...about, fields: { MD: 'x', PaRes: 'approve' } })).result, 'authenticated')
  assert.deepEqual(JSON.parse(server.last().body), { ...state, pares: 'approve' })
  await mpi.readResult({ ...about, fields: {} })
  assert.deepEqual(JSON.parse(server.last().body), { ...state, pares: '' })
})

test('an unreachable sandbox counts as unavailable', async () => {
  const away = sandboxMpi({ url: () => 'http://127.0.0.1:1', publicUrl, log: writtenLog() })
  assert.equal((await away.authenticate(request)).result, 'unavailable')
  assert.equal((await away.readResult({ paymentId: '', state, fields: {} })).result, 'unavailable')
})

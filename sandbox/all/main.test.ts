// Starts, kills and restarts the real program.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { returnUrl, TestIssuer } from '../access-control/testing/test-issuer.ts'
import { decisionText, TestAcquirer } from '../acquirer/testing/test-acquirer.ts'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { recipient } from '../wallet/testing/test-wallet.ts'

const program = new URL('./main.ts', import.meta.url).pathname

interface StartedSandbox {
  readonly process: ChildProcess
  readonly acquirer: TestAcquirer
  readonly issuer: TestIssuer
}

async function start(t: TestContext, folder: string): Promise<StartedSandbox> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => assert.fail('it ended before it was ready')),
  ])
  const { url } = JSON.parse(String(line))
  return { process: child, acquirer: new TestAcquirer(url), issuer: new TestIssuer(url) }
}

test('acquirer and issuer answer on one port from their own records, also after kill -9', async (t) => {
  const folder = await temporaryFolder(t)
  const { process: before, acquirer, issuer } = await start(t, folder)
  const sale = await acquirer.first('sale', '4111111111111111', '01/2038')
  const challenge = (await issuer.authenticate('05/2038')).body
  before.kill('SIGKILL')
  await once(before, 'exit')

  const again = await start(t, folder)
  assert.equal((await again.acquirer.status(sale.id)).body.state, 'approved')
  const page = await again.issuer.visit({ PaReq: challenge.pareq, MD: 'p-1', TermUrl: returnUrl })
  assert.equal(page.status, 200)
  assert.equal((await again.issuer.result(challenge.threeDSServerTransID, 'approve')).body.transStatus, 'Y')
})

test('the issuer uses the test clock of the sandbox', async (t) => {
  const { acquirer, issuer } = await start(t, await temporaryFolder(t))
  await acquirer.ask('POST', '/clock', { offset_ms: 86_400_000_000 })
  await issuer.authenticate('05/2038')
  const [authentication] = (await issuer.get('/3ds/authentications?payment_id=p-1')).body.authentications
  const { now } = (await acquirer.ask('GET', '/clock')).body
  assert.ok(Math.abs(Date.parse(authentication?.at ?? '') - Date.parse(now)) < 60_000)
})

test('the acquirer recognises a token that the simulator minted by its card, and treats any other as one from a real device', async (t) => {
  const { acquirer } = await start(t, await temporaryFolder(t))
  const mint = async (card: string): Promise<string> => {
    const order = { wallet: 'walletapay', amount: '10.00', currency: 'EUR', recipient, card }
    return (await acquirer.ask('POST', '/wallet/tokens', order)).body.token
  }
  const pay = async (token: string) => decisionText(await acquirer.wallet({ name: 'walletapay', token }, null))
  assert.equal(await pay(await mint('approve')), 'approved')
  assert.equal(await pay(await mint('decline')), 'declined hard Declined by processing')
  assert.equal(await pay('{"version":"EC_v1"}'), 'approved')
})

test('SIGTERM ends it, and everything it answered is stored', async (t) => {
  const folder = await temporaryFolder(t)
  const { process: child, issuer } = await start(t, folder)
  const { threeDSServerTransID } = (await issuer.authenticate('05/2038')).body
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  const again = await start(t, folder)
  assert.equal((await again.issuer.result(threeDSServerTransID, 'decline')).body.transStatus, 'N')
})

// The real program, started, killed and started again.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../kit/testing/temporary-folder.ts'
import { firstBody, TestAcquirer } from './testing/test-acquirer.ts'

const program = new URL('./main.ts', import.meta.url).pathname
const visa = '4111111111111111'

interface StartedBank {
  readonly process: ChildProcess
  readonly acquirer: TestAcquirer
}

async function start(t: TestContext, folder: string, env: Record<string, string> = {}): Promise<StartedBank> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => assert.fail('it ended before it was ready')),
  ])
  const { ready, url } = JSON.parse(String(line))
  assert.equal(ready, true)
  return { process: child, acquirer: new TestAcquirer(url) }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  const startedAt = performance.now()
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
  return performance.now() - startedAt
}

test('nothing that was answered is lost by kill -9 under load, and nothing is done twice', async (t) => {
  const folder = await temporaryFolder(t)
  const first = await start(t, folder)
  const sent = new Map<string, unknown>()
  const send = async (): Promise<void> => {
    for (;;) {
      const id = randomUUID()
      sent.set(id, null)
      sent.set(id, (await first.acquirer.post(id, firstBody('sale', visa, '01/2038'))).body)
    }
  }
  const senders = Promise.allSettled(Array.from({ length: 20 }, send))
  const answered = () => [...sent.values()].filter((body) => body !== null).length
  while (answered() < 300) await new Promise((resolve) => setTimeout(resolve, 10))
  await end(first.process, 'SIGKILL')
  await senders

  const { acquirer } = await start(t, folder)
  for (const [id, body] of sent) {
    const again = await acquirer.post(id, firstBody('sale', visa, '01/2038'))
    if (body !== null) assert.deepEqual(again.body, body)
  }
  const { entries } = (await acquirer.ask('GET', '/ledger')).body
  assert.equal(entries.length, sent.size)
  assert.equal(new Set(entries.map((entry: { transaction_id: string }) => entry.transaction_id)).size, sent.size)
})

test('money rules, undecided payments, first MIDs, retries and the clock survive a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const { process: before, acquirer } = await start(t, folder)
  const sale = await acquirer.first('sale', visa, '01/2038')
  await acquirer.later('refund', sale, '600')
  const undecided = await acquirer.first('sale', visa, '04/2038')
  const cascaded = { order_id: 'CASCADE' }
  await acquirer.first('sale', visa, '03/2040', cascaded)
  const recurring = { recurring: 'subsequent', payment_id: 'month-1' }
  await acquirer.first('sale', visa, '01/2039', recurring)
  await acquirer.advance(86_400_000)
  await end(before, 'SIGKILL')

  const { acquirer: after } = await start(t, folder)
  assert.equal((await after.ask('GET', '/clock')).body.offset_ms, 86_400_000)
  assert.equal((await after.later('refund', sale, '401')).body.state, 'declined')
  assert.equal((await after.later('refund', sale, '400')).body.state, 'approved')
  assert.equal((await after.status(undecided.id)).body.state, 'approved')
  assert.equal((await after.first('sale', visa, '03/2040', { ...cascaded, mid: 'MID-2' })).body.state, 'approved')
  assert.equal((await after.first('sale', visa, '01/2039', recurring)).body.state, 'approved')
})

test('a torn last line is cut off and the record goes on', async (t) => {
  const folder = await temporaryFolder(t)
  const { process: before, acquirer } = await start(t, folder)
  const { id } = await acquirer.first('sale', visa, '01/2038')
  await end(before, 'SIGKILL')
  await appendFile(join(folder, 'journal.jsonl'), '{"kind":"transaction","number":2,"id":"to')

  const second = await start(t, folder)
  assert.equal((await second.acquirer.status(id)).status, 200)
  const next = await second.acquirer.first('sale', visa, '01/2038')
  await end(second.process, 'SIGKILL')

  const { acquirer: third } = await start(t, folder)
  assert.equal((await third.status(id)).status, 200)
  assert.equal((await third.status(next.id)).status, 200)
})

test('the durable record holds neither a card number nor a verification code', async (t) => {
  const folder = await temporaryFolder(t)
  const { process: child, acquirer } = await start(t, folder)
  const canaries = ['4000001000000018', '5200001000000013']
  for (const number of canaries) {
    await acquirer.first('sale', number, '12/2031', { card: { number, exp_month: 12, exp_year: 2031, cvv: '739' } })
    await acquirer.first('credit', number, '')
    await acquirer.first('transfer', number, '12/2031')
  }
  await end(child, 'SIGTERM')
  const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8')
  assert.match(journal, /400000\*{6}0018/)
  for (const canary of [...canaries, '"739"', '"987"']) assert.ok(!journal.includes(canary), canary)
})

test('a scenario file is in force from the start', async (t) => {
  const folder = await temporaryFolder(t)
  const file = join(folder, 'scenario.json')
  await writeFile(file, JSON.stringify([{ mid: 'MID-2', down: true }]))
  const { acquirer } = await start(t, folder, { SANDBOX_SCENARIO: file })
  assert.equal((await acquirer.first('sale', visa, '01/2038', { mid: 'MID-2' })).status, 503)
  assert.equal((await acquirer.first('sale', visa, '01/2038')).status, 200)
})

test('SIGTERM ends it within 2 s, also while an answer is being held back', async (t) => {
  const { process: child, acquirer } = await start(t, await temporaryFolder(t))
  const late = acquirer.first('sale', visa, '11/2038').catch(() => undefined)
  await acquirer.ask('GET', '/health')
  const passed = await end(child, 'SIGTERM')
  assert.ok(passed < 2_000, `ended after ${passed} ms`)
  assert.equal(child.exitCode, 0)
  await late
})

test('it tells its parent when it is ready, and ends with it', async (t) => {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA: await temporaryFolder(t) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [message] = await once(child, 'message')
  assert.equal(message.ready, true)
  assert.equal((await new TestAcquirer(message.url).ask('GET', '/health')).status, 200)
  const exited = once(child, 'exit')
  child.disconnect()
  assert.deepEqual(await exited, [0, null])
})

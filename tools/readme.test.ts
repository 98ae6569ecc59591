/** The payments of the README and of the step-by-step guide, pasted into a shell beside a running instance. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../server/test/database.ts'
import { root } from './tidy/source-files.ts'

const patienceMs = 60_000

test("the payments of the README and of the guide work as printed, and the guide's callbacks have valid signatures", async (t) => {
  const { folder, env } = await instance(t)
  const [payment = ''] = shellBlocks(await readFile(`${root}README.md`, 'utf8'), 'A first payment')
  const answer = run(t, payment.replaceAll('./.data', folder), env)
  assert.match(await text(answer.stdout ?? assert.fail()), /"result":"SUCCESS","status":"SETTLED"/)

  const port = String(await freePort())
  const printed = shellBlocks(await readFile(`${root}docs/interface/first-payment.md`, 'utf8'), 'Send requests')
  assert.ok(printed.length >= 5, 'the section has its blocks')

  const [listen, ...others] = printed.toSorted((a, b) => Number(isListener(b)) - Number(isListener(a)))
  const log = join(folder, 'listen.log')
  run(t, `${listen?.trim()} --port ${port} > ${log} 2>&1`, env)
  await until(async () => existsSync(log) && (await readFile(log, 'utf8')).includes('Listening'))

  const script = others.join('\n').replaceAll('./.data', folder).replaceAll('8090', port)
  const pasted = run(t, `set -e\n${script}`, env)
  const output = await text(pasted.stdout ?? assert.fail())
  assert.match(output, /"result":"SUCCESS","status":"SETTLED"/)
  assert.match(output, /"action":"CREDITVOID","result":"ACCEPTED"/)
  assert.match(output, /"type":"REFUND","status":"success","amount":"4\.00"/)

  await until(async () => (await readFile(log, 'utf8')).includes('CREDITVOID SUCCESS'))
  const receiverLog = await readFile(log, 'utf8')
  assert.equal(receiverLog.match(/✔ hash is valid/g)?.length, 2, receiverLog)
  assert.equal(receiverLog.match(/✔ webhook-signature is valid/g)?.length, 2, receiverLog)
})

/** Everything that `npm start` starts, on a database of the test's own. */
async function instance(t: TestContext): Promise<{ readonly folder: string; readonly env: NodeJS.ProcessEnv }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-readme-'))
  const database = await testDatabase()
  const { NODE_TEST_CONTEXT: _inherited, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: folder, DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'silent' }
  const service = spawn(process.execPath, ['server/src/main.ts'], { cwd: root, env, stdio: 'ignore' })
  t.after(async () => {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  await until(async () => {
    assert.equal(service.exitCode, null, 'the instance ended instead of starting')
    return existsSync(join(folder, 'demo.json'))
  })
  return { folder, env }
}

/** In its own process group, because processes that a shell starts outlive it. */
function run(t: TestContext, script: string, env: NodeJS.ProcessEnv): ChildProcess {
  const shell = spawn('bash', ['-c', script], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid)
  })
  return shell
}

function shellBlocks(markdown: string, title: string): readonly string[] {
  const [, section = ''] = new RegExp(`^## ${title}\\n([\\s\\S]*?)^## `, 'm').exec(markdown) ?? []
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
}

const isListener = (block: string): boolean => /-- listen\b/.test(block)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : assert.fail()
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const attempts = patienceMs / 100
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await isSo()) return
    await sleep(100)
  }
  assert.fail('It did not come to pass in time.')
}

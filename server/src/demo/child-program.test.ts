import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../process/programs/is-alive.ts'
import { startChild } from './child-program.ts'

/** Ends as on a full disk at /fail, and as on a signal at /end. */
const program = `
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/fail') process.exit(1)
  if (request.url === '/end') process.exit(0)
  response.end(String(process.pid))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send({ url: 'http://127.0.0.1:' + server.address().port }))
process.once('disconnect', () => process.exit(0))`

async function start(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-child-'))
  await writeFile(join(folder, 'program.cjs'), program)
  const lines: string[] = []
  const note = (_: object, line: string): void => void lines.push(line)
  const running = await startChild<{ readonly url: string }>({
    name: 'The program',
    program: join(folder, 'program.cjs'),
    folder,
    environment: (port) => ({ PORT: String(port) }),
    log: { error: note, info: note },
  })
  assert.ok(running)
  context.after(async () => {
    await running.stop()
    await rm(folder, { recursive: true })
  })
  const { url } = running.ready
  const ask = (path = '/') => fetch(url + path).then((reply) => reply.text())
  return { folder, lines, url, ask, stop: () => running.stop() }
}

test('a program that fails is started again at its address, as often as it fails, until it is stopped', async (context) => {
  const { folder, lines, url, ask, stop } = await start(context)
  const pids = [await ask()]
  for (const count of [1, 2]) {
    await assert.rejects(ask('/fail'))
    while (lines.length < 2 * count) await sleep(20)
    pids.push(await ask())
  }
  assert.equal(new Set(pids).size, 3)
  assert.deepEqual([...new Set(lines)], ['The program ended and is started again.', 'The program serves again.'])
  assert.equal(await readFile(join(folder, 'port'), 'utf8'), new URL(url).port)

  await assert.rejects(ask('/fail'))
  while (lines.length < 5) await sleep(20)
  await stop()
  await assert.rejects(ask())
  assert.equal(lines.length, 5)
})

test('one that was asked to end is left alone', async (context) => {
  const { lines, ask } = await start(context)
  const pid = Number(await ask())
  await assert.rejects(ask('/end'))
  while (isAlive(pid)) await sleep(5)
  assert.deepEqual(lines, [])
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf } from '../../../../test/hosts/port-of.ts'
import { openPool } from '../pool.ts'

test('a process opens four connections at a time, and the others when those are done', async (t) => {
  const arrived: Socket[] = []
  const server = createServer((socket) => arrived.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `postgres://nobody:secret@127.0.0.1:${portOf(server)}/none`
  const pool = openPool(url, { max: 10, applicationName: 'test' })
  t.after(async () => {
    server.close()
    await pool.end()
  })
  const tries = Promise.allSettled(Array.from({ length: 10 }, () => pool.connect()))
  for (let waited = 0; arrived.length < 4 && waited < 400; waited += 1) await sleep(5)
  await sleep(50)
  assert.equal(arrived.length, 4)

  // The server answers none of them, and ends each connection.
  for (let ended = 0; ended < 10; ended += 1) {
    for (let waited = 0; arrived.length <= ended && waited < 400; waited += 1) await sleep(5)
    arrived[ended]?.destroy()
  }
  const states = (await tries).map(({ status }) => status)
  assert.deepEqual(new Set(states), new Set(['rejected']))
  assert.equal(arrived.length, 10)
})

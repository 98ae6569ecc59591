import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { z } from 'zod'
import type { AccessToken } from './access-token.ts'
import { HeldToken } from './access-token.ts'
import { formBody } from './body.ts'
import { createWires, jsonBody } from './wire.ts'

test('a burst fetches one token, and a token is fetched again shortly before it ends', async () => {
  let now = 0
  let fetched = 0
  const held = new HeldToken(
    async () => ({ token: `T${++fetched}`, validForMs: 600_000 }),
    () => now,
  )
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 50 }, () => held.get()))), new Set(['T1']))
  now = 539_999
  assert.equal(await held.get(), 'T1')
  now = 540_000
  assert.deepEqual(await Promise.all([held.get(), held.get()]), ['T2', 'T2'])
})

test('a refused token is dropped once, however many requests it was refused to', async () => {
  let fetched = 0
  const held = new HeldToken(async () => ({ token: `T${++fetched}`, validForMs: 600_000 }))
  const first = await held.get()
  held.drop(first)
  assert.equal(await held.get(), 'T2')
  held.drop(first)
  assert.equal(await held.get(), 'T2')
})

test('without a token the request has certainly not left, and the next one asks again', async () => {
  let answers: readonly ({ token: string; validForMs: number } | null)[] = [null, { token: 'T', validForMs: 1000 }]
  const held = new HeldToken(async () => {
    const [answer = null, ...left] = answers
    answers = left
    return answer
  })
  await assert.rejects(held.get(), { name: 'WireFault', sent: false })
  assert.equal(await held.get(), 'T')
})

test('a token that the acquirer withdrew in the middle of a burst is renewed once, and every request is answered', async (t) => {
  let issued = 0
  let valid = 'T0'
  const refused: string[] = []
  const server = createServer((request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/token') {
      valid = `T${++issued}`
      return reply(200, { access_token: valid, expires_in: 3600 })
    }
    const token = request.headers.authorization ?? ''
    if (token === `Bearer ${valid}`) return reply(200, { state: 'approved' })
    refused.push(token)
    return reply(401, {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const api = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const entries: unknown[] = []
  const wires = createWires({
    clock: { now: () => new Date('2026-03-01T12:00:00Z') },
    onEntry: (entry) => entries.push(entry),
  })
  t.after(async () => {
    await wires.close()
    server.closeAllConnections()
    server.close()
  })
  const accessToken: AccessToken<{ readonly secret: string }> = {
    request: ({ secret }) => ({ method: 'POST', path: '/token', body: formBody({ secret }) }),
    read: (reply) => {
      const { data } = z.object({ access_token: z.string(), expires_in: z.number() }).safeParse(reply.json())
      return data ? { token: data.access_token, validForMs: data.expires_in * 1000 } : null
    },
    headers: (token) => ({ authorization: `Bearer ${token}` }),
  }
  const wire = wires.to({ id: 'acme', secretFields: [], accessToken }, { secret: 'hidden-secret' }, { hosts: { api } })
  assert.equal((await wire.post('/sale', jsonBody({}))).status, 200)
  valid = 'withdrawn'
  const replies = await Promise.all(Array.from({ length: 20 }, () => wire.post('/sale', jsonBody({}))))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(issued, 2)
  assert.ok(refused.every((token) => token === 'Bearer T1'))
  assert.doesNotMatch(JSON.stringify(entries), /hidden-secret|T1|T2/)
})

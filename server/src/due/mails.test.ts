import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { limits } from '#domain/limits.ts'
import type { MailSender, Message } from '#server/mail/mail.ts'
import { mailStore } from '#server/store/instance/mails.ts'
import { openWalletSetup, silentLog } from '../../test/wallets/wallet-setup.ts'
import type { DueWork } from './due-work.ts'
import { runMails } from './mails.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
let worker: DueWork
let sent: Message[] = []
let tries = 0
let broken = false
before(async () => {
  scene = await openWalletSetup()
})
beforeEach(() => {
  sent = []
  tries = 0
  broken = false
})
afterEach(() => worker.stop())
after(() => scene.drop())

const message = { to: 'ann@example.com', subject: 'Subject', text: 'Text' }
const rows = () => mailStore(scene.pool, { clock: scene.clock, ids: scene.context.ids })
const mail: MailSender = {
  send: async ({ to, subject, text }) => {
    tries += 1
    if (broken) throw new Error('The server is away.')
    sent.push({ to, subject, text })
  },
  close: () => {},
}
const start = (): void => {
  worker = runMails({ rows: rows(), mail, clock: scene.clock, ids: scene.context.ids, log: silentLog })
}
const waiting = async (): Promise<number> => {
  const { rows: found } = await scene.pool.query<{ count: number }>('select count(*)::int as count from mails')
  return found[0]?.count ?? -1
}

test('a mail is sent once and then removed', async () => {
  start()
  await rows().add(message)
  await worker.awaitIdle()
  assert.deepEqual(sent, [message])
  assert.equal(await waiting(), 0)
})

test('while the server is unavailable a mail is retried by its plan, and arrives when the server is back', async () => {
  broken = true
  start()
  await rows().add(message)
  await worker.awaitIdle()
  assert.equal(tries, 1)
  await worker.awaitIdle()
  assert.equal(tries, 1)
  scene.passDays(60 / 86_400)
  await worker.awaitIdle()
  assert.equal(tries, 2)
  broken = false
  scene.passDays(300 / 86_400)
  await worker.awaitIdle()
  assert.deepEqual(sent, [message])
})

test('after the last attempt a mail is dropped', async () => {
  broken = true
  start()
  await rows().add(message)
  for (const _ of limits.mail.retrySeconds) {
    await worker.awaitIdle()
    assert.equal(await waiting(), 1)
    scene.passDays(1)
  }
  await worker.awaitIdle()
  assert.equal(tries, limits.mail.retrySeconds.length + 1)
  assert.equal(await waiting(), 0)
})

test('a mail of a worker that died while sending is sent by the next', async () => {
  await rows().add(message)
  assert.equal((await rows().claim(scene.clock.now(), 1, 3600)).length, 1)
  start()
  await worker.awaitIdle()
  assert.deepEqual(sent, [])
  await scene.pool.query("update mails set lease_until = clock_timestamp() - interval '1 second'")
  await worker.awaitIdle()
  assert.deepEqual(sent, [message])
})

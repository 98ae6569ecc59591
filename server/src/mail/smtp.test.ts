import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { startMailHost } from '../../test/mail-host.ts'
import type { MailSender } from './mail.ts'
import { smtpMail } from './smtp.ts'

let host: Awaited<ReturnType<typeof startMailHost>>
let mail: MailSender
before(async () => {
  host = await startMailHost()
  mail = smtpMail({ url: secret(host.url), from: 'Gatehouse <payments@example.com>' })
})
after(async () => {
  mail.close()
  await host.stop()
})
beforeEach(() => {
  host.received.length = 0
  host.mood.now = 'takes'
})

test('a message arrives with sender, recipient, subject and text', async () => {
  await mail.send({ to: 'ann@example.com', subject: 'A key expires', text: 'In 7 days.\n' })
  const [received] = host.received
  assert.deepEqual([received?.from, received?.to], ['payments@example.com', ['ann@example.com']])
  assert.match(received?.text ?? '', /^Subject: A key expires$/m)
  assert.match(received?.text ?? '', /^From: Gatehouse <payments@example\.com>$/m)
  assert.match(received?.text ?? '', /\n\nIn 7 days\./)
})

test("a subject stays on one line, whatever the merchant's name", async () => {
  await mail.send({ to: 'ann@example.com', subject: 'Shop\r\nBcc: eve@example.com', text: 'x' })
  assert.deepEqual(host.received[0]?.to, ['ann@example.com'])
  assert.doesNotMatch(host.received[0]?.text ?? '', /^Bcc:/m)
})

test('a refusing or unreachable server is reported to the caller', async () => {
  host.mood.now = 'refuses'
  await assert.rejects(mail.send({ to: 'ann@example.com', subject: 's', text: 't' }))
  const nowhere = smtpMail({ url: secret('smtp://127.0.0.1:9'), from: 'payments@example.com' })
  await assert.rejects(nowhere.send({ to: 'ann@example.com', subject: 's', text: 't' }))
  assert.equal(host.received.length, 0)
})

/** Chapter 40 §6: an alarm is repeated daily until handled or muted with a reason. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { alarm } from '#server/wallets/accounts/alarm.ts'
import { openWalletSetup, silentLog } from '../../../test/wallets/wallet-setup.ts'
import { runWalletNotices } from './wallet-notices.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

test('an alarm that nothing else repeats is reported every day, also by mail, until it is muted or resolved', async () => {
  const mails: string[] = []
  const bell = {
    ...scene.bell,
    mail: { alarm: async ({ kind }: { kind: string }) => void mails.push(kind), live: async () => {} },
  }
  const place = await scene.place()
  const other = await scene.place()
  const kind = 'processing key mismatch'
  for (const one of [place, other]) await alarm(bell, { ...one, kind, subject: '', text: 'Three tokens.' })
  const worker = runWalletNotices(bell, { ids: scene.context.ids, log: silentLog })
  await worker.idle()
  assert.equal(mails.length, 2)
  scene.passDays(0.9)
  await worker.idle()
  assert.equal(mails.length, 2)
  scene.passDays(0.1)
  await worker.idle()
  assert.equal(mails.length, 4)

  assert.ok(await scene.bell.notices.mute(place, kind, '', 'known'))
  assert.ok(await scene.bell.notices.resolveOne(other, kind, '', scene.clock.now()))
  assert.equal(await scene.bell.notices.resolveOne(other, kind, '', scene.clock.now()), false)
  scene.passDays(2)
  await worker.idle()
  assert.equal(mails.length, 4)
  assert.deepEqual(await scene.bell.notices.counts(), [])
  await worker.stop()
})

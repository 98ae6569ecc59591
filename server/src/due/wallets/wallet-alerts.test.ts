/** Chapter 40 §6: an alert is repeated daily until handled or muted with a reason. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { raiseWalletAlert } from '#server/wallets/accounts/wallet-alert.ts'
import { openWalletSetup, silentLog } from '../../../test/wallets/wallet-setup.ts'
import { runWalletAlerts } from './wallet-alerts.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

test('an alert that nothing else repeats is reported every day, also by mail, until it is muted or resolved', async () => {
  const mails: string[] = []
  const channels = {
    ...scene.channels,
    mail: { alert: async ({ kind }: { kind: string }) => void mails.push(kind), announceLive: async () => {} },
  }
  const place = await scene.place()
  const other = await scene.place()
  const kind = 'processing key mismatch'
  for (const one of [place, other])
    await raiseWalletAlert(channels, { ...one, kind, subject: '', text: 'Three tokens.' })
  const worker = runWalletAlerts(channels, { ids: scene.context.ids, log: silentLog })
  await worker.awaitIdle()
  assert.equal(mails.length, 2)
  scene.passDays(0.9)
  await worker.awaitIdle()
  assert.equal(mails.length, 2)
  scene.passDays(0.1)
  await worker.awaitIdle()
  assert.equal(mails.length, 4)

  assert.ok(await scene.channels.walletAlerts.mute(place, kind, '', 'known'))
  assert.ok(await scene.channels.walletAlerts.resolveOne(other, kind, '', scene.clock.now()))
  assert.equal(await scene.channels.walletAlerts.resolveOne(other, kind, '', scene.clock.now()), false)
  scene.passDays(2)
  await worker.awaitIdle()
  assert.equal(mails.length, 4)
  assert.deepEqual(await scene.channels.walletAlerts.listCounts(), [])
  await worker.stop()
})

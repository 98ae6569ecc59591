/** Chapter 40 §6, "session probe". */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { walletWatchStore } from '#server/store/wallets/wallet-watches.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { merchantIdentifier, openWalletSetup, requireEntered, silentLog } from '../../../test/wallets/wallet-setup.ts'
import { runSessionProbe } from './session-probe.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

test('the wallet provider is asked once a day in live mode; a refusal raises an alert, and a session resolves it', async () => {
  const shop = await scene.place()
  for (const mode of ['live', 'test'] as const)
    requireEntered(await saveWallet(scene.context, { ...shop, mode }, { enabled: true, merchantIdentifier }))
  let fault: string | null | undefined = 'it answered 417'
  const queries: string[] = []
  const worker = runSessionProbe({
    watches: walletWatchStore(scene.pool).probes,
    probe: async ({ mode }) => {
      queries.push(mode)
      return fault
    },
    nameOf: () => 'the shop',
    channels: scene.channels,
    clock: scene.clock,
    ids: scene.context.ids,
    log: silentLog,
  })
  const nextDay = async (): Promise<readonly string[]> => {
    scene.passDays(1)
    await worker.awaitIdle()
    return (await scene.channels.walletAlerts.open()).map(({ kind, text }) => `${kind}: ${text}`)
  }
  await worker.awaitIdle()
  assert.deepEqual(queries, [])
  const alerts = [
    'wallet session failing: The wallet provider refuses a merchant session for the shop: it answered 417.',
  ]
  assert.deepEqual(await nextDay(), alerts)
  assert.deepEqual(queries, ['live'])
  fault = null
  assert.deepEqual(await nextDay(), [])
  // Without a certificate or a domain to ask with, there is no failure.
  fault = undefined
  assert.deepEqual(await nextDay(), [])
  assert.deepEqual(queries, ['live', 'live', 'live'])
  await worker.stop()
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { walletDomainStore } from '#server/store/wallets/wallet-domains.ts'
import type { DomainFault } from '#server/wallets/accounts/domain-plan.ts'
import { addDomains, uploadFile } from '#server/wallets/setup/wallet-domains.ts'
import { openWalletSetup, requireEntered, silentLog } from '../../../test/wallets/wallet-setup.ts'
import { runWalletDomains } from './wallet-domains.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

test('a domain changes from ready through failing and suspended to verified, with an alert at each failure', async () => {
  const { merchantId } = await scene.place()
  await addDomains(scene.context, { merchantId, wallet: 'walletapay' }, 'shop.example', {
    purpose: 'production',
    controlledBy: 'operator',
  })
  const file = Buffer.from('file')
  let fault: DomainFault | null = 'dns'
  const queries: string[] = []
  const changes: string[] = []
  const worker = runWalletDomains({
    rows: walletDomainStore(scene.pool),
    readAssociationFile: async () => null,
    checker: {
      check: async (domain, expected) => {
        queries.push(`${domain} ${expected}`)
        return fault
      },
      close: async () => {},
    },
    reportChange: async ({ state }) => void changes.push(state),
    channels: scene.channels,
    clock: scene.clock,
    ids: scene.context.ids,
    log: silentLog,
  })
  const stateAfter = async (hours: number) => {
    scene.passDays(hours / 24)
    await worker.awaitIdle()
    return (await walletDomainStore(scene.pool).find(merchantId, 'walletapay', 'shop.example'))?.state
  }
  assert.equal(await stateAfter(0), 'new')
  assert.deepEqual(queries, [])
  requireEntered(await uploadFile(scene.context, { merchantId, wallet: 'walletapay' }, 'shop.example', file))
  assert.equal(await stateAfter(0), 'file ready')
  assert.deepEqual(queries, ['shop.example file'])
  fault = null
  assert.equal(await stateAfter(0.25), 'verified')
  fault = 'status:404'
  assert.equal(await stateAfter(24), 'failing')
  assert.deepEqual(await scene.alerts(), ['wallet domain failing'])
  assert.equal(await stateAfter(48), 'suspended')
  assert.deepEqual(await scene.alerts(), ['wallet domain failing', 'wallet domain suspended'])
  fault = null
  assert.equal(await stateAfter(1), 'verified')
  assert.deepEqual(await scene.channels.walletAlerts.open(), [])
  assert.deepEqual(changes, ['verified', 'failing', 'suspended', 'verified'])
  await worker.stop()
})

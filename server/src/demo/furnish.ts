/** Creates the demo data of a new sandbox instance, and points its MIDs at the sandbox acquirer's current address. */
import { protocols } from '#domain/merchant.ts'
import type { Log } from '../contracts/ports.ts'
import { createMerchant, type Office } from '../setup/merchants.ts'
import { changeCredentials, createMid, linkMerchant } from '../setup/mids.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { midStore } from '../store/configuration/mids.ts'
import { protocolMappingStore } from '../store/configuration/protocol-mappings.ts'
import { instanceStore } from '../store/instance/instance.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import { introduceForm } from './form.ts'
import { type DemoMerchant, demoMerchants, demoMids, modes } from './furnishing.ts'
import { furnishOwner } from './owner.ts'
import { introduceShop } from './shop.ts'
import { furnishWallets } from './wallets.ts'

/** The log receives what could not be created. */
type Furnisher = Office & { readonly log?: Log }

export async function furnish(office: Furnisher, sandboxUrl: string): Promise<void> {
  if (await instanceStore(office.pool).claimSeeding(office.clock.now())) await createDemoData(office, sandboxUrl)
  await furnishOwner(office)
  await pointAt(office, sandboxUrl)
  await introduceShop(office, sandboxUrl)
  await introduceForm(office)
}

async function createDemoData(office: Furnisher, sandboxUrl: string): Promise<void> {
  const midIds = new Map<string, string>()
  for (const [kind, features] of Object.entries(demoMids)) {
    for (const mode of modes) {
      const name = `${kind}-${mode}`
      const mid = await createMid(
        office,
        { ...features, name, connector: 'sandbox', mode },
        { mid: name, base_url: sandboxUrl },
      )
      midIds.set(name, mid.id)
    }
  }
  const made: { id: string; demo: DemoMerchant }[] = []
  for (const demo of demoMerchants) {
    const { name, title, allowedIps = [] } = demo
    const { merchant } = await createMerchant(office, { name, title, allowedIps, mpiService: 'sandbox' })
    made.push({ id: merchant.id, demo })
    for (const protocol of protocols) {
      const options = demo.options?.[protocol] ?? {}
      await protocolMappingStore(office.pool).put({ merchantId: merchant.id, protocol, enabled: true, options })
    }
    for (const [index, kind] of demo.mids.entries()) {
      for (const mode of modes) {
        const midId = midIds.get(`${kind}-${mode}`)
        if (midId) await linkMerchant(office, { merchantId: merchant.id, midId, priority: (index + 1) * 10 })
      }
    }
  }
  await furnishWallets(office, made, sandboxUrl)
}

/** The sandbox acquirer's port may differ from start to start. */
async function pointAt(office: Office, sandboxUrl: string): Promise<void> {
  for (const row of await midStore(office.pool).list()) {
    if (row.connector !== 'sandbox') continue
    const text = await office.vault.open(PLATFORM_SCOPE, 'credentials', row.credentialsSealed)
    const credentials: { readonly base_url?: string } = JSON.parse(text.reveal())
    if (credentials.base_url !== sandboxUrl)
      await changeCredentials(office, row.id, { ...credentials, base_url: sandboxUrl })
  }
}

/** The current credentials of the demo merchants, for `demo.json` and the greeting. */
export async function demoCredentials(office: Office): Promise<readonly DemoCredentials[]> {
  const rows = await merchantStore(office.pool).list()
  const known = demoMerchants.flatMap(({ name }) => rows.filter((row) => row.name === name))
  return Promise.all(
    known.map(async ({ id, name, key, testKey, passwordSealed }) => ({
      name,
      key,
      test_key: testKey,
      password: (await office.vault.open(id, 'password', passwordSealed)).reveal(),
    })),
  )
}

export interface DemoCredentials {
  readonly name: string
  readonly key: string
  readonly test_key: string
  readonly password: string
}

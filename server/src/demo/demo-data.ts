/** Creates the demo data of a new sandbox instance, and points its MIDs at the sandbox acquirer's current address. */
import { protocols } from '#domain/merchant.ts'
import type { Log } from '../contracts/ports.ts'
import type { SetupContext } from '../setup/context.ts'
import { createMerchant } from '../setup/merchants.ts'
import { changeCredentials, createMid, linkMerchant } from '../setup/mids.ts'
import { merchantStore } from '../store/configuration/merchants.ts'
import { midStore } from '../store/configuration/mids.ts'
import { protocolMappingStore } from '../store/configuration/protocol-mappings.ts'
import { instanceStore } from '../store/instance/instance.ts'
import { PLATFORM_SCOPE } from '../vault/port.ts'
import { type DemoMerchant, demoMerchants, demoMids, demoOptions, modes } from './demo-tables.ts'
import { ensureDemoForm } from './form.ts'
import { ensureDemoOwner } from './owner.ts'
import { ensureDemoShop } from './shop.ts'
import { createDemoWallets } from './wallets.ts'

/** The log receives what could not be created. */
type DemoContext = SetupContext & { readonly log?: Log }

export async function ensureDemoData(context: DemoContext, sandboxUrl: string): Promise<void> {
  if (await instanceStore(context.pool).claimSeeding(context.clock.now())) await createDemoData(context, sandboxUrl)
  await ensureDemoOwner(context)
  await pointMidsAt(context, sandboxUrl)
  await ensureDemoShop(context, sandboxUrl)
  await ensureDemoForm(context)
}

async function createDemoData(context: DemoContext, sandboxUrl: string): Promise<void> {
  const midIds = new Map<string, string>()
  for (const [kind, features] of Object.entries(demoMids)) {
    for (const mode of modes) {
      const name = `${kind}-${mode}`
      const mid = await createMid(
        context,
        { ...features, name, connector: 'sandbox', mode },
        { mid: name, base_url: sandboxUrl },
      )
      midIds.set(name, mid.id)
    }
  }
  const merchants: { id: string; demo: DemoMerchant }[] = []
  for (const demo of demoMerchants) {
    const { name, title, allowedIps = [] } = demo
    const { merchant } = await createMerchant(context, { name, title, allowedIps, mpiService: 'sandbox' })
    merchants.push({ id: merchant.id, demo })
    for (const protocol of protocols) {
      const options = demoOptions(protocol, demo.options)
      await protocolMappingStore(context.pool).put({ merchantId: merchant.id, protocol, enabled: true, options })
    }
    for (const [index, kind] of demo.mids.entries()) {
      for (const mode of modes) {
        const midId = midIds.get(`${kind}-${mode}`)
        if (midId) await linkMerchant(context, { merchantId: merchant.id, midId, priority: (index + 1) * 10 })
      }
    }
  }
  await createDemoWallets(context, merchants, sandboxUrl)
}

/** The sandbox acquirer's port may differ from start to start. */
async function pointMidsAt(context: SetupContext, sandboxUrl: string): Promise<void> {
  for (const row of await midStore(context.pool).list()) {
    if (row.connector !== 'sandbox') continue
    const text = await context.vault.open(PLATFORM_SCOPE, 'credentials', row.credentialsSealed)
    const credentials: { readonly base_url?: string } = JSON.parse(text.reveal())
    if (credentials.base_url !== sandboxUrl)
      await changeCredentials(context, row.id, { ...credentials, base_url: sandboxUrl })
  }
}

/** The current credentials of the demo merchants, for `demo.json` and the greeting. */
export const readDemoCredentials = (context: SetupContext): Promise<readonly DemoCredentials[]> =>
  readCredentialsOfMerchants(
    context,
    demoMerchants.map(({ name }) => name),
  )

export async function readCredentialsOfMerchants(
  context: SetupContext,
  names: readonly string[],
): Promise<readonly DemoCredentials[]> {
  const rows = await merchantStore(context.pool).list()
  const known = names.flatMap((name) => rows.filter((row) => row.name === name))
  return Promise.all(
    known.map(async ({ id, name, key, testKey, passwordSealed }) => ({
      name,
      key,
      test_key: testKey,
      password: (await context.vault.open(id, 'password', passwordSealed)).reveal(),
    })),
  )
}

export interface DemoCredentials {
  readonly name: string
  readonly key: string
  readonly test_key: string
  readonly password: string
}

/** The merchant of the examples in the documentation; null if it was removed. */
export async function readDemoReader(
  context: SetupContext,
): Promise<(DemoCredentials & { readonly title: string }) | null> {
  const [first] = demoMerchants
  const [known] = first ? await readCredentialsOfMerchants(context, [first.name]) : []
  return first && known ? { ...known, title: first.title } : null
}

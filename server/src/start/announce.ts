/** Says that the instance is ready, and writes demo.json. */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessContext } from '../assembly/process-context.ts'
import { createAcquirerCredentials } from '../demo/acquirer-merchants.ts'
import { announceNotifications, type RunningStandIn } from '../demo/acquirer-stand-ins.ts'
import { readDemoCredentials } from '../demo/demo-data.ts'
import { type Addresses, greeting } from '../demo/greeting.ts'
import { findDemoOwner, panelAddress } from '../demo/owner.ts'
import { shopUrl } from '../demo/shop.ts'
import type { Config } from '../process/config.ts'
import type { PreparedInstance } from './instance.ts'
import type { ListenUrls } from './listen.ts'

export async function announceInstance(
  { base, sandboxUrl, standIns, network }: PreparedInstance,
  listening: ListenUrls,
  say: (line: string) => void,
): Promise<void> {
  const addresses = {
    baseUrl: base.config.baseUrl ?? listening.payments,
    panelUrl: panelUrlOf(base.config, listening),
    sandboxUrl,
    shopUrl: sandboxUrl && shopUrl(network === null ? sandboxUrl : atHost(sandboxUrl, network)),
  }
  for (const standIn of standIns) await announceNotifications(standIn, listening.payments)
  await announceReady(base, { addresses, standIns }, say)
}

const panelUrlOf = ({ admin, baseUrl }: Config, { panel }: ListenUrls): string | null =>
  panel === null ? null : (admin.url ?? (admin.shared ? baseUrl : null) ?? panel)

/** The same address at another name of this machine. */
function atHost(url: string, host: string): string {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}:${port}`
}

interface Readiness {
  readonly addresses: Addresses
  readonly standIns: readonly RunningStandIn[]
}

async function announceReady(
  base: ProcessContext,
  { addresses, standIns }: Readiness,
  say: (line: string) => void,
): Promise<void> {
  const { baseUrl, panelUrl, sandboxUrl } = addresses
  const { role, instanceMode, dataDir } = base.config
  if (role === 'worker') return say('  Gatehouse worker is ready.')
  const file = join(dataDir, 'demo.json')
  const merchants = instanceMode === 'sandbox' ? await readDemoCredentials(base) : []
  const isDemo = instanceMode === 'sandbox' && role === 'all'
  const admin = isDemo ? await findDemoOwner(base) : null
  const acquirers = isDemo ? await createAcquirerCredentials(base, standIns) : []
  if (isDemo) {
    await writeWhole(file, {
      base_url: baseUrl,
      admin_url: panelUrl && panelAddress(panelUrl),
      sandbox_url: sandboxUrl,
      shop_url: addresses.shopUrl,
      admin,
      merchants,
      acquirers,
    })
  }
  say(greeting(addresses, { merchants: role === 'all' ? merchants : [], acquirers, owner: admin, file }))
}

/** A reader that waits for the file must never see half of it. */
async function writeWhole(file: string, content: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

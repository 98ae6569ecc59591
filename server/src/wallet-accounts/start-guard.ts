/**
 * What keeps a sandbox and live payments apart, looked at before anything else starts (chapter 40 §14): the first start gives a database
 * its mode for good, and a live instance holds nothing of a sandbox: no sandbox authority, no test clock.
 */
import { StartupError } from '../startup-error.ts'
import { instanceStore } from '../store/instance.ts'
import type { Pool } from '../store/pool.ts'
import { namesSandboxAuthority } from '../store/wallet-settings.ts'

export async function guardMode(pool: Pool, mode: 'live' | 'sandbox'): Promise<void> {
  const store = instanceStore(pool)
  if (mode === 'live') await refuseSandboxRemains(pool)
  const claimed = await store.claimMode(mode)
  if (claimed === mode) return
  throw new StartupError(
    `This database belongs to a ${claimed} instance, and this process started as ${mode}.`,
    `Start it again without GATEHOUSE_MODE, or name another database.`,
  )
}

async function refuseSandboxRemains(pool: Pool): Promise<void> {
  const store = instanceStore(pool)
  const isLive = (await store.mode()) === 'live'
  if (await namesSandboxAuthority(pool)) {
    throw new StartupError(
      'This database names a sandbox authority, whose wallet tokens a live instance must not believe.',
      isLive
        ? 'Enter the wallet maker instead: "gatehouse wallet settings list" shows the records, "wallet settings set MERCHANT --trust-source \'wallet maker\'" changes one.'
        : 'Start on an empty database; wallet settings of a sandbox cannot be taken along.',
    )
  }
  if ((await store.clockOffsetMs()) !== 0) {
    throw new StartupError(
      'The test clock of this database was moved, and a live instance has the time of its machine.',
      isLive
        ? 'Set it back with "gatehouse clock reset"; a live instance never used it.'
        : 'Start on an empty database; what became due by the test clock cannot be taken back.',
    )
  }
}

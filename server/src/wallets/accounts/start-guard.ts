/**
 * Keeps sandbox and live payments apart, checked before anything else starts (chapter 40 §14): the first start fixes the mode of a
 * database, and a live instance contains nothing of a sandbox: no sandbox authority, no test clock.
 */
import { StartupError } from '../../process/startup-error.ts'
import type { Pool } from '../../store/database/pool.ts'
import { instanceStore } from '../../store/instance/instance.ts'
import { hasSandboxAuthority } from '../../store/wallets/wallet-settings.ts'

export async function guardMode(pool: Pool, instanceMode: 'live' | 'sandbox'): Promise<void> {
  const store = instanceStore(pool)
  if (instanceMode === 'live') await refuseSandboxRemains(pool)
  const claimed = await store.claimMode(instanceMode)
  if (claimed === instanceMode) return
  throw new StartupError(
    `This database belongs to a ${claimed} instance, but this process was started as ${instanceMode}.`,
    `Start it again without GATEHOUSE_MODE, or use another database.`,
  )
}

async function refuseSandboxRemains(pool: Pool): Promise<void> {
  const store = instanceStore(pool)
  const isLive = (await store.readMode()) === 'live'
  if (await hasSandboxAuthority(pool)) {
    throw new StartupError(
      'Wallet settings in this database trust a sandbox authority, which a live instance must not do.',
      isLive
        ? 'Change them: "gatehouse wallet settings list" shows the settings, "gatehouse wallet settings set MERCHANT --trust-source \'wallet maker\'" changes one.'
        : 'Start with an empty database; wallet settings of a sandbox cannot be used on a live instance.',
    )
  }
  if ((await store.readClockOffsetMs()) !== 0) {
    throw new StartupError(
      'The test clock of this database was moved, but a live instance uses the clock of its machine.',
      isLive
        ? 'Reset it with "gatehouse clock reset".'
        : 'Start with an empty database; work that became due by the test clock cannot be undone.',
    )
  }
}

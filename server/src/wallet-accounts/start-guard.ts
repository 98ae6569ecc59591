/**
 * What keeps a sandbox and live payments apart, looked at before anything else starts (Chapter 40 §14): the mode of a database with
 * payments does not change, and a live instance holds nothing of a sandbox authority.
 */
import { StartupError } from '../startup-error.ts'
import { instanceStore } from '../store/instance.ts'
import type { Pool } from '../store/pool.ts'
import { namesSandboxAuthority } from '../store/wallet-settings.ts'

export async function guardMode(pool: Pool, mode: 'live' | 'sandbox'): Promise<void> {
  const store = instanceStore(pool)
  const before = await store.mode()
  // Both keys of a merchant reach the sandbox there, so that every payment of a sandbox instance is a sandbox payment.
  const holdsOthers = mode === 'live' ? before.any : before.live
  if (before.mode !== null && before.mode !== mode && holdsOthers) {
    throw new StartupError(
      `This database holds payments of a ${before.mode} instance, and GATEHOUSE_MODE is ${mode}.`,
      `Set GATEHOUSE_MODE back to ${before.mode}, or name another database.`,
    )
  }
  if (mode === 'live' && (await namesSandboxAuthority(pool))) {
    throw new StartupError(
      'This database names a sandbox authority, whose wallet tokens a live instance must not believe.',
      'Start on an empty database; wallet settings of a sandbox cannot be taken along.',
    )
  }
  await store.keepMode(mode)
}

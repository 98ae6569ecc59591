/**
 * The demo login of a sandbox instance: an owner whose password is derived from the instance's keys, so that every start can show it
 * without storing it. Once changed, it is an account like any other.
 */
import { type Secret, secret } from '#domain/secret.ts'
import { verifyPassword } from '../panel/access/password.ts'
import { createUser } from '../panel/access/users.ts'
import { AdminRefused } from '../panel/admin-refused.ts'
import type { SetupContext } from '../setup/context.ts'
import { userStore } from '../store/people/users.ts'
import { PLATFORM_SCOPE, type Vault } from '../vault/port.ts'

const email = 'demo@example.com'

export const panelAddress = (panelUrl: string): string => `${panelUrl}/admin`

/** Only if there is no user yet. */
export async function ensureDemoOwner(context: SetupContext): Promise<void> {
  if ((await userStore(context.pool).list()).length > 0) return
  const wishes = { email, name: 'Demo owner', role: 'owner', allMerchants: true, merchantIds: [] }
  const giver = { actor: { label: 'demo', address: null }, userId: null, grant: 'everything' } as const
  await context.vault.prepareScope(PLATFORM_SCOPE)
  try {
    await createUser({ ...context, machine: context.clock }, giver, wishes, passwordOf(context.vault))
  } catch (error) {
    // Another process that started at the same time was faster.
    if (!(error instanceof AdminRefused)) throw error
  }
}

export interface DemoOwner {
  readonly email: string
  readonly password: string
}

/** Null if the password was changed or the user removed. */
export async function findDemoOwner({ pool, vault, clock }: SetupContext): Promise<DemoOwner | null> {
  const user = await userStore(pool).findByEmail(email)
  await vault.prepareScope(PLATFORM_SCOPE)
  const password = passwordOf(vault)
  if (user === null || !(await verifyPassword(password, user.passwordHash))) return null
  // The password is shown at every start, so its age counts from the start and it never expires in a sandbox.
  await userStore(pool).renewPassword(user.id, clock.now())
  return { email, password: password.reveal() }
}

const passwordOf = (vault: Vault): Secret<string> =>
  secret(
    vault
      .fingerprint(PLATFORM_SCOPE, 'password', secret('demo owner'))
      .slice(0, 20)
      .replace(/.{5}(?=.)/g, '$&-'),
  )

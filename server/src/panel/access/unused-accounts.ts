/**
 * Disables accounts that have not been used for long. PCI DSS 8.2.6.
 *
 * The last active owner stays enabled, because without one no account could be enabled again. Instead an alert reports it once a month
 * until the owner signs in.
 */

import type { SignInRules } from '#domain/sign-in/sign-in-rules.ts'
import { dayMs } from '#domain/time.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { alertStore } from '../../store/instance/alerts.ts'
import { adminSessionStore } from '../../store/people/admin-sessions.ts'
import { unusedAccounts, unusedOwnerAlert } from '../../store/people/unused-accounts.ts'
import { userStore } from '../../store/people/users.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'

const alertEveryDays = 30
const watch: Actor = { label: 'account watch', address: null }

interface AccountWatch extends AdminContext {
  readonly rules: Pick<SignInRules, 'unusedDays'>
}

/** Ids of the accounts to check now. */
export async function findDueAccounts(context: AccountWatch, limit: number): Promise<readonly string[]> {
  if (context.rules.unusedDays === 0) return []
  const reportedSince = new Date(context.clock.now().getTime() - alertEveryDays * dayMs)
  return unusedAccounts(context.pool).list(usedSince(context), reportedSince, limit)
}

export const endUnused = (context: AccountWatch, id: string): Promise<void> =>
  inTransaction(context.pool, async (client) => {
    // Owners are locked before the user, as in every change of users.
    const owners = await userStore(client).lockOwners()
    const user = await userStore(client).lock(id)
    if (user === null) return
    if (owners.length === 1 && owners[0] === id) {
      const text =
        `${user.email} is the last active owner and has not signed in for ${context.rules.unusedDays} days. ` +
        'Sign in, or create another owner and disable this account.'
      await alertStore(client, context).raise({ kind: unusedOwnerAlert, merchantId: null, paymentId: null, text })
      return
    }
    if (!(await unusedAccounts(client).disable(id, usedSince(context)))) return
    await adminSessionStore(client).removeOthers(id, null)
    await note(client, context.clock, watch, {
      action: 'user.disable-unused',
      subject: `user ${id}`,
      merchantId: user.allMerchants || user.merchantIds.length !== 1 ? null : (user.merchantIds[0] ?? null),
      before: { lastSignInAt: user.lastSignInAt },
    })
  })

const usedSince = ({ machine, rules }: AccountWatch): Date =>
  new Date(machine.now().getTime() - rules.unusedDays * dayMs)

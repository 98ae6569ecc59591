/** To whom mail goes: active people, not programs, by what they may do. */
import { roleStore } from '../../store/people/roles.ts'
import { userStore } from '../../store/people/users.ts'
import type { AdminContext } from '../context.ts'
import { type Grant, may, type Permission, reaches } from './permissions.ts'
import { grantOf } from './sessions.ts'

type RecipientContext = Pick<AdminContext, 'pool'>

interface Recipient {
  readonly id: string
  readonly email: string
}

export async function listRecipientsBy(
  { pool }: RecipientContext,
  isMeant: (grant: Grant) => boolean,
): Promise<readonly Recipient[]> {
  const custom = new Map((await roleStore(pool).list()).map(({ name, permissions }) => [name, permissions]))
  return (await userStore(pool).list())
    .filter(({ status, isService }) => status === 'active' && !isService)
    .filter((user) => isMeant(grantOf(user, custom.get(user.role) ?? null)))
}

/** The addresses of the people with a permission for a merchant. */
export const listAddresses = async (
  context: RecipientContext,
  permission: Permission,
  merchantId: string,
): Promise<readonly string[]> =>
  (await listRecipientsBy(context, (grant) => may(grant, permission) && reaches(grant, merchantId))).map(
    ({ email }) => email,
  )

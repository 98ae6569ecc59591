/** The operator's custom roles, beside the built-in ones. */
import { type RoleRow, roleStore } from '../../store/people/roles.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import { builtInRoles, type Grant, isBuiltInRole, isPermission, permissionsOfRole } from './permissions.ts'

interface ShownRole extends RoleRow {
  readonly builtIn: boolean
}

export async function listRoles({ pool }: AdminContext): Promise<readonly ShownRole[]> {
  const builtIn = builtInRoles().map((name) => ({
    name,
    title: name,
    permissions: [...permissionsOfRole(name, null)],
    builtIn: true,
  }))
  const own = (await roleStore(pool).list()).map((role) => ({ ...role, builtIn: false }))
  return [...builtIn, ...own]
}

/** Returns the role as it was; null if it is new. Users cannot put a permission into a role that they do not have. */
export async function saveRole(context: AdminContext, grant: Grant, role: RoleRow): Promise<RoleRow | null> {
  if (isBuiltInRole(role.name))
    throw invalid('name', 'Built-in roles cannot be changed. Create a role of your own instead.')
  const unknown = role.permissions.filter((name) => !isPermission(name))
  if (unknown.length > 0) throw invalid('permissions', `Unknown permission: ${unknown.join(', ')}.`)
  if (role.permissions.some((name) => isPermission(name) && !grant.permissions.has(name)))
    throw new AdminRefused('forbidden', { message: 'You cannot grant permissions that you do not have.' })
  const before = await findRole(context, role.name)
  await roleStore(context.pool).put(role, context.clock.now())
  return before
}

/** Null if it does not exist; refused while users have it. */
export async function removeRole(context: AdminContext, name: string): Promise<RoleRow | null> {
  const role = await findRole(context, name)
  if (role === null) return null
  if (!(await roleStore(context.pool).remove(name)))
    throw new AdminRefused('conflict', { message: 'Users still have this role. Change their role first.' })
  return role
}

const findRole = async ({ pool }: AdminContext, wanted: string): Promise<RoleRow | null> =>
  (await roleStore(pool).list()).find(({ name }) => name === wanted) ?? null

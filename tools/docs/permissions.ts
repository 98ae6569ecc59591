/** The permissions of the panel's roles. */
import { builtInRoles, permissions } from '#server/panel/access/permissions.ts'
import { code, table } from './markdown.ts'

export const permissionTable = (): string =>
  table(
    ['Permission', 'Reach', ...builtInRoles(), 'What it allows'],
    permissions.map(({ name, reach, roles, about }) => [
      code(name),
      reach,
      ...builtInRoles().map((role) => (roles.includes(role) ? '●' : '')),
      about,
    ]),
  )

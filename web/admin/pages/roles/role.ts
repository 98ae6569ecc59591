/** A role, and a permission that a role may hold, as the service tells them. */
import type { Answer } from '../../api/call.ts'

export type Role = Answer<'GET /roles'>['roles'][number]
export type PermissionRow = Answer<'GET /roles'>['permissions'][number]

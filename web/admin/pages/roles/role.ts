/** A role, and a permission of a role, as the API returns them. */
import type { Answer } from '../../api/call.ts'

export type Role = Answer<'GET /roles'>['roles'][number]
export type PermissionRow = Answer<'GET /roles'>['permissions'][number]

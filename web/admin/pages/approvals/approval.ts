/** A request that waits for a second person, as the API returns it. */
import type { Answer } from '../../api/call.ts'

export type Approval = Answer<'GET /approvals'>['approvals'][number]

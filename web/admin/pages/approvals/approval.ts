/** One request for a second person, as the service tells it. */
import type { Answer } from '../../api/call.ts'

export type Approval = Answer<'GET /approvals'>['approvals'][number]

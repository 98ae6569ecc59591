/** A request that waits for a second person, as the API returns it. */
import type { Answer } from '../../api/call.ts'
import { session } from '../../session/session.ts'

export type Approval = Answer<'GET /approvals'>['approvals'][number]

export const requesterText = ({ askedBy, askedByName }: Approval): string =>
  askedBy === session.value?.user.id ? `${askedByName} (you)` : askedByName

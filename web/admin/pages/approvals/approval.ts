/** A request that waits for a second person, as the API returns it. */
import type { Answer } from '../../api/call.ts'
import { session } from '../../session/session.ts'

export type Approval = Answer<'GET /approvals'>['approvals'][number]

/** Only rules can be for all merchants; other requests without a merchant are about none. */
export const merchantText = ({ kind, merchantId }: Approval, title: (id: string | null) => string): string =>
  merchantId === null && kind !== 'routing-publish' ? '—' : title(merchantId)

export const requesterText = ({ askedBy, askedByName }: Approval): string =>
  askedBy === session.value?.user.id ? `${askedByName} (you)` : askedByName

/** A request that waits for a second person, as the API returns it. */
import type { Answer } from '../../api/call.ts'
import { may, session } from '../../session/session.ts'

export type Approval = Answer<'GET /approvals'>['approvals'][number]

/** Only rules can be for all merchants; other requests without a merchant are about none. */
export const merchantText = ({ kind, merchantId }: Approval, title: (id: string | null) => string): string =>
  merchantId === null && kind !== 'routing-publish' ? '—' : title(merchantId)

export const requesterText = ({ askedBy, askedByName }: Approval): string =>
  askedBy === session.value?.user.id ? `${askedByName} (you)` : askedByName

export const isOwn = ({ askedBy }: Approval): boolean => askedBy === session.value?.user.id

export const mayDecide = ({ kind }: Approval): boolean => may('approvals.decide') && may(actPermissions[kind])

/** The approver must have the permission that the request itself needs. */
const actPermissions = {
  refund: 'payments.refund',
  'password-reveal': 'merchants.secrets',
  'routing-publish': 'routing.write',
  outcome: 'payments.decide',
  'give-back': 'payments.decide',
  difference: 'settlements.write',
  'factor-reset': 'users.write',
  'payout-run': 'payouts.write',
  correction: 'accounts.write',
  'payout-account': 'accounts.write',
  'user-rights': 'users.write',
  dispute: 'payments.decide',
} as const

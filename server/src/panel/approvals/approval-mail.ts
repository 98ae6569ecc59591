/** Announces a waiting request by mail to every person who can decide on it. Chapter 70 §9. */
import { utcText } from '#domain/time.ts'
import { approvalAnnouncements, merchantOf } from '../../store/people/approval-announcements.ts'
import type { ApprovalKind } from '../../store/people/approvals.ts'
import { readUserNames } from '../../store/people/user-names.ts'
import { type Grant, may, reaches } from '../access/permissions.ts'
import { listRecipientsBy } from '../access/recipients.ts'
import type { AdminContext } from '../context.ts'
import { actPermissions } from './approvals.ts'
import { readSecondPersons } from './second-person.ts'

type MailContext = Pick<AdminContext, 'pool' | 'clock' | 'machine' | 'ids'>
type Waiting = Awaited<ReturnType<typeof listUnannouncedApprovals>>[number]

export const listUnannouncedApprovals = ({ pool, clock }: Pick<MailContext, 'pool' | 'clock'>, limit: number) =>
  approvalAnnouncements(pool).list(clock.now(), limit)

export async function announceApproval(context: MailContext, approval: Waiting, panelUrl: string): Promise<void> {
  const { pool, clock, ids } = context
  const mails = (await findDeciders(context, approval)).map((to) => ({ id: ids.next(), to }))
  const asker = (await readUserNames(pool, [approval.askedBy])).get(approval.askedBy) ?? 'A deleted user'
  await approvalAnnouncements(pool).announce(approval.id, clock.now(), mails, textOf(approval, asker, panelUrl))
}

/** The e-mail addresses of the people who may approve: with the permissions, with the merchant of the request, and second persons for who asked. */
async function findDeciders(context: MailContext, approval: Waiting): Promise<readonly string[]> {
  const merchantId = merchantOf(approval)
  const canDecide = (grant: Grant): boolean =>
    may(grant, 'approvals.decide') &&
    may(grant, actPermissions[approval.kind]) &&
    (merchantId === null ? grant.merchants === 'all' : reaches(grant, merchantId))
  const tied = (await readSecondPersons(context)).listTied(approval.askedBy)
  return (await listRecipientsBy(context, canDecide)).filter(({ id }) => !tied.includes(id)).map(({ email }) => email)
}

// biome-ignore format: a table is read in columns.
const words: Readonly<Record<ApprovalKind, string>> = {
  'refund':          'a refund',
  'password-reveal': 'to see a merchant’s password',
  'routing-publish': 'to publish routing rules',
  'outcome':         'a decision on an unknown outcome',
  'give-back':       'to record money given back by hand',
  'difference':      'to resolve a settlement difference',
  'factor-reset':    'to reset a second factor',
  'payout-run':      'a payout run',
  'correction':      'a correction of what a merchant is owed',
  'payout-account':  'to change a merchant’s bank account',
  'user-rights':     'to give a user rights that include approvals',
  'dispute':         'a decision on a dispute',
}

const textOf = ({ kind, reason, expiresAt }: Waiting, asker: string, panelUrl: string) => ({
  subject: `Approval needed: ${words[kind]}`,
  text:
    `${asker} requests ${words[kind]}.\n\nReason: ${reason}\n\n` +
    `Approve or refuse it by ${utcText(expiresAt)}:\n${panelUrl}/admin/approvals\n`,
})

/**
 * The session in which a link is paid. A link for many payments opens one per payer. A link for a single payment has one session at a time,
 * shared by all who open the link, because a session has at most one successful payment; a new one is opened only when a payer can no longer
 * pay in the old one. Where the payer chooses the amount, it is in each visitor's own token and not in the session, so that visitors cannot
 * change each other's amount. Chapter 70 §8, decisions/payment-links#shown-amount.
 */
import { isAttemptOpen, mayPay } from '#domain/checkout/session.ts'
import { limits } from '#domain/limits.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant } from '#domain/merchant.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { PaymentLinks } from '../../../contracts/session-ports.ts'
import type { PaymentLinkRecord, SessionRecord } from '../../../contracts/session-records.ts'
import { linkRequest } from '../../../payments/sessions/link-request.ts'
import { withVisitorAmount } from '../../../payments/sessions/payer-sessions.ts'
import { writeCurrent } from '../../../process/current-write.ts'
import type { HostedPageParts } from '../parts.ts'

export interface LinkParts extends HostedPageParts {
  readonly links: PaymentLinks
}

export interface LinkVisit {
  readonly link: PaymentLinkRecord
  readonly merchant: Merchant
  readonly mapping: ProtocolMapping
  readonly amount: string
  readonly language: string | null
  /** Where the link's own pages are. */
  readonly url: string
}

/** Null if the link is paid. */
export async function openSessionOfLink(parts: LinkParts, visit: LinkVisit): Promise<SessionRecord | null> {
  if (visit.link.uses === 'many') return openSession(parts, visit)
  const { link } = visit
  const found = await writeCurrent({
    record: link,
    write: (current) => findOrOpenSession(parts, { ...visit, link: current }),
    read: async () => (await parts.links.withCode(link.code)) ?? link,
  })
  if (!found) throw new Error(`The session of the payment link ${link.id} could not be opened.`)
  return found.session
}

/** Null if another request opened the session of the link at the same moment. */
async function findOrOpenSession(
  parts: LinkParts,
  visit: LinkVisit,
): Promise<{ readonly session: SessionRecord | null } | null> {
  const shared = await findSharedSession(parts, visit)
  if (shared !== 'none') return { session: shared === 'paid' ? null : shared }
  const session = await openSession(parts, visit)
  if (!(await parts.links.replaceSession(visit.link, session.id))) return null
  return { session: visit.link.amountMinor === null ? withVisitorAmount(session, visit.amount) : session }
}

async function findSharedSession(parts: LinkParts, visit: LinkVisit): Promise<SessionRecord | 'paid' | 'none'> {
  const { payerSessions } = parts.operations
  const session = visit.link.sessionId === null ? null : await payerSessions.find(visit.link.sessionId)
  const context = session && (await payerSessions.load(session))
  if (!context) return 'none'
  if (context.state === 'complete') return 'paid'
  if (isAttemptOpen(context.state)) return context.session
  if (!mayPay(context.state)) return 'none'
  return visit.link.amountMinor === null ? chooseAmount(parts, visit, context.session) : context.session
}

/** Refuses an amount that no method takes, as for a new session. */
async function chooseAmount(
  { operations }: LinkParts,
  { merchant, amount }: LinkVisit,
  shared: SessionRecord,
): Promise<SessionRecord> {
  const session = withVisitorAmount(shared, amount)
  const { refusal } = await operations.sessions.offer(merchant, session)
  if (refusal) throw new RefusedError(refusal)
  return session
}

async function openSession(parts: LinkParts, visit: LinkVisit): Promise<SessionRecord> {
  const { link, merchant, mapping, amount, language, url } = visit
  const now = parts.clock.now().getTime()
  const leftMs = link.expiresAt === null ? Number.POSITIVE_INFINITY : link.expiresAt.getTime() - now
  const minutes = Math.min(limits.checkout.sessionMinutes, leftMs / 60_000)
  const orderNumber =
    link.orderNumber ?? (link.uses === 'single' ? link.code : `${link.code}-${parts.ids.next().slice(-12)}`)
  const urls = { success: `${url}/paid`, cancel: url }
  const session = await parts.operations.sessions.open({
    merchant,
    mapping,
    mode: link.mode,
    kind: 'page',
    operation: 'purchase',
    request: linkRequest(link, { amount, orderNumber, language, urls }),
    minutes,
  })
  await parts.links.addSession(link, session.id, parts.clock.now())
  return session
}

/** Callbacks at the panel. */
import {
  type CallbackRange,
  type CallbackState,
  callbackLog,
  type LoggedCallback,
  type ResendResult,
  resend,
  resendRange,
} from '../../store/callbacks/callback-log.ts'
import { countRange } from '../../store/callbacks/callback-resend.ts'
import { type CallbackSearch, type FoundCallbacks, searchCallbacks } from '../../store/callbacks/callback-search.ts'
import type { Grant } from '../access/permissions.ts'
import { notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { WorkRequest } from '../instance/long-work.ts'
import type { PanelContext } from '../panel-context.ts'
import { scopeOf } from '../reports/dashboard.ts'

interface CallbackPage {
  readonly paymentId?: string | undefined
  readonly state?: CallbackState | undefined
  readonly before?: string | undefined
  readonly limit: number
}

export const callbacksOf = (
  { pool }: PanelContext,
  merchantId: string,
  { paymentId, state, before, limit }: CallbackPage,
): Promise<readonly LoggedCallback[]> =>
  callbackLog(pool, {
    merchantId,
    limit,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(state === undefined ? {} : { state }),
    ...(before === undefined ? {} : { before }),
  })

type CallbackQuery = Omit<CallbackSearch, 'merchantIds'> & { readonly merchantId?: string | undefined }

/** Callbacks of the caller's merchants. */
export const callbacksFor = (
  { pool }: PanelContext,
  grant: Grant,
  { merchantId, ...wish }: CallbackQuery,
): Promise<FoundCallbacks> => searchCallbacks(pool, { ...wish, merchantIds: scopeOf(grant, merchantId ?? null) })

export async function resendOne(
  { pool, clock }: PanelContext,
  merchantId: string,
  id: string,
): Promise<{ readonly result: ResendResult; readonly audit: AuditNote }> {
  const result = await resend(pool, merchantId, id, clock.now())
  if (result === 'unknown') throw notFound()
  return { result, audit: resentNote(merchantId, id, result) }
}

export const resentNote = (merchantId: string, id: string, result: ResendResult): AuditNote => ({
  action: 'callback.resend',
  subject: `callback ${id}`,
  merchantId,
  after: { result },
})

export async function resendMany(
  { pool, clock }: PanelContext,
  merchantId: string,
  ids: readonly string[],
): Promise<{ readonly resent: number; readonly audit: AuditNote }> {
  let resent = 0
  for (const id of ids) if ((await resend(pool, merchantId, id, clock.now())) === 'resent') resent += 1
  return { resent, audit: { ...resendAudit(merchantId), after: { ids, resent } } }
}

export async function resendWithin(
  { pool, clock }: PanelContext,
  range: CallbackRange,
): Promise<{ readonly resent: number; readonly audit: AuditNote }> {
  const resent = await resendRange(pool, range, clock.now())
  const { merchantId, from, to, state } = range
  return { resent, audit: { ...resendAudit(merchantId), after: { from, to, state, resent } } }
}

/** The same as long work, for a range of any size. */
export async function resendRequest({ pool }: PanelContext, range: CallbackRange): Promise<WorkRequest> {
  const { merchantId, from, to, state } = range
  const request = { merchantId, from: from.toISOString(), to: to.toISOString(), state }
  return { kind: 'resend', total: await countRange(pool, range), request }
}

const resendAudit = (merchantId: string) => ({
  action: 'callback.resend-many',
  subject: `merchant ${merchantId}`,
  merchantId,
})

/** Callbacks at the panel. */
import { type CallbackState, type LoggedCallback, listLoggedCallbacks } from '../../store/callbacks/callback-log.ts'
import {
  type CallbackRange,
  countRange,
  type ResendResult,
  resend,
  resendRange,
} from '../../store/callbacks/callback-resend.ts'
import { type CallbackSearch, type FoundCallbacks, searchCallbacks } from '../../store/callbacks/callback-search.ts'
import type { Grant } from '../access/permissions.ts'
import { notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { WorkRequest } from '../instance/long-work.ts'
import type { PanelContext } from '../panel-context.ts'
import { scopeOf } from '../reports/dashboard.ts'
import { addressFor, hasAddress, noAddress, type ResendTarget } from './resend-target.ts'

interface CallbackPage {
  readonly paymentId?: string | undefined
  readonly state?: CallbackState | undefined
  readonly before?: string | undefined
  readonly limit: number
}

export const listCallbacks = (
  { pool }: PanelContext,
  merchantId: string,
  { paymentId, state, before, limit }: CallbackPage,
): Promise<readonly LoggedCallback[]> =>
  listLoggedCallbacks(pool, {
    merchantId,
    limit,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(state === undefined ? {} : { state }),
    ...(before === undefined ? {} : { before }),
  })

type CallbackQuery = Omit<CallbackSearch, 'merchantIds'> & { readonly merchantId?: string | undefined }

/** Callbacks of the caller's merchants. */
export const searchCallbacksFor = (
  { pool }: PanelContext,
  grant: Grant,
  { merchantId, ...wish }: CallbackQuery,
): Promise<FoundCallbacks> => searchCallbacks(pool, { ...wish, merchantIds: scopeOf(grant, merchantId ?? null) })

export async function resendOne(
  context: PanelContext,
  merchantId: string,
  id: string,
  target: ResendTarget,
): Promise<{ readonly result: ResendResult; readonly audit: AuditNote }> {
  const to = addressFor(context.configuration.merchant(merchantId), target)
  const result = await resend(context.pool, { merchantId, callbackId: id, now: context.clock.now(), to })
  if (result === 'unknown') throw notFound()
  return { result, audit: resentNote(merchantId, id, { result, target }) }
}

export const resentNote = (
  merchantId: string,
  id: string,
  after: { readonly result: ResendResult; readonly target: ResendTarget },
): AuditNote => ({ action: 'callback.resend', subject: `callback ${id}`, merchantId, after })

export async function resendMany(
  { pool, clock, configuration }: PanelContext,
  merchantId: string,
  ids: readonly string[],
  target: ResendTarget,
): Promise<{ readonly resent: number; readonly audit: AuditNote }> {
  const to = addressFor(configuration.merchant(merchantId), target)
  let resent = 0
  for (const callbackId of ids)
    if ((await resend(pool, { merchantId, callbackId, now: clock.now(), to })) === 'resent') resent += 1
  return { resent, audit: { ...resendAudit(merchantId), after: { ids, resent, target } } }
}

export async function resendWithin(
  { pool, clock }: PanelContext,
  range: CallbackRange,
): Promise<{ readonly resent: number; readonly audit: AuditNote }> {
  const resent = await resendRange(pool, range, clock.now())
  const { merchantId, from, to, state } = range
  return { resent, audit: { ...resendAudit(merchantId), after: { from, to, state, resent } } }
}

type ResendWish = Omit<CallbackRange, 'merchantId'> & { readonly target: ResendTarget }

/** The same as long work, for a range of any size; null means all merchants. */
export async function resendRequest(
  { pool, configuration }: PanelContext,
  merchantIds: readonly string[] | null,
  { from, to, state, target }: ResendWish,
): Promise<WorkRequest> {
  const counts = await countRange(pool, merchantIds, { from, to, state })
  const able = counts.filter(({ merchantId }) => hasAddress(configuration.merchant(merchantId), target))
  if (able.length === 0 && counts.length > 0) throw noAddress()
  const total = able.reduce((sum, { count }) => sum + count, 0n)
  const ids = able.map(({ merchantId }) => merchantId)
  return {
    kind: 'resend',
    total,
    request: { merchantIds: ids, from: from.toISOString(), to: to.toISOString(), state, target },
  }
}

const resendAudit = (merchantId: string) => ({
  action: 'callback.resend-many',
  subject: `merchant ${merchantId}`,
  merchantId,
})

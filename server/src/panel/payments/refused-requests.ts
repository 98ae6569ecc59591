/** Refused requests of the caller's merchants, each with the result of its checks. See decisions/requests#refused-requests. */
import { type CheckResult, checkResults } from '#domain/request-checks.ts'
import {
  type FoundRefusal,
  findRefusedRequests,
  type RefusedRequestSearch,
} from '../../store/requests/refused-requests.ts'
import type { Grant } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'
import { scopeOf } from '../reports/dashboard.ts'

type ExplainedRefusal = FoundRefusal & { readonly checks: readonly CheckResult[] }

export async function listRefusedRequestsFor(
  { pool }: PanelContext,
  grant: Grant,
  { merchantId, ...search }: Omit<RefusedRequestSearch, 'merchantIds'> & { readonly merchantId?: string | undefined },
): Promise<readonly ExplainedRefusal[]> {
  const found = await findRefusedRequests(pool, { ...search, merchantIds: scopeOf(grant, merchantId ?? null) })
  return found.map((one) => ({ ...one, checks: checkResults(one.step) }))
}

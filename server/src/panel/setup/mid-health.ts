/** MID health at the panel, and the manual control of circuit breakers. */
import type { BreakerOverride } from '#domain/routing/breaker.ts'
import { changeOverride, listMidHealth, type MidHealth } from '../../setup/mid-health.ts'
import { notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { midAudit } from './mids.ts'

export const listHealthOfMids = (context: PanelContext, minutes: number): Promise<readonly MidHealth[]> =>
  listMidHealth(context, minutes)

export async function requireHealthOfMid(context: PanelContext, midId: string, minutes: number): Promise<MidHealth> {
  const found = (await listMidHealth(context, minutes)).find((one) => one.midId === midId)
  if (found === undefined) throw notFound()
  return found
}

export async function overrideBreaker(
  context: PanelContext,
  midId: string,
  override: BreakerOverride,
  minutes: number,
): Promise<{ readonly shown: MidHealth; readonly audit: AuditNote }> {
  const { health, override: overrideBefore } = await requireHealthOfMid(context, midId, minutes)
  await changeOverride(context, midId, override)
  const shown = await requireHealthOfMid(context, midId, minutes)
  return {
    shown,
    audit: {
      ...midAudit('mid.health', midId),
      // Stored entries name the override `hand`.
      before: { health, hand: overrideBefore },
      after: { health: shown.health, hand: override },
    },
  }
}

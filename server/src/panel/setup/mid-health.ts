/** MID health at the panel, and the manual control of circuit breakers. */
import type { Hand } from '#domain/routing/breaker.ts'
import { type MidHealth, midHealths, setHand } from '../../setup/mid-health.ts'
import { notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { midAudit } from './mids.ts'

export const healthOfMids = (context: PanelContext, minutes: number): Promise<readonly MidHealth[]> =>
  midHealths(context, minutes)

export async function healthOfMid(context: PanelContext, midId: string, minutes: number): Promise<MidHealth> {
  const found = (await midHealths(context, minutes)).find((one) => one.midId === midId)
  if (found === undefined) throw notFound()
  return found
}

export async function decideHealth(
  context: PanelContext,
  midId: string,
  hand: Hand,
  minutes: number,
): Promise<{ readonly shown: MidHealth; readonly audit: AuditNote }> {
  const { health, hand: handBefore } = await healthOfMid(context, midId, minutes)
  await setHand(context, midId, hand)
  const shown = await healthOfMid(context, midId, minutes)
  return {
    shown,
    audit: {
      ...midAudit('mid.health', midId),
      before: { health, hand: handBefore },
      after: { health: shown.health, hand },
    },
  }
}

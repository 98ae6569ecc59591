/** MID health at the panel, and the manual control of circuit breakers. */
import type { Hand } from '#domain/routing/breaker.ts'
import { type MidHealth, midHealths, setHand } from '../../setup/mid-health.ts'
import { notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { Panel } from '../panel.ts'
import { midAudit } from './mids.ts'

export const healthOfMids = (panel: Panel, minutes: number): Promise<readonly MidHealth[]> => midHealths(panel, minutes)

export async function healthOfMid(panel: Panel, midId: string, minutes: number): Promise<MidHealth> {
  const found = (await midHealths(panel, minutes)).find((one) => one.midId === midId)
  if (found === undefined) throw notFound()
  return found
}

export async function decideHealth(
  panel: Panel,
  midId: string,
  hand: Hand,
  minutes: number,
): Promise<{ readonly shown: MidHealth; readonly audit: AuditNote }> {
  const { health, hand: handBefore } = await healthOfMid(panel, midId, minutes)
  await setHand(panel, midId, hand)
  const shown = await healthOfMid(panel, midId, minutes)
  return {
    shown,
    audit: {
      ...midAudit('mid.health', midId),
      before: { health, hand: handBefore },
      after: { health: shown.health, hand },
    },
  }
}

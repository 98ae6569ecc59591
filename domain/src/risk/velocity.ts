/** Velocity: how many payments, or how much money, one card, address or device has asked for within a window. Chapter 70 §7. */
import { type RiskSubject, readRiskValue } from './risk-entry.ts'

export const velocitySubjects = ['card', 'email', 'ip', 'device'] as const
export type VelocitySubject = (typeof velocitySubjects)[number]

/** One question of a rule: `currency` null counts payments, otherwise amounts of that currency are added up. */
export interface VelocityQuestion {
  readonly per: VelocitySubject
  readonly windowMinutes: number
  readonly currency: string | null
}

export const velocityTitles: Readonly<Record<VelocitySubject, string>> = {
  card: 'card',
  email: 'e-mail address',
  ip: 'IP address',
  device: 'device',
}

/** Reads the attribute of the payment that is counted; null if it has none. */
export function velocityValue(per: VelocitySubject, subject: RiskSubject): string | null {
  const text = subject[per]
  if (text === null) return null
  const reading = readRiskValue(per, text)
  return reading.ok ? reading.value : null
}

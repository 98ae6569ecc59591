/** Alerts, as the API returns them, the words for their severities, and the pages that solve them. */
import type { AlertKind } from '#domain/alert/alert-kinds.ts'
import type { AlertSeverity } from '#domain/alert/alert-severity.ts'
import type { Answer } from '../../api/call.ts'
import type { Tone } from '../../kit/states.tsx'

export type Alert = Answer<'GET /alerts'>['alerts'][number]

// biome-ignore format: a table is read in columns.
export const severityTexts: Readonly<Record<AlertSeverity, readonly [words: string, tone: Tone]>> = {
  notice:   ['Notice',   'info'],
  warning:  ['Warning',  'warn'],
  critical: ['Critical', 'bad'],
}

/** `give-back` in words. */
export const kindText = (kind: string): string => {
  const words = kind.replaceAll(/[-.]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where people do what such an alert asks for, by the address of the page; the others are solved at their transaction, or outside of the panel. */
// biome-ignore format: a table is read in columns.
const solvedAt: Readonly<Partial<Record<AlertKind, string>>> = {
  'account.unused':            '/users',
  'callback-failed':           '/callbacks',
  'dispute-answer':            '/disputes',
  'dispute-due':               '/disputes',
  'export-failed':             '/export-schedules',
  'give-back':                 '/unresolved',
  'mid-certificate-expiring':  '/mids',
  'mid-failing':               '/mids',
  'mid-unusable':              '/mids',
  'notifications-silent':      '/system',
  'outcome-unknown':           '/unresolved',
  'payout-at-bank':            '/payout-runs',
  'plan-payment-refused':      '/schedules',
  'policy-report':             '/policy-reports',
  'refund-failed':             '/price-lists?tab=accounts',
  'review-due':                '/reviews',
  'settlement-difference':     '/settlements',
}

export const pageOfKind = (kind: string): string | null =>
  Object.entries(solvedAt).find(([name]) => name === kind)?.[1] ?? null

/** Its record under Unresolved ends it, and nothing else: the money would be forgotten. */
export const isResolvedByHand = ({ kind, resolvedAt }: Alert): boolean => resolvedAt === null && kind !== 'give-back'

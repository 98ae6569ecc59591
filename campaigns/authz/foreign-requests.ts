/** Requests that name an entity of another merchant: which addresses do, and with which body they would succeed for its owner. */
import type { Endpoint } from '#server/protocols/admin/api/endpoint.ts'

/** Path parameters that name an entity of a merchant or of a user. */
// biome-ignore format: a table is read in columns.
const entities = ['paymentId', 'callbackId', 'mappingId', 'userId', 'approvalId', 'alertId', 'form', 'scheduleId', 'subscriptionId',
  'exportId', 'exportScheduleId', 'exportRunId', 'workId', 'sessionId', 'filterId', 'linkId', 'terminalId',
  'signUpLinkId', 'signUpId', 'differenceId']

const grounds = { reason: 'The acquirer called.', evidence: 'Mail of today.' }

/** Valid bodies of changes that name an entity; the others get an empty one. */
const bodies: Readonly<Record<string, object>> = {
  'POST /merchants/:merchantId/payments/:paymentId/chargeback': {
    reference: 'R-1',
    amountMinor: '100',
    bankDate: '2026-01-01',
    reasonCode: '10.4',
  },
  'POST /merchants/:merchantId/payments/:paymentId/card': { reason: 'curious' },
  'POST /merchants/:merchantId/payments/:paymentId/review': { decision: 'accepted', reason: 'known payer' },
  'POST /merchants/:merchantId/payments/:paymentId/notes': { text: 'The payer called.' },
  'PUT /merchants/:merchantId/payments/:paymentId/tags': { tags: ['called'] },
  'POST /merchants/:merchantId/payments/:paymentId/outcome': {
    transactionId: '00000000-0000-4000-8000-000000000002',
    decision: 'not-executed',
    ...grounds,
  },
  'POST /merchants/:merchantId/payments/:paymentId/give-back': {
    alertId: '00000000-0000-4000-8000-000000000003',
    reference: 'R-1',
    amountMinor: '100',
    date: '2026-01-01',
    ...grounds,
  },
  'POST /settlements/differences/:differenceId/resolve': { note: 'Explained by the acquirer.' },
  'POST /approvals/:approvalId/dismiss': { reason: 'Not needed any more.' },
  'POST /users/:userId/second-factor/reset': { reason: 'The phone was lost.' },
  'POST /merchants/:merchantId/payment-links/:linkId/mail': { to: 'payer@example.com' },
  'POST /merchants/:merchantId/terminal/:terminalId/payment': { attemptId: '00000000-0000-4000-8000-000000000001' },
  'PUT /merchants/:merchantId/payments/:paymentId/capture-plan': { captureAt: null },
  'PATCH /merchants/:merchantId/mappings/:mappingId': { priority: 7 },
  'POST /merchants/:merchantId/forms/:form/state': { state: 'withdrawn' },
  'POST /merchants/:merchantId/forms/:form/review': { decision: 'refuse', reason: 'Not ours.' },
  'PATCH /merchants/:merchantId/schedules/:scheduleId': { name: 'Mine' },
  'PATCH /users/:userId': { name: 'Mine' },
  'PUT /export-schedules/:exportScheduleId': {
    name: 'Mine',
    kind: 'payments',
    filter: {},
    columns: ['id'],
    period: 'day',
    timeZone: 'UTC',
    minuteOfDay: 360,
    target: { kind: 'https', url: 'https://files.example.com/mine' },
  },
}

export const bodyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): object => bodies[`${method} ${path}`] ?? {}

export const namesEntity = (path: string): boolean =>
  [...path.matchAll(/:(\w+)/g)].some(([, name = '']) => entities.includes(name))

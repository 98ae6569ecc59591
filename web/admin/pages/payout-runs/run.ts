import type { Answer } from '../../api/call.ts'
import type { Tone } from '../../kit/states.tsx'

type PayoutRun = Answer<'GET /payout-runs'>['runs'][number]

export const stateTexts: Readonly<Record<PayoutRun['state'], string>> = {
  waiting: 'Waiting for approval',
  sent: 'Approved',
  paid: 'Paid',
  cancelled: 'Cancelled',
}

export const stateTones: Readonly<Record<PayoutRun['state'], Tone>> = {
  waiting: 'warn',
  sent: 'info',
  paid: 'good',
  cancelled: 'plain',
}

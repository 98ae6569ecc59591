/** How often a schedule charges and when it begins, in words. */
export interface Rhythm {
  readonly intervalLength: number
  readonly intervalUnit: 'day' | 'week' | 'month' | 'year'
  readonly dayOfMonth: number | null
  readonly delayedFirstPayment: 'none' | 'delay_by_interval' | 'day_of_week' | 'day_of_month'
  readonly firstPaymentIntervalLength: number | null
  readonly firstPaymentIntervalUnit: 'day' | 'week' | 'month' | 'year' | null
  readonly firstPaymentDayOfWeek: number | null
  readonly firstPaymentDayOfMonth: number | null
}

export function rhythmText(rhythm: Rhythm): string {
  const { intervalLength, intervalUnit, dayOfMonth } = rhythm
  const every = intervalLength === 1 ? `Every ${intervalUnit}` : `Every ${intervalLength} ${intervalUnit}s`
  const day = dayOfMonth === null ? '' : ` on day ${dayOfMonth}`
  return `${every}${day}${beginningText(rhythm)}`
}

function beginningText(rhythm: Rhythm): string {
  const { firstPaymentIntervalLength: length, firstPaymentIntervalUnit: unit } = rhythm
  switch (rhythm.delayedFirstPayment) {
    case 'none':
      return ''
    case 'delay_by_interval':
      return `, first after ${length ?? 1} ${unit ?? 'day'}${length === 1 ? '' : 's'}`
    case 'day_of_week':
      return `, first on the next ${weekdays[(rhythm.firstPaymentDayOfWeek ?? 1) - 1] ?? 'Monday'}`
    case 'day_of_month':
      return `, first on the next day ${rhythm.firstPaymentDayOfMonth ?? 1} of a month`
  }
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

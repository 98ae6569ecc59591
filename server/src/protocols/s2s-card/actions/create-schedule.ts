/** CREATE_SCHEDULE: a reusable rule for automatic payments. Chapter 10 §7.11. */
import { cardFormulas } from '#domain/signature/signature.ts'
import { action } from '../../kit/action.ts'
import { anyText } from '../../kit/values/params.ts'
import { newScheduleParams } from '../schedule-params.ts'

export const createSchedule = action({
  name: 'CREATE_SCHEDULE',
  params: { client_key: anyText, ...newScheduleParams, hash: anyText },
  signature: () => ({ formula: cardFormulas.createSchedule, values: {} }),
  run: (input, _, { operations, merchant, mode }, useId) =>
    operations.schedules.create(
      { merchantId: merchant.id, mode },
      {
        name: input.name,
        intervalLength: input.interval_length,
        intervalUnit: input.interval_unit,
        dayOfMonth: input.day_of_month ?? null,
        paymentsCount: input.payments_count,
        delayedFirstPayment: input.delayed_first_payment ?? 'none',
        firstPaymentIntervalLength: input.first_payment_interval_length ?? null,
        firstPaymentIntervalUnit: input.first_payment_interval_unit ?? null,
        firstPaymentDayOfWeek: input.first_payment_day_of_week ?? null,
        firstPaymentDayOfMonth: input.first_payment_day_of_month ?? null,
        delays: null,
        paused: false,
      },
      useId,
    ),
  recall: ({ operations, merchant, mode }, useId) => operations.schedules.find(merchant.id, useId, mode),
  present: ({ id }) => ({ action: 'CREATE_SCHEDULE', result: 'SUCCESS', schedule_id: id }),
})

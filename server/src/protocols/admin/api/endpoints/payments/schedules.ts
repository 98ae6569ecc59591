/** Schedules and plans. Addresses and members say `subscription`, the stored word. */
import { z } from 'zod'
import { addDays, dayIn } from '#domain/schedule/day.ts'
import { invalid } from '../../../../../panel/admin-refused.ts'
import * as schedules from '../../../../../panel/payments/schedules.ts'
import { readCalendarFor } from '../../../../../panel/reports/calendar.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, doneAnswer, doneOutput, emptyBody, id, instant, minor, pageLimit, textInput } from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const unit = z.enum(['day', 'week', 'month', 'year'])
const rule = z.enum(['none', 'delay_by_interval', 'day_of_week', 'day_of_month'])

const members = {
  name: textInput(100),
  intervalLength: z.number().int().min(1).max(999),
  intervalUnit: unit,
  dayOfMonth: z.number().int().min(1).max(31).nullable(),
  paymentsCount: z.number().int().min(1).max(9999),
  delayedFirstPayment: rule,
  firstPaymentIntervalLength: z.number().int().min(1).max(999).nullable(),
  firstPaymentIntervalUnit: unit.nullable(),
  firstPaymentDayOfWeek: z.number().int().min(1).max(7).nullable(),
  firstPaymentDayOfMonth: z.number().int().min(1).max(31).nullable(),
}

const mode = z.enum(['live', 'test'])

const shownSchedule = z.object({
  ...members,
  mode,
  name: z.string(),
  id,
  version: z.number(),
  paused: z.boolean(),
  delays: z.number().nullable(),
  running: z.number(),
})

const shownPlan = z.object({
  id,
  scheduleId: id,
  state: z.enum(['running', 'ended']),
  endedReason: z.string().nullable(),
  /** The schedule's name; null if it was deleted. */
  schedule: z.string().nullable(),
  orderId: z.string(),
  payerEmail: z.string().nullable(),
  payerName: z.string().nullable(),
  amountMinor: minor,
  amountDecimals: z.number(),
  currency: z.string(),
  paymentsLeft: z.number(),
  nextDate: z.string().nullable(),
  nextAt: instant.nullable(),
  comingDates: z.array(z.string()).readonly(),
  /** The payment that started the plan. */
  startedBy: id,
  lastPayment: id.nullable(),
  createdAt: instant,
})

const shownCharge = z.object({
  merchantId: id,
  subscriptionId: id,
  scheduleId: id,
  schedule: z.string(),
  amountMinor: minor,
  amountDecimals: z.number(),
  currency: z.string(),
})

/** The range without a query: a month from today. */
const usualDays = 31
/** The longest range of the calendar. */
const furthestDays = 400

const path = '/merchants/:merchantId/schedules'

export const scheduleEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path,
    summary: 'Lists schedules of a merchant with the number of running plans.',
    access: 'schedules.read',
    output: z.object({ schedules: z.array(shownSchedule).readonly() }),
    run: async ({ params: { merchantId } }, { context }) => ({
      schedules: await schedules.listSchedules(context, merchantId),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path,
    summary: 'Creates a schedule.',
    access: 'schedules.write',
    body: z.strictObject({
      ...members,
      mode: mode.default('live'),
      dayOfMonth: members.dayOfMonth.default(null),
      delayedFirstPayment: rule.default('none'),
      firstPaymentIntervalLength: members.firstPaymentIntervalLength.default(null),
      firstPaymentIntervalUnit: members.firstPaymentIntervalUnit.default(null),
      firstPaymentDayOfWeek: members.firstPaymentDayOfWeek.default(null),
      firstPaymentDayOfMonth: members.firstPaymentDayOfMonth.default(null),
    }),
    output: shownSchedule,
    run: async ({ params: { merchantId }, body }, { context }) => {
      const wish = { ...body, delays: null, paused: false }
      const { schedule, audit } = await schedules.createSchedule(context, merchantId, wish)
      return { answer: { ...schedule, running: 0 }, audit }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: `${path}/:scheduleId`,
    summary: 'Changes a schedule and recalculates the dates of its plans.',
    access: 'schedules.write',
    body: z.strictObject(members).partial().transform(withoutUndefined),
    output: doneOutput,
    run: async ({ params: { merchantId, scheduleId }, body }, { context }) => ({
      answer: doneAnswer,
      audit: await schedules.changeSchedule(context, merchantId, scheduleId, body),
    }),
  }),
  ...(['pause', 'run', 'remove'] as const).map((verb) =>
    changeEndpoint({
      method: 'POST',
      path: `${path}/:scheduleId/${verb}`,
      summary: {
        pause: 'Pauses a schedule; there are no charges until it is resumed.',
        run: 'Resumes a paused schedule.',
        remove: 'Deletes a schedule; its plans end.',
      }[verb],
      access: 'schedules.write',
      body: emptyBody,
      output: doneOutput,
      run: async ({ params: { merchantId, scheduleId } }, { context }) => ({
        answer: doneAnswer,
        audit: await schedules.switchSchedule(context, merchantId, scheduleId, verb),
      }),
    }),
  ),
  queryEndpoint({
    path: '/merchants/:merchantId/subscriptions',
    summary: 'Lists plans of a merchant with the dates of their next charges, newest first.',
    access: 'schedules.read',
    query: {
      scheduleId: z.uuid().optional(),
      state: z.enum(['running', 'ended']).optional(),
      /** A part of the order number, of the payer’s e-mail address or of the payer’s name. */
      search: textInput(255).optional(),
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({ subscriptions: z.array(shownPlan).readonly() }),
    run: async ({ params: { merchantId }, query }, { context }) => ({
      subscriptions: await schedules.listPlans(context, merchantId, query),
    }),
  }),
  queryEndpoint({
    path: '/calendar',
    summary: 'Lists the next charges of running plans by day.',
    access: 'schedules.read',
    query: { from: dayInput.optional(), to: dayInput.optional(), merchantId: z.uuid().optional() },
    output: z.object({
      today: z.string(),
      days: z.array(z.object({ date: z.string(), charges: z.array(shownCharge).readonly() })).readonly(),
      complete: z.boolean(),
    }),
    run: async ({ query: { from, to, merchantId = null } }, { context, grant }) => {
      const today = dayIn(context.clock.now(), 'UTC')
      const begin = from ?? today
      const range = { from: begin, to: to ?? addDays(begin, usualDays), merchantId }
      const furthest = addDays(today, furthestDays)
      if (begin > furthest || range.to > furthest)
        throw invalid('to', `Select a date within ${furthestDays} days from today.`)
      return { today, ...(await readCalendarFor(context, grant, range)) }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/subscriptions/:subscriptionId/end',
    summary: 'Ends a plan.',
    access: 'schedules.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { merchantId, subscriptionId } }, { context }) => ({
      answer: doneAnswer,
      audit: await schedules.endPlan(context, merchantId, subscriptionId),
    }),
  }),
]

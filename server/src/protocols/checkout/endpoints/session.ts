/** The Authentication request, and the session token of hosted fields. Chapter 30 §3, §8.2. */

import { violations } from '#domain/errors.ts'
import { dayIn } from '#domain/schedule/day.ts'
import { firstDate } from '#domain/schedule/schedule.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import type { ScheduleRecord } from '../../../contracts/records.ts'
import { invalid } from '../../../contracts/refused-error.ts'
import type { SessionOperation, SessionRecord, SessionRequest } from '../../../contracts/session-records.ts'
import { type OnSchedule, refusePaused, scheduleOfPayment } from '../../kit/named-schedule.ts'
import type { AnswerFields } from '../../kit/prepared.ts'
import type { Values } from '../../kit/values/params.ts'
import { requestTextsIn } from '../../kit/values/request-texts.ts'
import { type Caller, type Endpoint, endpoint, type Signed } from '../endpoint.ts'
import { fieldsParams, pageParams } from '../session-params.ts'

/** Operations of the page; those of fields are among them. */
type Input = Omit<Values<typeof pageParams>, 'success_url' | 'return_url'> & {
  readonly success_url: string | undefined
  readonly return_url: string | undefined
}

interface OpenedSession {
  readonly session: SessionRecord
  readonly token: string
  /** For the page with the hosted fields, where the payer can read it; only for hosted fields. */
  readonly clientToken: string | undefined
  readonly schedule: ScheduleRecord | null
}

export const session: Endpoint = endpoint({
  path: '/api/v1/session',
  name: 'session',
  params: pageParams,
  find: async (input, caller) => {
    await requireForm(input.form_id, caller)
    return scheduleOfPayment(caller, input.schedule_id)
  },
  signature,
  run: (input, found: OnSchedule, caller) => open('page', input, found, caller),
  present: (opened, caller) => ({
    redirect_url: `${caller.pageUrl}/auth/${opened.token}`,
    ...scheduleAnswer(opened, caller),
  }),
})

export const sessionToken: Endpoint = endpoint({
  path: '/api/v1/session/token',
  name: 'session-token',
  params: fieldsParams,
  find: (input, caller) => scheduleOfPayment(caller, input.schedule_id),
  signature,
  run: (input, found: OnSchedule, caller) => open('fields', input, found, caller),
  present: (opened, caller) => ({
    token: opened.token,
    client_token: opened.clientToken,
    ...scheduleAnswer(opened, caller),
  }),
})

/** An unapproved form counts as unknown. Chapter 30 §3.5. */
async function requireForm(formId: string | undefined, caller: Caller): Promise<void> {
  if (formId === undefined || (await caller.hasForm(formId))) return
  throw invalid({ param: 'form_id', text: violations.notCorrect })
}

function signature({ order }: Pick<Input, 'order'>): Signed {
  return {
    names: checkoutFormulas.session,
    values: {
      'order.number': order?.number,
      'order.amount': order?.amount,
      'order.currency': order?.currency,
      'order.description': order?.description,
    },
  }
}

async function open(
  kind: SessionRecord['kind'],
  input: Input,
  { schedule }: OnSchedule,
  caller: Caller,
): Promise<OpenedSession> {
  refusePaused(schedule)
  const { merchant, mode, mapping } = caller
  const operation: SessionOperation = input.operation
  const minutes = input.session_expiry
  const request = requestOf(kind, input, caller)
  const opened = await caller.operations.sessions.open({ merchant, mode, mapping, kind, operation, request, minutes })
  const [token, clientToken] = await Promise.all([
    caller.tokens.issue(opened),
    kind === 'fields' ? caller.tokens.issue(opened, 'collect') : undefined,
  ])
  return { session: opened, token, clientToken, schedule }
}

function requestOf(kind: SessionRecord['kind'], input: Input, { address }: Caller): SessionRequest {
  const { order } = input
  if (!order) throw new Error('A session without an order passed its table.')
  const { ip, ...customer } = input.customer
  return {
    methods: input.methods,
    channel: input.channel_id ?? null,
    order: { ...order, amount: order.amount ?? null },
    urls: {
      success: input.success_url ?? null,
      cancel: input.cancel_url ?? null,
      expiry: input.expiry_url ?? null,
      error: input.error_url ?? null,
      return: input.return_url ?? null,
    },
    urlTarget: input.url_target ?? null,
    // A card paid by its token is already saved.
    saveCard: input.req_token && input.card_token.length === 0,
    cardTokens: input.card_token,
    recurringInit: input.recurring_init,
    schedule: wishOf(input),
    consentRequired: input.recurring_consent_required,
    auth: input.auth,
    ...requestTextsIn(input),
    vatCalc: input.vat_calc,
    formId: input.form_id ?? null,
    customer,
    billingAddress: input.billing_address,
    payee: input.payee,
    payeeBillingAddress: input.payee_billing_address,
    cryptoNetwork: input.crypto?.network ?? null,
    parameters: input.parameters,
    customData: input.custom_data,
    customerIp: kind === 'fields' ? (ip ?? address) : null,
  }
}

function wishOf(input: Input): SessionRequest['schedule'] {
  if (input.schedule_id === undefined) return null
  const startDate = input.schedule_start_date ?? null
  return {
    id: input.schedule_id,
    startDate,
    amount: input.payment_schedule_amount ?? null,
    // Known already when it was sent; otherwise once the payment has succeeded.
    firstDate: startDate,
  }
}

/** Assumes that the payment is made today. Chapter 30 §3.6. */
function scheduleAnswer(
  { session: { request, createdAt }, schedule }: OpenedSession,
  { merchant }: Caller,
): AnswerFields {
  const wish = request.schedule
  if (!wish || !schedule) return {}
  const start = { initiatedOn: dayIn(createdAt, merchant.timeZone), startDate: wish.startDate }
  return {
    schedule_id: wish.id,
    schedule_start_date: wish.startDate ?? undefined,
    payment_schedule_amount: wish.amount ?? undefined,
    first_recurring_date: firstDate(schedule, start) ?? undefined,
  }
}

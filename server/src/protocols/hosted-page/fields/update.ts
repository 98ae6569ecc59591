/** PUT /api/v1/session/update: the merchant changes a session of hosted fields before it is paid. Chapter 30 §8.5. */

import { errors, type Violation, violations } from '#domain/errors.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { amountSign, parseAmount } from '#domain/money/money.ts'
import { invalid, RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionRequest } from '../../../contracts/session-records.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import { writeCurrent } from '../../../process/current-write.ts'
import { optionalAmount } from '../../checkout/amount-params.ts'
import { customData, parameterBag } from '../../checkout/bag-params.ts'
import { currency } from '../../checkout/text-formats.ts'
import type { ValueTree } from '../../kit/bodies/value-tree.ts'
import { refusePaused } from '../../kit/named-schedule.ts'
import * as format from '../../kit/values/formats.ts'
import { jsonFlag } from '../../kit/values/json-params.ts'
import { optional, type Param, readParams, stateRule, type Values } from '../../kit/values/params.ts'
import { soundResult, soundValue } from '../../kit/values/read.ts'
import { type BaseReading, jsonFormat } from '../../kit/values/reading.ts'
import { booleanOf, sentIn, textIn } from '../../kit/values/sent.ts'
import type { HostedPageParts } from '../parts.ts'

interface UpdateReading extends BaseReading {
  readonly request: SessionRequest
  /** As it will be after the change. */
  readonly startsChain: boolean
  readonly crypto: Exponents
}

/** Undefined means "unchanged"; a plain flag would read a missing value as false. */
const changeParam = <T>(param: Param<T, BaseReading>): Param<T | undefined, BaseReading> => ({
  words: { ...param.words, sent: 'no' },
  read: (path, sent, reading) => (sent === undefined ? soundResult(undefined) : param.read(path, sent, reading)),
})

export const updateParams = {
  order_amount: optionalAmount<UpdateReading>(
    {
      currency: ({ tree, request }) => textIn(tree, 'order_currency') ?? request.order.currency,
      crypto: ({ crypto }) => crypto,
      mayBeZero: ({ startsChain }) => startsChain,
      mayBeAbsent: () => true,
      alsoNamed: 'amount',
    },
    'no',
  ),
  order_currency: optional(currency),
  recurring_init: changeParam(jsonFlag),
  req_token: changeParam(jsonFlag),
  schedule_id: stateRule(
    'no; only while `recurring_init` is `true`. `null` removes the schedule',
    optional(format.uuid),
  ),
  parameters: changeParam(parameterBag),
  custom_data: changeParam(customData),
}

export const updateAnswer = { result: '`success`' } as const

type Input = Values<typeof updateParams>

export async function updateSession(parts: HostedPageParts, context: SessionContext, body: ValueTree): Promise<object> {
  const { payerSessions } = parts.operations
  const written = await writeCurrent<SessionContext | null, 'changed' | 'begun' | 'gone'>({
    record: context,
    write: async (current) => {
      if (!current) return 'gone'
      const result = await payerSessions.update(current.session, await readRequest(parts, current, body))
      return result === 'stale' ? null : result
    },
    read: async () => {
      const session = await payerSessions.find(context.session.id)
      return session && payerSessions.load(session)
    },
  })
  if (written !== 'changed') throw new RefusedError(errors.sessionNotUpdatable)
  return { result: 'success' }
}

async function readRequest(parts: HostedPageParts, context: SessionContext, body: ValueTree): Promise<SessionRequest> {
  const { session, merchant, payments, state } = context
  if (state === 'expired') throw new RefusedError(errors.sessionTokenForbidden)
  if (session.kind !== 'fields' || payments.length > 0) throw new RefusedError(errors.sessionNotUpdatable)
  const input = inputOf(body, context)
  const request = changedRequest(session.request, input, body)
  refuseUnsound(request, input, context.crypto)
  await checkSchedule(parts, context, input)
  const { refusal } = await parts.operations.sessions.offer(merchant, { ...session, request })
  if (refusal) throw new RefusedError(errors.noAcceptableMethods)
  return request
}

function inputOf(body: ValueTree, { session: { request }, crypto }: SessionContext): Input {
  const unexpected = Object.keys(body).filter((name) => !Object.hasOwn(updateParams, name))
  if (unexpected.length > 0) throw invalid(...unexpected.map((param) => ({ param, text: violations.notExpected })))
  const isEmpty = Object.keys(body).every((name) => sentIn(body, name) === undefined && !dropsSchedule(body))
  if (isEmpty) throw invalid({ param: 'body', text: violations.blank })
  // A value that is not a flag is reported by `recurring_init` itself.
  const startsChain = booleanOf(sentIn(body, 'recurring_init')) ?? request.recurringInit
  const reading: UpdateReading = { tree: body, format: jsonFormat, request, startsChain, crypto }
  return soundValue(readParams(updateParams, body, reading))
}

/** Null has a meaning only for this member: it removes the schedule. */
const dropsSchedule = (body: ValueTree): boolean => Object.hasOwn(body, 'schedule_id') && body['schedule_id'] === null

function changedRequest(request: SessionRequest, input: Input, body: ValueTree): SessionRequest {
  const recurringInit = input.recurring_init ?? request.recurringInit
  return {
    ...request,
    order: {
      ...request.order,
      amount: input.order_amount ?? request.order.amount,
      currency: input.order_currency ?? request.order.currency,
    },
    recurringInit,
    schedule: recurringInit && !dropsSchedule(body) ? scheduleOf(request, input) : null,
    saveCard: (input.req_token ?? request.saveCard) && request.cardTokens.length === 0,
    parameters: input.parameters === undefined ? request.parameters : input.parameters,
    customData: input.custom_data === undefined ? request.customData : input.custom_data,
  }
}

function scheduleOf({ schedule }: SessionRequest, { schedule_id: id }: Input): SessionRequest['schedule'] {
  if (id === undefined) return schedule
  return { startDate: null, amount: null, firstDate: null, ...schedule, id }
}

/** Refuses members that are valid alone but contradict each other. */
function refuseUnsound(request: SessionRequest, { schedule_id }: Input, crypto: Exponents): void {
  const { order, recurringInit, schedule } = request
  const isZero = order.amount !== null && amountSign(order.amount) === 'zero'
  const faults: Violation[] = []
  if (isZero && (!recurringInit || (schedule && schedule.amount === null))) {
    faults.push(...['order_amount', 'amount'].map((param) => ({ param, text: violations.notPositive })))
  }
  const amount = order.amount === null ? null : parseAmount(order.amount, order.currency, crypto)
  if (amount === 'too-precise') faults.push({ param: 'order_currency', text: violations.notValid })
  if (schedule_id !== undefined && !recurringInit) faults.push({ param: 'schedule_id', text: violations.notValid })
  if (faults.length > 0) throw invalid(...faults)
}

async function checkSchedule(
  { operations }: HostedPageParts,
  { session, merchant }: SessionContext,
  { schedule_id: id }: Input,
): Promise<void> {
  if (id === undefined) return
  const schedule = await operations.schedules.find(merchant.id, id, session.mode)
  if (!schedule) throw new RefusedError(errors.scheduleNotFound)
  refusePaused(schedule)
}

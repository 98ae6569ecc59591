/** The schema that every routing rule passes, whether it comes from the panel, a file or the command line. Chapter 50 §4. */

import { z } from 'zod'
import { fundings } from '#domain/issuer.ts'
import { limits } from '#domain/limits.ts'
import { protocols } from '#domain/merchant.ts'
import { wallets } from '#domain/mid.ts'
import { motoTypes } from '#domain/payment/moto.ts'
import { riskLists } from '#domain/risk/risk-entry.ts'
import { riskLimits } from '#domain/risk/risk-limits.ts'
import { velocitySubjects } from '#domain/risk/velocity.ts'
import { assurances } from '#domain/routing/assurance.ts'
import { type ListedKind, listedConditions, type Rule } from '#domain/routing/rule.ts'
import { isZone } from '#domain/schedule/day.ts'

const { listed: longestList } = limits.routing

const text = (longest: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(longest, `Enter at most ${longest} characters.`)
const midName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Enter the name of a MID.')
const mids = z.array(midName).min(1, 'Enter at least one MID.').max(longestList).readonly()
const methods = z.array(text(limits.length.method)).min(1, 'Enter at least one method.').max(longestList).readonly()
const not = z.boolean().default(false)
const number = z.number('Enter a number.')
const percent = number.min(0, 'Enter a number from 0 to 100.').max(100, 'Enter a number from 0 to 100.')
const wholeNumber = (low: number, high: number) => {
  const words = `Enter a whole number from ${low} to ${high}.`
  return z.int(words).min(low, words).max(high, words)
}
const windowMinutes = wholeNumber(1, limits.midHealth.windowMinutes)
const zone = z.string().refine(isZone, 'Enter a time zone such as Europe/Paris.')
const timeOfDay = z.string().regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'Enter a time such as 09:30.')
const minorUnits = z.string().regex(/^[0-9]{1,38}$/, 'Enter a whole number of minor units.')

const country = /^[A-Z]{2}$/
const currency = /^[A-Z0-9]{3,10}$/
const oneOf = (...values: readonly string[]): RegExp => new RegExp(`^(?:${values.join('|')})$`)

// biome-ignore format: a table is read in columns.
const valuesOf: Readonly<Record<ListedKind, RegExp>> = {
  'currency':         currency,
  'payer-country':    country,
  'issuer-country':   country,
  'network':          /^[a-z0-9_-]{1,36}$/,
  'funding':          oneOf(...fundings),
  'brand':            /^[\w.-]{1,64}$/,
  'wallet':           oneOf(...wallets),
  'pan-type':         oneOf('DPAN', 'FPAN'),
  'wallet-assurance': oneOf(...assurances),
  'payment-mode':     oneOf('SMS', 'DMS'),
  'protocol':         oneOf(...protocols),
  'initiator':        oneOf('cardholder', 'merchant'),
  'recurring':        oneOf('init', 'charge'),
  'moto-type':        oneOf(...motoTypes),
  'channel':          /^.{1,16}$/u,
}

const isListedKind = (name: string): name is ListedKind => Object.hasOwn(listedConditions, name)

const listCondition = z
  .strictObject({
    kind: z.enum(Object.keys(listedConditions).filter(isListedKind)),
    not,
    values: z.array(z.string()).max(longestList).readonly(),
  })
  .superRefine(({ kind, values }, context) => {
    for (const [index, value] of values.entries())
      if (!valuesOf[kind].test(value))
        context.addIssue({ code: 'custom', path: ['values', index], message: `Must be ${listedConditions[kind][1]}.` })
  })

const amountBound = minorUnits.nullable().default(null)

const amount = z
  .strictObject({
    kind: z.literal('amount'),
    not,
    currency: z.string().regex(currency, 'Enter a currency such as EUR.'),
    fromMinor: amountBound,
    toMinor: amountBound,
  })
  .refine(({ fromMinor, toMinor }) => fromMinor !== null || toMinor !== null, 'Enter at least one limit.')
  .refine(
    ({ fromMinor, toMinor }) => fromMinor === null || toMinor === null || BigInt(fromMinor) <= BigInt(toMinor),
    'The lower limit must not exceed the upper limit.',
  )

const digits = z.string().regex(/^[0-9]{6,8}$/, 'Enter six to eight digits.')

const bin = z.strictObject({
  kind: z.literal('bin'),
  not,
  ranges: z
    .array(
      z
        .strictObject({ from: digits, to: digits })
        .refine(
          ({ from, to }) => from.length === to.length && from <= to,
          'Both ends must have the same number of digits, the lower one first.',
        ),
    )
    .min(1)
    .max(longestList)
    .readonly(),
})

const rateBound = percent.nullable().default(null)

const approvalRate = z
  .strictObject({
    kind: z.literal('mid-approval-rate'),
    not,
    mid: midName,
    windowMinutes,
    fromPercent: rateBound,
    belowPercent: rateBound,
    minimumAnswers: wholeNumber(1, 1_000_000).default(20),
  })
  .refine(({ fromPercent, belowPercent }) => fromPercent !== null || belowPercent !== null, 'Enter at least one limit.')

const condition = z.discriminatedUnion('kind', [
  listCondition,
  amount,
  bin,
  z.strictObject({ kind: z.literal('time-of-day'), not, zone, from: timeOfDay, to: timeOfDay }),
  z.strictObject({
    kind: z.literal('weekday'),
    not,
    zone,
    days: z.array(wholeNumber(1, 7)).min(1, 'Select at least one day.').max(7).readonly(),
  }),
  z.strictObject({
    kind: z.literal('custom-data'),
    not,
    key: text(255),
    values: z.array(z.string().max(1024)).max(longestList).readonly(),
  }),
  z.strictObject({ kind: z.literal('share'), not, percent }),
  z.strictObject({
    kind: z.literal('mid-health'),
    not,
    mid: midName,
    states: z
      .array(z.enum(['closed', 'open', 'half-open']))
      .min(1, 'Select at least one state.')
      .max(3)
      .readonly(),
  }),
  approvalRate,
  z.strictObject({
    kind: z.literal('risk-list'),
    not,
    lists: z.array(z.enum(riskLists)).min(1, 'Select at least one list.').max(riskLists.length).readonly(),
  }),
  z
    .strictObject({
      kind: z.literal('velocity'),
      not,
      per: z.enum(velocitySubjects),
      windowMinutes: wholeNumber(1, riskLimits.windowMinutes),
      currency: z.string().regex(currency, 'Enter a currency such as EUR.').nullable().default(null),
      moreThan: z.string().regex(/^[0-9]{1,18}$/, 'Enter a whole number: of payments, or of minor units.'),
    })
    .refine(
      ({ currency: counted, moreThan }) => counted !== null || Number(moreThan) <= riskLimits.countedPayments,
      `Enter at most ${riskLimits.countedPayments} payments.`,
    ),
])

const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('use'), mids, only: z.boolean().default(false) }),
  z.strictObject({
    kind: z.literal('split'),
    shares: z
      .array(
        z.strictObject({
          mid: midName,
          weight: number.positive('Enter a number greater than 0.').max(1_000_000, 'Enter at most 1000000.'),
        }),
      )
      .min(1)
      .max(longestList)
      .readonly(),
  }),
  z.strictObject({
    kind: z.literal('prefer'),
    mids: z.array(midName).max(longestList).readonly().default([]),
    method: z.enum(['thompson', 'epsilon-greedy']).default('thompson'),
    windowMinutes: windowMinutes.default(1440),
    exploration: number
      .gt(0, 'Enter a number greater than 0 and at most 0.5.')
      .max(0.5, 'Enter a number greater than 0 and at most 0.5.')
      .default(0.05),
  }),
  z.strictObject({ kind: z.literal('exclude'), mids }),
  z.strictObject({ kind: z.literal('decline'), reason: text(limits.length.declineReason) }),
  z.strictObject({ kind: z.literal('review'), reason: text(limits.length.declineReason) }),
  z.strictObject({ kind: z.literal('require-3ds') }),
  z.strictObject({ kind: z.literal('skip-3ds') }),
  z.strictObject({ kind: z.literal('show-methods'), methods }),
  z.strictObject({ kind: z.literal('hide-methods'), methods }),
])

export const ruleSchema = z.strictObject({
  name: text(100),
  enabled: z.boolean().default(true),
  conditions: z.array(condition).max(limits.routing.conditions).readonly().default([]),
  action,
  maximumAttempts: wholeNumber(1, limits.cascade.attemptsAtMost).nullable().default(null),
  final: z.boolean().default(false),
}) satisfies z.ZodType<Rule>

export const rulesSchema = z
  .array(ruleSchema)
  .max(limits.routing.rules)
  .readonly()
  .superRefine((rules, context) => {
    for (const [index, { name }] of rules.entries())
      if (rules.findIndex((other) => other.name === name) < index)
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Another rule already has this name.' })
  })

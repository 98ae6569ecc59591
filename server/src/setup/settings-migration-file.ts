/** The file format for settings of earlier releases: JSON with one list per kind, each optional. */

import { z } from 'zod'
import { parseJson } from '#domain/json.ts'
import { payerFieldsByMapping } from '#domain/mapping.ts'
import { protocols } from '#domain/merchant.ts'
import { readValue } from '../contracts/value-faults.ts'

const name = z.string().trim().min(1).max(100)
const unit = z.enum(['day', 'week', 'month', 'year'])
const interval = z.number().int().min(1).max(999)
const dayOfMonth = z.number().int().min(1).max(31)

const mid = z
  .strictObject({ name, payment_mode: z.enum(['SMS', 'DMS', 'SMS/DMS']).nullable().default(null) })
  .transform(({ name: of, payment_mode }) => ({ name: of, paymentMode: payment_mode }))

const mapping = z
  .strictObject({
    merchant: name,
    protocol: z.enum(protocols),
    required_payer_fields: z.array(z.enum(payerFieldsByMapping)).default([]),
  })
  .transform(({ required_payer_fields, ...rest }) => ({ ...rest, requiredPayerFields: required_payer_fields }))

const schedule = z
  .strictObject({
    merchant: name,
    id: z.uuid(),
    name,
    interval_length: interval,
    interval_unit: unit,
    day_of_month: dayOfMonth.nullable().default(null),
    payments_count: z.number().int().min(1).max(9999),
    delays: z.number().int().min(0).max(999).nullable().default(null),
    paused: z.boolean().default(false),
  })
  .transform((schedule) => ({
    merchant: schedule.merchant,
    id: schedule.id,
    name: schedule.name,
    intervalLength: schedule.interval_length,
    intervalUnit: schedule.interval_unit,
    dayOfMonth: schedule.day_of_month,
    paymentsCount: schedule.payments_count,
    delays: schedule.delays,
    paused: schedule.paused,
    // Earlier releases supported only a first payment after one interval, or `delays` intervals later.
    delayedFirstPayment: 'none' as const,
    firstPaymentIntervalLength: null,
    firstPaymentIntervalUnit: null,
    firstPaymentDayOfWeek: null,
    firstPaymentDayOfMonth: null,
  }))

/** Rules are reported, not imported. An empty list of modes means both. */
const rule = z
  .object({ name, payment_modes: z.array(z.enum(['SMS', 'DMS'])).default([]) })
  .transform(({ name: of, payment_modes }) => ({ name: of, paymentModes: [...new Set(payment_modes)] }))

const schema = z
  .strictObject({
    mids: z.array(mid).default([]),
    protocol_mappings: z.array(mapping).default([]),
    schedules: z.array(schedule).default([]),
    routing_rules: z.array(rule).default([]),
  })
  .transform(({ mids, protocol_mappings, schedules, routing_rules }) => ({
    mids,
    protocolMappings: protocol_mappings,
    schedules,
    routingRules: routing_rules,
  }))

export type FormerSettings = z.output<typeof schema>

export const noFormerSettings: FormerSettings = { mids: [], protocolMappings: [], schedules: [], routingRules: [] }

type FormerSettingsReading =
  | { readonly ok: true; readonly settings: FormerSettings }
  | { readonly ok: false; readonly faults: readonly string[] }

export function readFormerSettings(text: string): FormerSettingsReading {
  const reading = readValue(schema, parseJson(text) ?? null)
  if (reading.ok) return { ok: true, settings: reading.value }
  return { ok: false, faults: reading.faults.map((fault) => `${fault.path || 'The file'}: ${fault.text}`) }
}

/**
 * A dialect: how a host writes ISO 8583, as a JSON file.
 *
 * It says how bytes are made of fields, which message each operation is, what stands in its fields, and what the host's response codes mean.
 * An operator may enter a dialect of his own, so it is checked whole before a MID uses it.
 */
import { z } from 'zod'
import { declineClasses } from '#domain/payment/payment.ts'
import { dialectFaults } from './dialect-faults.ts'

const fieldSchema = z.strictObject({
  type: z.enum(['n', 'an', 'ans', 'b']),
  length: z.int().min(1).max(9999),
  prefix: z.int().min(1).max(4).optional(),
  encoding: z.enum(['ascii', 'bcd', 'binary', 'hex']).optional(),
})

/** By field number: a text with names of values, or elements by their tags. */
const fieldsSchema = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))

const mti = z.string().regex(/^[0-9]{4}$/, { error: 'A type has four digits, such as 0200.' })
const messageSchema = z.strictObject({
  mti,
  /** The type that repeats an advice that was not answered. A message without it is a request, which is reversed in place of repeated. */
  repeat: mti.optional(),
  /** Names of `groups`, whose fields it has as well. */
  with: z.array(z.string()).optional(),
  fields: fieldsSchema.optional(),
})

const codeSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('approved') }),
  z.strictObject({ outcome: z.literal('declined'), class: z.enum(declineClasses), reason: z.string().min(1) }),
  /** The host refused before it executed anything. */
  z.strictObject({ outcome: z.literal('not-executed'), reason: z.string().min(1) }),
  z.strictObject({ outcome: z.literal('unknown'), reason: z.string().min(1) }),
])

/** `48` or, for an element of a field, `48.63`. */
const place = z
  .string()
  .regex(/^[0-9]{1,3}(?:\.[A-Za-z0-9]+)?$/, { error: 'Name a field, such as 48, or an element of it, such as 48.63.' })

const bySituation = z.strictObject({
  ecommerce: z.string(),
  moto: z.string(),
  storedCard: z.string(),
  merchantInitiated: z.string(),
  deviceWallet: z.string(),
})

export const dialectSchema = z
  .strictObject({
    name: z.string().min(1),
    framing: z.strictObject({
      lengthBytes: z.union([z.literal(2), z.literal(4)]),
      lengthFormat: z.enum(['binary', 'ascii', 'bcd']),
      countsItself: z.boolean(),
    }),
    header: z.string().regex(/^(?:[0-9A-Fa-f]{2})*$/, { error: 'Enter bytes in hexadecimal, two digits each.' }),
    mti: z.enum(['ascii', 'bcd']),
    bitmap: z.enum(['hex', 'binary']),
    encodings: z.strictObject({
      n: z.enum(['ascii', 'bcd']),
      b: z.enum(['binary', 'hex']),
      prefix: z.enum(['ascii', 'bcd', 'binary']),
    }),
    fields: z.record(z.string(), fieldSchema),
    subfields: z.record(z.string(), z.strictObject({ tag: z.int().min(1).max(8), length: z.int().min(1).max(4) })),
    /** Decimals by currency, where the host's differ from ISO 4217. */
    decimals: z.record(z.string().regex(/^[A-Z]{3}$/), z.int().min(0).max(4)),
    groups: z.record(z.string(), fieldsSchema),
    messages: z.strictObject({
      sale: messageSchema,
      authorize: messageSchema,
      verify: messageSchema,
      capture: messageSchema,
      refund: messageSchema,
      reverse: messageSchema,
      void: messageSchema,
      /** The reversal of a request that was not answered. */
      undo: messageSchema,
      signOn: messageSchema.optional(),
      echo: messageSchema.optional(),
    }),
    posEntry: bySituation,
    posCondition: bySituation.optional(),
    credentialUse: z.strictObject({
      initial: z.string(),
      cardholder: z.string(),
      recurring: z.string(),
      unscheduled: z.string(),
    }),
    /** Fields that the host repeats in its answer, by which it is matched to the request. */
    matchBy: z.array(z.int().min(2).max(128)).min(1),
    answer: z.strictObject({
      code: z.int(),
      amount: z.int(),
      approvalCode: place.optional(),
      rrn: place.optional(),
      networkTransactionId: place.optional(),
      avsResult: place.optional(),
      cvvResult: place.optional(),
    }),
    codes: z.record(z.string().min(1), codeSchema),
    /** Codes by which the host acknowledges a reversal: the request has no effect, whether it arrived or not. */
    reversed: z.array(z.string().min(1)).min(1),
    /** Codes by which it accepts a sign-on or an echo. */
    signedOn: z.array(z.string().min(1)).min(1),
  })
  .superRefine((dialect, context) => {
    for (const fault of dialectFaults(dialect)) context.addIssue({ code: 'custom', message: fault })
  })

export type Dialect = z.infer<typeof dialectSchema>
export type DialectMessage = z.infer<typeof messageSchema>
export type FieldTemplates = z.infer<typeof fieldsSchema>

/** The fields of wallet settings, shown and entered, for merchants and for the operator's own record. Chapter 40 §3. */
import { z } from 'zod'
import type { KeyEntry } from '../../../panel/setup/wallets.ts'
import { anything, hasMember, id, instant } from './values.ts'

const shownKey = z.object({
  id,
  role: z.enum(['processing', 'identity']),
  state: z.enum(['next', 'current', 'retiring', 'retired']),
  type: z.string(),
  spki: z.string(),
  fingerprint: z.string(),
  publicKeyHash: z.string(),
  request: z.string().nullable(),
  certificate: z.string().nullable(),
  certificateUntil: instant.nullable(),
  until: instant.nullable(),
  addedAt: instant,
  promotedAt: instant.nullable(),
  retiredAt: instant.nullable(),
})

const shownDomain = z.object({
  domain: z.string(),
  purpose: z.string(),
  controlledBy: z.string(),
  state: z.string(),
  fileSha256: z.string().nullable(),
  lastCheck: instant.nullable(),
  lastFault: z.string().nullable(),
  verifiedSince: instant.nullable(),
  verifiedAtMaker: instant.nullable(),
  addedAt: instant,
})

export const shownTask = z.object({
  name: z.string(),
  title: z.string(),
  state: z.string(),
  missing: z.array(z.string()).readonly(),
})

export const shownWallet = z.object({
  view: z
    .object({
      state: z.string(),
      reasons: z.array(z.string()).readonly(),
      settings: z.object({
        setup: z.enum(['platform', 'own_account']),
        enabled: z.boolean(),
        trustSource: z.string(),
        fields: anything,
        version: z.number(),
        updatedAt: instant,
      }),
      keys: z.array(shownKey).readonly(),
      domains: z.array(shownDomain).readonly(),
    })
    .nullable(),
  tasks: z.array(shownTask).readonly(),
  history: z.array(z.object({ at: instant, byUser: z.string(), what: z.string(), details: anything })).readonly(),
  /** The instance's time, from which remaining days are counted. */
  now: instant,
})

export const text = z.string().max(20_000)
const words = z.array(z.string().max(64)).max(50)

export const keyTexts = {
  certificate: text,
  privateKey: text,
  processingPrivateKey: text,
  processingCertificate: text,
}

/** Null clears a field; an absent field is unchanged. The wallet's own rules decide which fields it takes. */
export const entryFields = {
  version: z.number().int(),
  setup: z.enum(['platform', 'own_account']),
  enabled: z.boolean(),
  trustSource: z.enum(['wallet maker', 'sandbox authority']),
  merchantIdentifier: text.nullable(),
  country: text.nullable(),
  shopName: text.nullable(),
  merchantCapabilities: words.nullable(),
  supportedNetworks: words.nullable(),
  environment: z.enum(['PRODUCTION', 'TEST']).nullable(),
  gateway: text.nullable(),
  gatewayMerchantId: text.nullable(),
  authMethods: z.array(z.enum(['PAN_ONLY', 'CRYPTOGRAM_3DS'])).nullable(),
  billingAddress: z.boolean().nullable(),
  phone: z.boolean().nullable(),
  ...keyTexts,
}

export const examination = z.object({
  faults: z.array(z.object({ field: z.string(), text: z.string() })).readonly(),
  notes: z.array(z.string()).readonly(),
  keys: z
    .array(z.object({ role: z.string(), fingerprint: z.string(), certificateUntil: instant.nullable() }))
    .readonly(),
})

const role = z.enum(['processing', 'identity'])
export const keyBody = z.union([
  z.strictObject({ role, make: z.enum(['EC', 'RSA']) }),
  z.strictObject({ role, privateKey: text, certificate: text.optional() }),
  z.strictObject({ role, certificate: text }),
])

export function keyEntryOf(body: z.output<typeof keyBody>): KeyEntry {
  if (hasMember(body, 'make')) return { kind: 'generate', type: body.make }
  if (hasMember(body, 'privateKey')) return { kind: 'key', privateKey: body.privateKey, certificate: body.certificate }
  return { kind: 'certificate', certificate: body.certificate }
}

export const savedKey = z.object({ key: shownKey, notes: z.array(z.string()).readonly() })
export const promotion = z.strictObject({ retireAfterHours: z.number().min(1).max(1440).optional() })

export const millisecondsOf = (hours: number | undefined): number | undefined =>
  hours === undefined ? undefined : hours * 3_600_000

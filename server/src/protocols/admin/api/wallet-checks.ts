/** The result of every check of a wallet token. Chapter 40 §15. */
import { z } from 'zod'

export const checkRecord = z.object({
  wallet: z.string(),
  version: z.string().nullable(),
  flow: z.string(),
  flowReason: z.string(),
  trust: z.object({
    rootFingerprint: z.string().nullable(),
    source: z.string(),
    environment: z.string().nullable(),
  }),
  checks: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        result: z.enum(['passed', 'failed', 'not applicable', 'not reached']),
        detail: z.string().nullable(),
      }),
    )
    .readonly(),
  panType: z.string().nullable(),
  numberKind: z.string().nullable(),
  network: z.string().nullable(),
})

export const shownWalletFacts = z.object({
  name: z.string(),
  sentAs: z.string(),
  flow: z.string(),
  panType: z.string().nullable(),
  numberKind: z.string().nullable(),
  displayName: z.string().nullable(),
  networkLabel: z.string().nullable(),
  deviceId: z.string().nullable(),
  eci: z.string().nullable(),
  dataType: z.string().optional(),
  assurance: z.object({ cardHolderAuthenticated: z.boolean(), accountVerified: z.boolean() }).optional(),
  checks: checkRecord,
})

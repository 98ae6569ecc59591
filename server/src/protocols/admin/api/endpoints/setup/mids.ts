/** MIDs and connectors. */
import { z } from 'zod'
import { pagePayerFields } from '#domain/checkout/payer-fields.ts'
import { midActions, wallets } from '#domain/mid.ts'
import { isZone } from '#domain/schedule/day.ts'
import { findCredentialsFault } from '../../../../../panel/setup/credentials-fault.ts'
import { checkMid } from '../../../../../panel/setup/mid-check.ts'
import * as mids from '../../../../../panel/setup/mids.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, id, limitInput, shownLimit, textInput } from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const texts = z.array(z.string()).readonly()

const shownMid = z.object({
  id,
  name: z.string(),
  connector: z.string(),
  mode: z.enum(['live', 'test']),
  enabled: z.boolean(),
  paymentMode: z.enum(['SMS', 'DMS', 'SMS/DMS']),
  currencies: texts,
  networks: texts,
  brands: texts,
  cards: z.boolean(),
  actions: texts,
  wallets: texts,
  payerFields: texts,
  motoEnabled: z.boolean(),
  cardOnFileEnabled: z.boolean(),
  zeroAmount: z.boolean(),
  cardFlow: z.boolean(),
  acceptsDecrypted: z.boolean(),
  overrideLinkTarget: z.string().nullable(),
  descriptor: z.string(),
  dayLimit: shownLimit,
  monthLimit: shownLimit,
  cutOff: z.string(),
  timeZone: z.string(),
  autoCaptureHours: z.number().nullable(),
})

/** One MID also has the address that its acquirer's dashboard needs, and why its stored credentials cannot be used. */
const shownMidPage = shownMid.extend({
  notificationUrl: z.string().nullable(),
  credentialsFault: z.object({ field: z.string().nullable(), text: z.string() }).nullable(),
})

const codes = z.array(z.string().trim().min(1).max(64)).max(500)

const settings = {
  enabled: z.boolean(),
  paymentMode: z.enum(['SMS', 'DMS', 'SMS/DMS']),
  currencies: codes,
  networks: codes,
  brands: codes,
  cards: z.boolean(),
  actions: z.array(z.enum(midActions)),
  wallets: z.array(z.enum(wallets)),
  payerFields: z.array(z.enum(pagePayerFields)),
  motoEnabled: z.boolean(),
  cardOnFileEnabled: z.boolean(),
  zeroAmount: z.boolean(),
  cardFlow: z.boolean(),
  acceptsDecrypted: z.boolean(),
  overrideLinkTarget: z.enum(['_blank', '_self', '_parent', '_top']).nullable(),
  descriptor: z.string().max(100),
  dayLimit: limitInput,
  monthLimit: limitInput,
  cutOff: z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Enter a time of day such as 23:30.'),
  timeZone: z.string().refine(isZone, 'Enter a time zone such as Europe/Paris.'),
  autoCaptureHours: z.number().int().min(1).max(8760).nullable(),
}

/** Validated by the connector's own schema. */
const credentials = z.record(z.string(), z.unknown())

export const midEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/connectors',
    summary: 'Lists connectors with their capabilities and the schema of their credentials.',
    access: 'mids.read',
    output: z.object({
      connectors: z
        .array(
          z.object({
            id: z.string(),
            title: z.string(),
            family: z.string().nullable(),
            unavailableBecause: z.string().nullable(),
            actions: texts,
            followUps: texts,
            supports: anything,
            capabilities: z.array(z.object({ id: z.string(), title: z.string(), isOffered: z.boolean() })).readonly(),
            recovery: z.object({ way: z.string(), title: z.string() }),
            credentials: anything,
          }),
        )
        .readonly(),
    }),
    run: (_, { context }) => ({ connectors: mids.listConnectors(context) }),
  }),
  queryEndpoint({
    path: '/mids',
    summary: 'Lists MIDs.',
    access: 'mids.read',
    output: z.object({ mids: z.array(shownMid).readonly() }),
    run: async (_, { context }) => ({ mids: await mids.listMids(context) }),
  }),
  queryEndpoint({
    path: '/mids/:midId',
    summary: 'Returns a MID.',
    access: 'mids.read',
    output: shownMidPage,
    run: async ({ params: { midId } }, { context }) => {
      const mid = await mids.requireMid(context, midId)
      const credentialsFault = await findCredentialsFault(context, mid)
      return { ...mid, notificationUrl: mids.notificationUrl(context, mid), credentialsFault }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/mids',
    summary: 'Creates a MID.',
    access: 'mids.write',
    body: z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use up to 63 lowercase letters, digits and hyphens.'),
      connector: textInput(64),
      mode: z.enum(['live', 'test']),
      credentials,
      settings: z.strictObject(settings).partial().transform(withoutUndefined).default({}),
    }),
    output: shownMid,
    run: async ({ body: { name, connector, mode, credentials: secrets, settings: chosen } }, { context }) => {
      const mid = await mids.enterMid(context, { ...chosen, name, connector, mode }, secrets)
      return { answer: mid, audit: { ...mids.midAudit('mid.create', mid.id), after: mid } }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: '/mids/:midId',
    summary: 'Changes a MID, or replaces its credentials.',
    access: 'mids.write',
    body: z
      .strictObject({ ...settings, credentials })
      .partial()
      .transform(withoutUndefined),
    output: shownMid,
    run: async ({ params: { midId }, body: { credentials: secrets, ...change } }, { context }) => {
      const { mid, audit } = await mids.changeMid(context, midId, change, secrets)
      return { answer: mid, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/mids/:midId/check',
    summary:
      'Asks the acquirer whether the credentials of a MID are right, and says which value is wrong. Moves no money.',
    access: 'mids.write',
    body: z.strictObject({}),
    output: z.object({
      kind: z.enum(['accepted', 'refused', 'no-answer', 'not-offered']),
      field: z.string().nullable(),
      text: z.string(),
    }),
    run: async ({ params: { midId } }, { context }) => {
      const { shown, audit } = await checkMid(context, midId)
      return { answer: shown, audit }
    },
  }),
]

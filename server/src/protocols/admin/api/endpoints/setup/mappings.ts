/** Merchant mappings, and protocol mappings with every option of chapter 50 §2. */
import { z } from 'zod'
import { mappingOptions } from '#domain/mapping.ts'
import { type Protocol, protocols } from '#domain/merchant.ts'
import { places, reportFields } from '#domain/report-fields.ts'
import * as mids from '../../../../../panel/setup/mids.ts'
import { optionsInput, shownOptions } from '../../documented.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, doneAnswer, doneOutput, emptyBody, id, limitInput, shownLimit } from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const shownMapping = z.object({
  id,
  merchantId: id,
  midId: id,
  channel: z.string().nullable(),
  priority: z.number(),
  weight: z.number(),
  dayLimit: shownLimit,
  weekLimit: shownLimit,
  enabled: z.boolean(),
})

const settings = {
  channel: z.string().trim().min(1).max(16).nullable(),
  priority: z.number().int().min(0).max(1_000_000),
  weight: z.number().int().min(1).max(1_000_000),
  dayLimit: limitInput,
  weekLimit: limitInput,
  enabled: z.boolean(),
}

const storedMapping = { enabled: z.boolean(), options: optionsInput }

const shownProtocolMapping = z.object({
  protocol: z.enum(protocols),
  enabled: z.boolean(),
  /** The options that differ from the defaults. */
  chosen: shownOptions,
  /** All options with their effective values. */
  options: shownOptions,
})

function mappingAnswer({ mapping, chosen }: mids.ShownProtocolMapping): z.input<typeof shownProtocolMapping> {
  const { merchantId: _, protocol, enabled, ...options } = mapping
  return { protocol, enabled, chosen, options }
}

export const mappingEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/merchants/:merchantId/mappings',
    summary: 'Lists the merchant’s MIDs in their order.',
    access: 'mappings.read',
    output: z.object({ mappings: z.array(shownMapping).readonly() }),
    run: async ({ params: { merchantId } }, { context }) => ({
      mappings: await mids.listMappings(context, merchantId),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/mappings',
    summary: 'Links a MID to the merchant.',
    access: 'mappings.write',
    body: z
      .strictObject({ midId: z.uuid(), ...settings })
      .partial()
      .required({ midId: true })
      .transform((sent) => ({ ...withoutUndefined(sent), midId: sent.midId })),
    output: shownMapping,
    run: async ({ params: { merchantId }, body }, { context, grant }) => {
      await mids.requireReachedMid(context, grant, body.midId)
      const { mapping, audit } = await mids.addMapping(context, { ...body, merchantId })
      return { answer: mapping, audit }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: '/merchants/:merchantId/mappings/:mappingId',
    summary: 'Changes the link between a merchant and a MID.',
    access: 'mappings.write',
    body: z.strictObject(settings).partial().transform(withoutUndefined),
    output: shownMapping,
    run: async ({ params: { merchantId, mappingId }, body }, { context }) => {
      const { mapping, audit } = await mids.changeMapping(context, merchantId, mappingId, body)
      return { answer: mapping, audit }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/merchants/:merchantId/mappings/:mappingId',
    summary: 'Unlinks a MID from the merchant.',
    access: 'mappings.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { merchantId, mappingId } }, { context }) => ({
      answer: doneAnswer,
      audit: await mids.removeMapping(context, merchantId, mappingId),
    }),
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/protocol-mappings',
    summary: 'Returns the merchant’s options for each protocol.',
    access: 'mappings.read',
    output: z.object({ mappings: z.array(shownProtocolMapping) }),
    run: async ({ params: { merchantId } }, { context }) => ({
      mappings: (await mids.listProtocolMappings(context, merchantId)).map(mappingAnswer),
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/merchants/:merchantId/protocol-mappings/:protocol',
    summary: 'Saves the merchant’s options for a protocol; an absent option is reset to its default.',
    access: 'mappings.write',
    body: z.strictObject({
      ...storedMapping,
      /** The mapping that the user edited, null for none; refused if it has changed since. */
      over: z.strictObject(storedMapping).nullable().optional(),
    }),
    output: shownProtocolMapping,
    run: async ({ params, body: { over, ...kept } }, { context }) => {
      const { merchantId } = params
      // Safe: `path-params.ts` accepts only protocols here.
      const protocol = params.protocol as Protocol
      const saved = await mids.saveProtocolMapping(context, { ...kept, merchantId, protocol }, over)
      return { answer: mappingAnswer(saved.shown), audit: saved.audit }
    },
  }),
  queryEndpoint({
    path: '/mapping-options',
    summary:
      'Lists all options of protocol mappings, and the optional fields of callbacks, status responses and redirects.',
    access: 'mappings.read',
    output: z.object({
      options: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          protocols: z.array(z.string()).readonly(),
          standard: anything,
          allowed: z.string(),
        }),
      ),
      fields: z.array(
        z.object({ name: z.string(), group: z.string(), appearsIn: z.record(z.string(), z.array(z.string())) }),
      ),
    }),
    run: () => ({ options: optionRows(), fields: fieldRows() }),
  }),
]

/** An option's reader describes the allowed values in its error, so an invalid value is read on purpose. */
function optionRows() {
  return Object.entries(mappingOptions).map(([name, { title, protocols: of, standard, read }]) => {
    const reading = read(undefined, of[0] ?? 'CHECKOUT')
    return { name, title, protocols: of, standard, allowed: reading.ok ? '' : reading.allowed }
  })
}

function fieldRows() {
  return reportFields.map(({ name, group, appearsIn }) => ({
    name,
    group,
    appearsIn: Object.fromEntries(
      protocols.map((protocol) => [protocol, places.filter((place) => appearsIn[protocol].includes(place))]),
    ),
  }))
}

/** MIDs, connectors and the mappings that let merchants use them. Chapter 50 §1, §2. */
import { z } from 'zod'
import { type ProtocolMapping, parseMappingOptions } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import { changeCredentials, createMid, linkMerchant, type MidWishes } from '../administration/mids.ts'
import type { Connector } from '../connectors/connector.ts'
import { capabilitiesOf, connectorById, connectors } from '../connectors/registry.ts'
import type { JsonObject } from '../records.ts'
import { merchantMappingStore, midStore } from '../store/mids.ts'
import { protocolMappingStore } from '../store/protocol-mappings.ts'
import { AdminRefused, invalid, notFound } from './admin-refused.ts'
import { type AuditNote, difference } from './audit.ts'
import type { Panel } from './panel.ts'

export async function midsOf({ pool }: Panel): Promise<readonly Mid[]> {
  return (await midStore(pool).list()).map(({ credentialsSealed: _sealed, ...mid }) => mid)
}

export async function midOf(panel: Panel, id: string): Promise<Mid> {
  const mid = (await midsOf(panel)).find((one) => one.id === id)
  if (mid === undefined) throw notFound()
  return mid
}

export async function newMid(panel: Panel, wishes: MidWishes, credentials: unknown): Promise<Mid> {
  if ((await midsOf(panel)).some(({ name }) => name === wishes.name)) throw invalid('name', 'A MID has this name.')
  const connector = connectorById(wishes.connector)
  if (connector === undefined) throw invalid('connector', 'There is no such connector.')
  const mid = await createMid(panel, wishes, readCredentials(connector, credentials))
  await panel.configuration.refresh()
  return mid
}

export type MidChange = Partial<Omit<Mid, 'id' | 'name' | 'connector' | 'side'>>

export async function changeMid(
  panel: Panel,
  id: string,
  change: MidChange,
  credentials: unknown,
): Promise<{ readonly mid: Mid; readonly audit: AuditNote }> {
  const before = await midOf(panel, id)
  const mid = { ...before, ...change }
  const connector = connectorById(mid.connector)
  if (credentials !== undefined && connector !== undefined)
    await changeCredentials(panel, id, readCredentials(connector, credentials))
  await midStore(panel.pool).change(mid)
  await panel.configuration.refresh()
  const changed = difference(before, mid)
  const after = credentials === undefined ? changed.after : { ...changed.after, credentials: 'changed' }
  return { mid, audit: { ...aboutMid('mid.change', id), before: changed.before, after } }
}

export const aboutMid = (action: string, id: string) => ({ action, subject: `mid ${id}`, merchantId: null })

export interface ShownConnector {
  readonly id: string
  readonly title: string
  readonly actions: readonly string[]
  readonly followUps: readonly string[]
  readonly supports: JsonObject
  /** JSON Schema, from which the panel draws the form. */
  readonly credentials: unknown
}

export const connectorsShown = (): readonly ShownConnector[] =>
  connectors.map((connector) => {
    const { actions, followUps } = capabilitiesOf(connector)
    return {
      id: connector.id,
      title: connector.title,
      actions: [...actions],
      followUps: [...followUps],
      supports: { ...connector.supports },
      credentials: z.toJSONSchema(connector.credentials, { io: 'input', unrepresentable: 'any' }),
    }
  })

/** Every fault by its field, in the connector's own words; never with the value, which is a secret. */
function readCredentials(connector: Connector, given: unknown): object {
  const reading = connector.credentials.safeParse(given)
  if (reading.success) return reading.data
  const fields = reading.error.issues.map(({ path, message }) => ({
    field: ['credentials', ...path].join('.'),
    text: message,
  }))
  throw new AdminRefused('invalid', { fields })
}

export async function mappingsOf({ pool }: Panel, merchantId: string): Promise<readonly MerchantMapping[]> {
  return (await merchantMappingStore(pool).list()).filter((mapping) => mapping.merchantId === merchantId)
}

export async function addMapping(
  panel: Panel,
  wishes: Parameters<typeof linkMerchant>[1],
): Promise<{ readonly mapping: MerchantMapping; readonly audit: AuditNote }> {
  if (panel.configuration.mid(wishes.midId) === null) throw invalid('midId', 'There is no such MID.')
  const { channel = null } = wishes
  if ((await mappingsOf(panel, wishes.merchantId)).some((one) => one.midId === wishes.midId && one.channel === channel))
    throw new AdminRefused('conflict', { message: 'The merchant has this MID on this channel already.' })
  const mapping = await linkMerchant(panel, wishes)
  await panel.configuration.refresh()
  return { mapping, audit: { ...aboutMapping('mapping.create', mapping), after: mapping } }
}

export async function changeMapping(
  panel: Panel,
  merchantId: string,
  id: string,
  change: Partial<Omit<MerchantMapping, 'id' | 'merchantId' | 'midId'>>,
): Promise<{ readonly mapping: MerchantMapping; readonly audit: AuditNote }> {
  const before = await mappingOf(panel, merchantId, id)
  const mapping = { ...before, ...change }
  await merchantMappingStore(panel.pool).put(mapping)
  await panel.configuration.refresh()
  return { mapping, audit: { ...aboutMapping('mapping.change', mapping), ...difference(before, mapping) } }
}

export async function removeMapping(panel: Panel, merchantId: string, id: string): Promise<AuditNote> {
  const before = await mappingOf(panel, merchantId, id)
  await merchantMappingStore(panel.pool).remove(merchantId, id)
  await panel.configuration.refresh()
  return { ...aboutMapping('mapping.remove', before), before }
}

async function mappingOf(panel: Panel, merchantId: string, id: string): Promise<MerchantMapping> {
  const mapping = (await mappingsOf(panel, merchantId)).find((one) => one.id === id)
  if (mapping === undefined) throw notFound()
  return mapping
}

const aboutMapping = (action: string, { id, merchantId }: MerchantMapping) => ({
  action,
  subject: `mapping ${id}`,
  merchantId,
})

export interface ShownProtocolMapping {
  readonly mapping: ProtocolMapping
  /** What differs from the defaults. */
  readonly chosen: JsonObject
}

export async function protocolMappingsOf({ pool }: Panel, of: string): Promise<readonly ShownProtocolMapping[]> {
  const rows = (await protocolMappingStore(pool).list()).filter(({ merchantId }) => merchantId === of)
  return rows.map((row) => ({ mapping: parseMappingOptions(row).mapping, chosen: row.options }))
}

/** All options at once; what is absent goes back to its default. Every fault is told. */
export async function saveProtocolMapping(
  panel: Panel,
  wish: {
    readonly merchantId: string
    readonly protocol: Protocol
    readonly enabled: boolean
    readonly options: JsonObject
  },
): Promise<{ readonly shown: ShownProtocolMapping; readonly audit: AuditNote }> {
  const { mapping, faults } = parseMappingOptions(wish)
  if (faults.length > 0)
    throw new AdminRefused('invalid', {
      fields: faults.map((text) => ({ field: `options.${text.split(' ')[0] ?? ''}`, text })),
    })
  const before = (await protocolMappingsOf(panel, wish.merchantId)).find(
    (one) => one.mapping.protocol === wish.protocol,
  )
  await protocolMappingStore(panel.pool).put(wish)
  await panel.configuration.refresh()
  const kept = before && { enabled: before.mapping.enabled, options: before.chosen }
  const audit: AuditNote = {
    action: 'protocol-mapping.save',
    subject: `protocol-mapping ${wish.protocol}`,
    merchantId: wish.merchantId,
    before: kept,
    after: { enabled: wish.enabled, options: wish.options },
  }
  return { shown: { mapping, chosen: wish.options }, audit }
}

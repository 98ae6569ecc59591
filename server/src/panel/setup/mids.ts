/** MIDs, connectors and the mappings that let merchants use them. Chapter 50 §1, §2. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type ProtocolMapping, parseMappingOptions } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import type { MerchantMapping, Mid } from '#domain/mid.ts'
import { capabilityTable, recoveryTitles } from '../../connectors/capability-table.ts'
import type { RegisteredConnector } from '../../connectors/connector.ts'
import type { Credentials } from '../../connectors/credentials.ts'
import { allConnectors, capabilitiesOf, connectorById, unavailableBecause } from '../../connectors/registry.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { readValue } from '../../contracts/value-faults.ts'
import { type EnteredMid, type MidTerms, midFault, payoutFault } from '../../live-guard/entry.ts'
import { changeCredentials, createMid, linkMerchant, type MidSettings } from '../../setup/mids.ts'
import { merchantStore } from '../../store/configuration/merchants.ts'
import { merchantMappingStore, midStore } from '../../store/configuration/mids.ts'
import { protocolMappingStore } from '../../store/configuration/protocol-mappings.ts'
import type { Queryable } from '../../store/database/pool.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { type AuditNote, difference } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { requireKnownCurrencies } from './limit-currencies.ts'

type MidContext = Pick<PanelContext, 'vault' | 'clock' | 'ids' | 'instanceMode' | 'privateAcquirers'> & {
  readonly pool: Queryable
}

export async function listMids({ pool }: Pick<MidContext, 'pool'>): Promise<readonly Mid[]> {
  return (await midStore(pool).list()).map(({ credentialsSealed: _sealed, ...mid }) => mid)
}

export async function requireMid(context: Pick<MidContext, 'pool'>, id: string): Promise<Mid> {
  const mid = (await listMids(context)).find((one) => one.id === id)
  if (mid === undefined) throw notFound()
  return mid
}

/** The address to enter in the acquirer's dashboard; null if the connector reads no notifications. */
export const notificationUrl = (
  { publicUrl }: Pick<PanelContext, 'publicUrl'>,
  { name, connector }: Pick<Mid, 'name' | 'connector'>,
): string | null =>
  connectorById(connector)?.operations.has('readNotification')
    ? `${publicUrl()}/acquirers/${encodeURIComponent(name)}/notifications`
    : null

export async function enterMid(context: PanelContext, wishes: MidSettings, credentials: unknown): Promise<Mid> {
  if ((await listMids(context)).some(({ name }) => name === wishes.name))
    throw invalid('name', 'This name is already in use.')
  const connector = connectorById(wishes.connector)
  if (connector === undefined) throw invalid('connector', 'Connector not found.')
  const missing = unavailableBecause(connector, context.dataDir)
  if (missing !== null) throw invalid('connector', missing)
  requireKnownCurrencies(context, wishes)
  const read = readCredentials(connector, credentials)
  const addresses = connector.addresses(read, wishes.mode)
  if (addresses.length === 0) throw invalid('mode', noAddress(wishes.mode))
  refuseUnsafe(context, { ...wishes, enabled: wishes.enabled ?? true, addresses })
  const mid = await createMid(context, wishes, read)
  await context.configuration.refresh()
  return mid
}

const noAddress = (mode: string): string => `This release knows no ${mode} address of the acquirer.`

type MidChange = Partial<Omit<Mid, 'id' | 'name' | 'connector' | 'mode'>>

export async function changeMid(
  context: PanelContext,
  id: string,
  change: MidChange,
  credentials: unknown,
): Promise<{ readonly mid: Mid; readonly audit: AuditNote }> {
  requireKnownCurrencies(context, change)
  const { before, mid } = await inTransaction(context.pool, (pool) =>
    applyMidChange({ ...context, pool }, id, change, credentials),
  )
  await context.configuration.refresh()
  const changed = difference(before, mid)
  const after = credentials === undefined ? changed.after : { ...changed.after, credentials: 'changed' }
  return { mid, audit: { ...midAudit('mid.change', id), before: changed.before, after } }
}

async function applyMidChange(context: MidContext, id: string, change: MidChange, credentials: unknown) {
  await midStore(context.pool).lock(id)
  const before = await requireMid(context, id)
  const mid = { ...before, ...change }
  const connector = connectorById(mid.connector)
  const read = credentials !== undefined && connector !== undefined ? readCredentials(connector, credentials) : null
  refuseUnsafe(context, { ...mid, addresses: read === null ? [] : (connector?.addresses(read, mid.mode) ?? []) })
  if (read !== null) await changeCredentials(context, id, read)
  await midStore(context.pool).change(mid)
  return { before, mid }
}

export const midAudit = (action: string, id: string) => ({ action, subject: `mid ${id}`, merchantId: null })

interface ShownConnector {
  readonly id: string
  readonly title: string
  /** Null for a connector that is part of the program. */
  readonly family: string | null
  /** Why no MID can be created with it here; null if one can. */
  readonly unavailableBecause: string | null
  readonly actions: readonly string[]
  readonly followUps: readonly string[]
  readonly supports: JsonObject
  readonly capabilities: readonly { readonly id: string; readonly title: string; readonly isOffered: boolean }[]
  readonly recovery: { readonly way: string; readonly title: string }
  /** JSON Schema from which the panel builds the form. */
  readonly credentials: unknown
}

export const listConnectors = ({ dataDir }: Pick<PanelContext, 'dataDir'>): readonly ShownConnector[] =>
  allConnectors.map((connector) => {
    const { actions, followUps } = capabilitiesOf(connector)
    return {
      id: connector.id,
      title: connector.title,
      family: connector.family,
      unavailableBecause: unavailableBecause(connector, dataDir),
      actions: [...actions],
      followUps: [...followUps],
      supports: { ...connector.supports },
      capabilities: capabilityTable(connector),
      recovery: { way: connector.recoveryWay, title: recoveryTitles[connector.recoveryWay] },
      credentials: z.toJSONSchema(connector.credentials, { io: 'input', unrepresentable: 'any' }),
    }
  })

function refuseUnsafe(terms: MidTerms, entered: EnteredMid): void {
  const fault = midFault(terms, entered)
  if (fault !== null) throw invalid(fault.field, fault.text)
}

/** Every fault by its field, in the connector's wording; never with the value, which is secret. */
function readCredentials(connector: RegisteredConnector, value: unknown): Credentials {
  const reading = readValue(connector.credentials, value)
  if (reading.ok) return reading.value
  const fields = reading.faults.map(({ path, text }) => ({
    field: path === '' ? 'credentials' : `credentials.${path}`,
    text,
  }))
  throw new AdminRefused('invalid', { fields })
}

export async function listMappings(
  { pool }: Pick<MidContext, 'pool'>,
  merchantId: string,
): Promise<readonly MerchantMapping[]> {
  return (await merchantMappingStore(pool).list()).filter((mapping) => mapping.merchantId === merchantId)
}

/**
 * A MID is an account that receives money. A user restricted to some merchants may use only MIDs that these already use; any other is
 * answered like one that does not exist.
 */
export async function requireReachedMid({ pool }: PanelContext, grant: Grant, midId: string): Promise<void> {
  if (grant.merchants === 'all') return
  const mappings = await merchantMappingStore(pool).list()
  if (!mappings.some((one) => one.midId === midId && reaches(grant, one.merchantId))) throw unknownMid()
}

const unknownMid = (): AdminRefused => invalid('midId', 'MID not found.')

export async function addMapping(
  context: PanelContext,
  wishes: Parameters<typeof linkMerchant>[1],
): Promise<{ readonly mapping: MerchantMapping; readonly audit: AuditNote }> {
  if (context.configuration.mid(wishes.midId) === null) throw unknownMid()
  requireKnownCurrencies(context, wishes)
  const { channel = null } = wishes
  if (
    (await listMappings(context, wishes.merchantId)).some(
      (one) => one.midId === wishes.midId && one.channel === channel,
    )
  )
    throw new AdminRefused('conflict', { message: 'This MID is already mapped to this channel.' })
  const mapping = await linkMerchant(context, wishes)
  await context.configuration.refresh()
  return { mapping, audit: { ...mappingAudit('mapping.create', mapping), after: mapping } }
}

export async function changeMapping(
  context: PanelContext,
  merchantId: string,
  id: string,
  change: Partial<Omit<MerchantMapping, 'id' | 'merchantId' | 'midId'>>,
): Promise<{ readonly mapping: MerchantMapping; readonly audit: AuditNote }> {
  requireKnownCurrencies(context, change)
  const { before, mapping } = await inTransaction(context.pool, async (pool) => {
    await merchantStore(pool).lock(merchantId)
    const found = await requireMapping({ pool }, merchantId, id)
    const changed = { ...found, ...change }
    await merchantMappingStore(pool).put(changed)
    return { before: found, mapping: changed }
  })
  await context.configuration.refresh()
  return { mapping, audit: { ...mappingAudit('mapping.change', mapping), ...difference(before, mapping) } }
}

export async function removeMapping(context: PanelContext, merchantId: string, id: string): Promise<AuditNote> {
  const before = await inTransaction(context.pool, async (pool) => {
    await merchantStore(pool).lock(merchantId)
    const found = await requireMapping({ pool }, merchantId, id)
    await merchantMappingStore(pool).remove(merchantId, id)
    return found
  })
  await context.configuration.refresh()
  return { ...mappingAudit('mapping.remove', before), before }
}

async function requireMapping(
  context: Pick<MidContext, 'pool'>,
  merchantId: string,
  id: string,
): Promise<MerchantMapping> {
  const mapping = (await listMappings(context, merchantId)).find((one) => one.id === id)
  if (mapping === undefined) throw notFound()
  return mapping
}

export const mappingAudit = (action: string, { id, merchantId }: MerchantMapping) => ({
  action,
  subject: `mapping ${id}`,
  merchantId,
})

export interface ShownProtocolMapping {
  readonly mapping: ProtocolMapping
  /** The options that differ from the defaults. */
  readonly chosen: JsonObject
}

export async function listProtocolMappings(
  { pool }: Pick<MidContext, 'pool'>,
  of: string,
): Promise<readonly ShownProtocolMapping[]> {
  const rows = (await protocolMappingStore(pool).list()).filter(({ merchantId }) => merchantId === of)
  return rows.map((row) => ({ mapping: parseMappingOptions(row).mapping, chosen: row.options }))
}

/**
 * Saves all options at once; absent ones return to their default. Every fault is reported. `over` is the version that the user saw, null
 * for none: a later change by another user must not be overwritten unseen.
 */
export async function saveProtocolMapping(
  context: PanelContext,
  wish: MappingSettings & MappingKey,
  over?: MappingSettings | null,
): Promise<{ readonly shown: ShownProtocolMapping; readonly audit: AuditNote }> {
  const { mapping, faults } = parseMappingOptions(wish)
  if (faults.length > 0)
    throw new AdminRefused('invalid', {
      fields: faults.map((text) => ({ field: `options.${text.split(' ')[0] ?? ''}`, text })),
    })
  const before = await inTransaction(context.pool, async (pool) => {
    await merchantStore(pool).lock(wish.merchantId)
    const there = (await listProtocolMappings({ pool }, wish.merchantId)).find(
      (one) => one.mapping.protocol === wish.protocol,
    )
    const settings = there && { enabled: there.mapping.enabled, options: there.chosen }
    const merchant = context.configuration.merchant(wish.merchantId) ?? { allowedIps: [] }
    const fault = payoutFault(context.instanceMode, merchant, { before: there?.mapping, after: mapping })
    if (fault !== null) throw invalid('options.payouts', fault)
    if (over !== undefined && !isDeepStrictEqual(settings ?? null, over))
      throw new AdminRefused('conflict', { message: 'Another user has changed this mapping. Reload the page.' })
    await protocolMappingStore(pool).put(wish)
    return settings
  })
  await context.configuration.refresh()
  return { shown: { mapping, chosen: wish.options }, audit: savedMappingNote(before, wish) }
}

export function savedMappingNote(
  before: MappingSettings | undefined,
  { merchantId, protocol, ...after }: MappingSettings & MappingKey,
): AuditNote {
  const settings = ({ enabled, options }: MappingSettings): MappingSettings => ({ enabled, options })
  return {
    action: 'protocol-mapping.save',
    subject: `protocol-mapping ${protocol}`,
    merchantId,
    before: before && settings(before),
    after: settings(after),
  }
}

interface MappingSettings {
  readonly enabled: boolean
  readonly options: JsonObject
}

interface MappingKey {
  readonly merchantId: string
  readonly protocol: Protocol
}

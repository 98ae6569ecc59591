/** Protocol mappings: the options of one merchant on one protocol, stored as the choices that differ from the defaults. */
import type { Protocol } from '#domain/merchant.ts'
import type { JsonObject } from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { json } from '../database/insertion.ts'
import { type Queryable, query, sql } from '../database/pool.ts'

export interface ProtocolMappingRow {
  readonly merchantId: string
  readonly protocol: Protocol
  readonly enabled: boolean
  readonly options: JsonObject
}

interface Columns {
  merchant_id: string
  protocol: Protocol
  enabled: boolean
  options: JsonObject
}

const mappingColumns = columnsOf<Columns>()(['merchant_id', 'protocol', 'enabled', 'options'])

const listMappings = sql<Columns, readonly []>(
  'protocol-mapping.list',
  `select ${mappingColumns()} from protocol_mappings`,
)
const putMapping = sql<Record<never, never>, readonly [string, string, boolean, string | null]>(
  'protocol-mapping.put',
  `insert into protocol_mappings (merchant_id, protocol, enabled, options) values ($1, $2, $3, $4)
   on conflict (merchant_id, protocol) do update set enabled = excluded.enabled, options = excluded.options`,
)

export const protocolMappingStore = (pool: Queryable) => ({
  list: async (): Promise<readonly ProtocolMappingRow[]> =>
    (await query(pool, listMappings, [])).map((row) => ({
      merchantId: row.merchant_id,
      protocol: row.protocol,
      enabled: row.enabled,
      options: row.options,
    })),
  put: async (row: ProtocolMappingRow): Promise<void> => {
    await query(pool, putMapping, [row.merchantId, row.protocol, row.enabled, json(row.options)])
  },
})

import { firstId } from '#domain/uuid.ts'
import { PLATFORM_SCOPE, type Purpose, type SealedColumns, type SealedValue } from '#server/vault/port.ts'
import { type Pool, query, sql } from '../database/pool.ts'

interface Column {
  readonly table: string
  /** The SQL expression for a row's scope. */
  readonly scope: string
  readonly column: string
  readonly purpose: Purpose
  /** The column that identifies a row within its scope if that is not `id`, and the condition under which it does. */
  readonly key?: string
  readonly where?: string
}

/** Every column that holds sealed values. A column that is missing here keeps its values under old data keys for ever. */
// biome-ignore format: a table is read in columns.
export const sealedColumns: readonly Column[] = [
  // table                scope                               column                              purpose
  { table: 'cards',     scope: 'merchant_id',               column: 'pan_sealed',               purpose: 'card'           },
  { table: 'merchants', scope: 'id',                        column: 'password_sealed',          purpose: 'password'       },
  { table: 'merchants', scope: 'id',                        column: 'previous_password_sealed', purpose: 'password'       },
  { table: 'merchants', scope: 'id',                        column: 'webhook_secrets_sealed',   purpose: 'webhook-secret' },
  { table: 'mids',      scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'credentials_sealed',       purpose: 'credentials'    },
  // A card number from a hosted field is stored until the next attempt, which may never come.
  { table: 'sessions',  scope: 'merchant_id',               column: 'fields_sealed',            purpose: 'card'           },
  { table: 'session_keys', scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'private_sealed',        purpose: 'session-key'    },
  { table: 'users',     scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'totp_sealed',              purpose: 'totp'           },
  { table: 'alert_channels', scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'target_sealed',       purpose: 'alert-channel'  },
  { table: 'alert_channels', scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'secret_sealed',       purpose: 'alert-channel'  },
  { table: 'export_schedules', scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'url_sealed',        purpose: 'export-target'  },
  { table: 'export_schedules', scope: `'${PLATFORM_SCOPE}'::uuid`, column: 'secret_sealed',     purpose: 'export-target'  },
  { table: 'wallet_keys', scope: 'merchant_id',             column: 'private_sealed',           purpose: 'wallet-key'     },
  { table: 'callback_credentials', scope: 'merchant_id',    column: 'sealed',                   purpose: 'callback-credentials' },
  { table: 'dispute_files', scope: 'merchant_id',           column: 'sealed',                   purpose: 'evidence'       },
  // Sealed wallet data is erased with the payment's first outcome, so it never outlives a data key.
  { table: 'payment_secrets', scope: 'merchant_id',         column: 'sealed',                   purpose: 'parameters',    key: 'payment_id', where: "purpose = 'parameters'" },
]

/** Reads and writes sealed values by the page, without opening them: only the vault has the keys. */
export function sealedValues(pool: Pool): SealedColumns {
  return {
    async *olderThan(scope, version) {
      for (const column of sealedColumns) yield* readPages(pool, column, scope, version)
    },

    async replace(page) {
      const [first] = page
      const column = sealedColumns.find((candidate) => nameOf(candidate) === first?.column)
      if (!first || !column) return 0

      const keys = page.map((value) => value.key)
      const sealed = page.map((value) => value.sealed)
      const resealed = page.map((value) => value.resealed)
      return (await query(pool, replaceStatement(column), [first.scope, keys, sealed, resealed])).length
    },
  }
}

async function* readPages(
  pool: Pool,
  column: Column,
  scope: string,
  version: number,
): AsyncIterable<readonly SealedValue[]> {
  const versionBytes = Buffer.alloc(4)
  versionBytes.writeUInt32BE(version)
  let after = firstId
  for (;;) {
    const rows: readonly Row[] = await query(pool, readStatement(column), [scope, versionBytes, after, VALUES_PER_PAGE])
    const last = rows.at(-1)
    if (!last) return

    yield rows.map((row) => ({ ...row, scope, purpose: column.purpose, column: nameOf(column) }))
    after = last.key
  }
}

interface Row {
  readonly key: string
  readonly sealed: Buffer
}

/** Small enough to hold locks, and the event loop, for a few milliseconds only. */
const VALUES_PER_PAGE = 200

// Bytes 2 to 5 of a sealed value are its data key's version, big-endian, so comparing bytes compares versions.
function readStatement(column: Column) {
  return sql<Row, readonly [scope: string, version: Buffer, after: string, limit: number]>(
    `${nameOf(column)}.older_than`,
    `select ${keyOf(column)} as key, ${column.column} as sealed from ${column.table}
     where ${column.scope} = $1::uuid and substring(${column.column} from 2 for 4) < $2::bytea
       and ${keyOf(column)} > $3::uuid and ${column.where ?? 'true'}
     order by ${keyOf(column)} limit $4`,
  )
}

// The old bytes are part of the condition: a password that is changed during resealing must not be replaced by the old one. Rows are locked
// in key order, because two rotations of one page could otherwise deadlock.
function replaceStatement(column: Column) {
  const condition = `${column.scope} = $1::uuid and ${column.where ?? 'true'}`
  return sql<
    { key: string },
    readonly [scope: string, keys: readonly string[], sealed: readonly Buffer[], resealed: readonly Buffer[]]
  >(
    `${nameOf(column)}.reseal`,
    `with held as materialized (
       select ${keyOf(column)} as held_key, page.resealed from ${column.table}
       join unnest($2::uuid[], $3::bytea[], $4::bytea[]) as page (page_key, page_sealed, resealed)
         on ${keyOf(column)} = page_key and ${nameOf(column)} = page_sealed
       where ${condition}
       order by ${keyOf(column)}
       for update of ${column.table}
     )
     update ${column.table} set ${column.column} = held.resealed from held
     where ${keyOf(column)} = held_key and ${condition}
     returning held_key as key`,
  )
}

const keyOf = ({ key = 'id' }: Column): string => key

function nameOf(column: Column): string {
  return `${column.table}.${column.column}`
}

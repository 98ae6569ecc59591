/** The columns that a table has at present, so that a copy has those of every later release too. */
import type { Queryable } from '#server/store/database/pool.ts'

interface TableColumn {
  readonly name: string
  readonly type: string
}

export async function tableColumns(on: Queryable, table: string): Promise<readonly TableColumn[]> {
  const { rows } = await on.query<TableColumn>(
    `select quote_ident(attname) as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [`public.${table}`],
  )
  return rows
}

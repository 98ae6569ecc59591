/** More payments like one that was made, for figures that need many. They have no transactions of their own. */
import type { Pool } from '#server/store/database/pool.ts'

export async function copyPayments(pool: Pool, id: string, count: number): Promise<void> {
  await pool.query(
    `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
     from payments p, generate_series(1, $2::int) where p.id = $1`,
    [id, count],
  )
}

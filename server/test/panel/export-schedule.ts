/** A scheduled export of a user, with one run whose file is stored. */
import type { Shop } from '../shop.ts'
import type { Params } from './admin-entities.ts'

export async function insertExportSchedule({ base: { pool, ids } }: Shop, userId: string): Promise<Params> {
  const [exportScheduleId, exportRunId, fileId] = [ids.next(), ids.next(), ids.next()]
  await pool.query(
    `insert into export_schedules (id, user_id, name, kind, filter, merchants, columns, period, time_zone, minute_of_day, target_kind,
       addresses, shown_target, paused_at, next_day, next_at, created_at)
     select $1::uuid, id, 'Export ' || $1::uuid::text, 'payments', '{}', case when all_merchants then null else '{}'::uuid[] end, '{id}', 'day', 'UTC', 360,
       'mail', '{books@example.com}', 'books@example.com', now(), '2026-01-01', now(), now()
     from users where id = $2`,
    [exportScheduleId, userId],
  )
  await pool.query(
    `insert into export_runs (id, schedule_id, period, repetition, period_from, period_to, state, next_at, file_id, row_count, byte_count,
       merchants, created_at, ended_at)
     select $2::uuid, id, '2025-12-31', 0, '2025-12-31', '2026-01-01', 'sent', now(), $3::uuid, 0, 4, merchants, now(), now()
     from export_schedules where id = $1`,
    [exportScheduleId, exportRunId, fileId],
  )
  await pool.query(
    `insert into export_file_parts (file_id, part, content, written_at) values ($1, 0, convert_to(E'id\\r\\n', 'UTF8'), now())`,
    [fileId],
  )
  return { exportScheduleId, exportRunId }
}

/** Logos that were chosen but not yet saved, for the preview: one per user, for a day. */
import { type Queryable, query, sql } from '../database/pool.ts'

interface PreviewedLogo {
  readonly hash: string
  readonly type: string
  readonly content: Buffer
}

const putLogo = sql<Record<never, never>, readonly [string, string, string, Buffer, Date]>(
  'previewed-logo.put',
  `insert into previewed_logos (user_id, hash, type, content, at) values ($1, $2, $3, $4, $5)
   on conflict (user_id) do update set hash = excluded.hash, type = excluded.type, content = excluded.content, at = excluded.at`,
)
const forgetLogos = sql<Record<never, never>, readonly [Date]>(
  'previewed-logo.forget',
  'delete from previewed_logos where at < $1',
)
const findLogo = sql<PreviewedLogo, readonly [string, string]>(
  'previewed-logo.find',
  'select hash, type, content from previewed_logos where user_id = $1 and hash = $2',
)

export const previewedLogoStore = (on: Queryable) => ({
  put: async (userId: string, { hash, type, content }: PreviewedLogo, at: Date): Promise<void> => {
    await query(on, putLogo, [userId, hash, type, content, at])
  },
  forget: async (before: Date): Promise<void> => {
    await query(on, forgetLogos, [before])
  },
  find: async (userId: string, hash: string): Promise<PreviewedLogo | null> =>
    (await query(on, findLogo, [userId, hash]))[0] ?? null,
})

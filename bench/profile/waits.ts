/** Samples what the database's sessions do while a load runs, many times per second. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Share } from '../profile.ts'
import type { Scene } from '../scene.ts'

const lookEveryMs = 25

export async function waitsDuring({ stage }: Scene, load: () => Promise<void>): Promise<readonly Share[]> {
  const seen = new Map<string, number>()
  let over = false
  const looking = (async () => {
    while (!over) {
      const { rows } = await stage.pool.query<{ doing: string; sessions: number }>(
        `select application_name || ': ' || case when state = 'active' then coalesce(wait_event_type || ' ' || wait_event, 'running')
                else state end as doing, count(*)::int as sessions
         from pg_stat_activity where application_name in ('gatehouse api', 'gatehouse worker') group by 1`,
      )
      for (const { doing, sessions } of rows) seen.set(doing, (seen.get(doing) ?? 0) + sessions)
      await sleep(lookEveryMs)
    }
  })()
  try {
    await load()
  } finally {
    over = true
    await looking
  }
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0)
  return [...seen].map(([name, count]) => ({ name, share: count / total })).toSorted((a, b) => b.share - a.share)
}

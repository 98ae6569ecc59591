/** An acquirer without idempotency keys, and the time within which it executes a request or never does. */
import { changeCredentials } from '#server/setup/mids.ts'
import type { Stage } from '../stage/stage.ts'

/** Puts every MID at an acquirer without idempotency keys that guarantees to execute within this time or never. */
export async function declareQueue(stage: Stage, executesWithinSeconds: number): Promise<void> {
  const { rows } = await stage.pool.query<{ id: string; name: string }>('select id, name from mids')
  for (const { id, name } of rows) {
    await changeCredentials(stage.context, id, {
      mid: name,
      base_url: stage.acquirerUrl,
      idempotency_keys: 'ignored',
      executes_within_seconds: executesWithinSeconds,
    })
  }
}

/**
 * Rows by their keys, read together: keys that are requested at the same time, or while another read is under way, are one next read. Each
 * read begins after its keys were requested, so that no answer is older than its question.
 */
export interface Keyed {
  readonly merchantId: string
  readonly id: string
}

interface PendingKey<Found> extends Keyed, PromiseWithResolvers<Found | null> {}

/** The maximum number of keys of one read. */
const most = 64

export function readTogether<Found extends Keyed>(
  read: (keys: readonly Keyed[]) => Promise<readonly Found[]>,
): (merchantId: string, id: string) => Promise<Found | null> {
  const waiting = new Map<string, PendingKey<Found>>()
  let isReading = false

  const take = (): readonly PendingKey<Found>[] => {
    const batch = [...waiting].slice(0, most)
    for (const [key] of batch) waiting.delete(key)
    return batch.map(([, pending]) => pending)
  }

  const readAll = async (): Promise<void> => {
    isReading = true
    // Whatever is requested in this turn of the event loop belongs to the first read.
    await Promise.resolve()
    for (let pending = take(); pending.length > 0; pending = take()) await answer(pending, read)
    isReading = false
  }

  return (merchantId, id) => {
    const key = keyOf({ merchantId, id })
    const pending = waiting.get(key) ?? { merchantId, id, ...Promise.withResolvers<Found | null>() }
    waiting.set(key, pending)
    if (!isReading) void readAll()
    return pending.promise
  }
}

const keyOf = ({ merchantId, id }: Keyed): string => `${merchantId} ${id}`

/** Never throws: a failure goes to the callers. */
async function answer<Found extends Keyed>(
  pending: readonly PendingKey<Found>[],
  read: (keys: readonly Keyed[]) => Promise<readonly Found[]>,
): Promise<void> {
  try {
    const found = new Map((await read(pending)).map((one) => [keyOf(one), one]))
    for (const one of pending) one.resolve(found.get(keyOf(one)) ?? null)
  } catch (error) {
    for (const { reject } of pending) reject(error)
  }
}

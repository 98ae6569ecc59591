/** Load beside the faults of a campaign. */

/** Each lane runs again and again until the work has ended. Its own fault is thrown at the end: the work goes on meanwhile. */
export async function besideLanes(lanes: number, lane: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController()
  const repeat = async (): Promise<void> => {
    while (!ended.signal.aborted) await lane()
  }
  const running = Promise.all(Array.from({ length: lanes }, repeat))
  running.catch(() => undefined)
  try {
    await work()
  } finally {
    ended.abort()
  }
  await running
}

/**
 * Shares the result of an expensive query: a result serves all callers for a second, and while a query runs no other is started, so that a
 * hanging database occupies one connection and not all. Failures are not cached.
 */
const freshMs = 1000

interface OnceASecond<T> {
  (): Promise<T>
  /** The next call queries again, even if a running query answers in between. */
  forget(): void
}

export function onceASecond<T>(ask: () => Promise<T>, nowMs: () => number = () => performance.now()): OnceASecond<T> {
  let running: Promise<T> | null = null
  let last: { readonly at: number; readonly answer: T } | null = null
  let forgotten = 0

  const askNow = async (): Promise<T> => {
    const at = nowMs()
    const before = forgotten
    last = null
    const answer = await ask()
    if (before === forgotten) last = { at, answer }
    return answer
  }

  const askShared = (): Promise<T> => {
    if (running === null && last !== null && nowMs() - last.at < freshMs) return Promise.resolve(last.answer)
    running ??= askNow().finally(() => {
      running = null
    })
    return running
  }
  return Object.assign(askShared, {
    forget: () => {
      forgotten += 1
      last = null
    },
  })
}

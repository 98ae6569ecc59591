/**
 * A question that many ask and that costs something: an answer serves everybody for a second, and while one is under way nobody asks
 * again, so that a database that stands still costs one connection and not all of them. A failure is not kept.
 */
const freshMs = 1000

export function onceASecond<T>(ask: () => Promise<T>, nowMs: () => number = () => performance.now()): () => Promise<T> {
  let under: Promise<T> | null = null
  let last: { readonly at: number; readonly answer: T } | null = null

  const askAnew = async (): Promise<T> => {
    const at = nowMs()
    last = null
    const answer = await ask()
    last = { at, answer }
    return answer
  }

  return () => {
    if (under === null && last !== null && nowMs() - last.at < freshMs) return Promise.resolve(last.answer)
    under ??= askAnew().finally(() => {
      under = null
    })
    return under
  }
}

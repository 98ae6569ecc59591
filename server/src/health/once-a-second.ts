/**
 * A question that many ask and that costs something: an answer serves everybody for a second, and while one is under way nobody asks
 * again, so that a database that stands still costs one connection and not all of them. A failure is not kept.
 */
const freshMs = 1000

interface OnceASecond<T> {
  (): Promise<T>
  /** The next question is asked anew, also when the answer to one that is under way comes in between. */
  forget(): void
}

export function onceASecond<T>(ask: () => Promise<T>, nowMs: () => number = () => performance.now()): OnceASecond<T> {
  let under: Promise<T> | null = null
  let last: { readonly at: number; readonly answer: T } | null = null
  let forgotten = 0

  const askAnew = async (): Promise<T> => {
    const at = nowMs()
    const before = forgotten
    last = null
    const answer = await ask()
    if (before === forgotten) last = { at, answer }
    return answer
  }

  const answered = (): Promise<T> => {
    if (under === null && last !== null && nowMs() - last.at < freshMs) return Promise.resolve(last.answer)
    under ??= askAnew().finally(() => {
      under = null
    })
    return under
  }
  return Object.assign(answered, {
    forget: () => {
      forgotten += 1
      last = null
    },
  })
}

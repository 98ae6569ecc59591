/** Reads from the server when the component appears and when its parameters change; aborts the request when it disappears. */
import { useEffect, useState } from 'preact/hooks'
import { type Answer, type Asking, call, type Fault, type Reading } from './call.ts'

export interface Read<T> {
  /** The last answer, kept while the next one loads; null before the first. */
  readonly value: T | null
  /** The fault of the last request; null if it succeeded. */
  readonly fault: Fault | null
  readonly isLoading: boolean
  readonly reload: () => void
}

interface ReadingOptions {
  /** Repeats the request at this interval while the page is visible; 0 reads once. */
  readonly everyMs?: number
  /** False: do not read yet. */
  readonly when?: boolean
}

type ReadingArguments<E extends Reading> = Asking<E>[0] & ReadingOptions

export function useReading<E extends Reading>(
  endpoint: E,
  ...rest: undefined extends Asking<E>[0] ? [asked?: ReadingArguments<E>] : [asked: ReadingArguments<E>]
): Read<Answer<E>> {
  const { everyMs = 0, when = true, ...asked }: ReadingOptions = rest[0] ?? {}
  const question = `${endpoint} ${JSON.stringify(asked)}`
  const [told, setTold] = useState<ReadState<Answer<E>>>({ value: null, fault: null, question: '' })
  const [turn, setTurn] = useState(0)
  const reload = () => setTurn((before) => before + 1)

  useEffect(() => {
    if (!when) return
    const broken = new AbortController()
    const ask = async (): Promise<void> => {
      // The options were removed above; what is left are the arguments of the endpoint.
      const arguments_ = [{ ...asked, signal: broken.signal }] as unknown as Asking<E>
      const result = await call(endpoint, ...arguments_).catch(() => null)
      if (result === null || broken.signal.aborted) return
      setTold((before) =>
        result.ok
          ? { value: result.value, fault: null, question }
          : { value: before.question === question ? before.value : null, fault: result.fault, question },
      )
    }
    void ask()
    const timer = everyMs > 0 ? setInterval(() => document.visibilityState === 'visible' && void ask(), everyMs) : 0
    return () => {
      broken.abort()
      clearInterval(timer)
    }
  }, [question, turn, everyMs, when])

  return { value: told.value, fault: told.fault, isLoading: when && told.question !== question, reload }
}

interface ReadState<T> {
  readonly value: T | null
  readonly fault: Fault | null
  readonly question: string
}

/** Reads from the server when the component appears and when its parameters change; aborts the request when it disappears. */
import { useEffect, useState } from 'preact/hooks'
import { type Answer, type CallArguments, call, type Fault, type Reading } from './call.ts'

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

type ReadingArguments<E extends Reading> = CallArguments<E>[0] & ReadingOptions

export function useReading<E extends Reading>(
  endpoint: E,
  ...rest: undefined extends CallArguments<E>[0] ? [request?: ReadingArguments<E>] : [request: ReadingArguments<E>]
): Read<Answer<E>> {
  const { everyMs = 0, when = true, ...request }: ReadingOptions = rest[0] ?? {}
  const question = `${endpoint} ${JSON.stringify(request)}`
  const [state, setState] = useState<ReadState<Answer<E>>>({ value: null, fault: null, question: '' })
  const [reloadCount, setReloadCount] = useState(0)
  const reload = () => setReloadCount((before) => before + 1)

  useEffect(() => {
    if (!when) return
    const cancellation = new AbortController()
    const ask = async (): Promise<void> => {
      // The options were removed above; what is left are the arguments of the endpoint.
      const arguments_ = [{ ...request, signal: cancellation.signal }] as unknown as CallArguments<E>
      const result = await call(endpoint, ...arguments_).catch(() => null)
      if (result === null || cancellation.signal.aborted) return
      setState((before) =>
        result.ok
          ? { value: result.value, fault: null, question }
          : { value: before.question === question ? before.value : null, fault: result.fault, question },
      )
    }
    void ask()
    const timer = everyMs > 0 ? setInterval(() => document.visibilityState === 'visible' && void ask(), everyMs) : 0
    return () => {
      cancellation.abort()
      clearInterval(timer)
    }
  }, [question, reloadCount, everyMs, when])

  return { value: state.value, fault: state.fault, isLoading: when && state.question !== question, reload }
}

interface ReadState<T> {
  readonly value: T | null
  readonly fault: Fault | null
  readonly question: string
}

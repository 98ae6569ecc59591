/** Reads a list page by page; each page continues where the last one ended. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type CallArguments, call, type Endpoint, type Fault, type Query, type Reading } from './call.ts'

export interface Pages<Row> {
  readonly rows: readonly Row[]
  readonly fault: Fault | null
  /** While the first page is being loaded. */
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly hasMore: boolean
  readonly more: () => void
  readonly reload: () => void
}

interface Paging<E extends Endpoint, Row> {
  readonly rows: (answer: Answer<E>) => readonly Row[]
  /** The extra query parameters for the next page; null after the last page. */
  readonly next: (answer: Answer<E>) => Partial<Query<E>> | null
}

interface PagesState<Row, Next> {
  readonly question: string
  readonly rows: readonly Row[]
  readonly next: Next | null
  readonly fault: Fault | null
}

export function usePages<E extends Reading, Row>(
  endpoint: E,
  request: CallArguments<E>[0],
  paging: Paging<E, Row>,
): Pages<Row> {
  type Next = Partial<Query<E>>
  const question = `${endpoint} ${JSON.stringify(request)}`
  const [state, setState] = useState<PagesState<Row, Next>>({ question: '', rows: [], next: null, fault: null })
  const [reloadCount, setReloadCount] = useState(0)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const cancellation = useRef(new AbortController())

  const load = async (before: readonly Row[], next: Next): Promise<void> => {
    const { signal } = cancellation.current
    const query = { ...request?.query, ...next }
    // The query of the first page plus the parameters for the next one; the types of the two cannot be combined.
    const arguments_ = [{ ...request, query, signal }] as unknown as CallArguments<E>
    const result = await call(endpoint, ...arguments_).catch(() => null)
    if (result === null || signal.aborted) return
    setLoadingMore(false)
    if (!result.ok) return setState((old) => ({ ...old, question, rows: before, fault: result.fault }))
    const rows = [...before, ...paging.rows(result.value)]
    setState({ question, rows, next: paging.next(result.value), fault: null })
  }

  useEffect(() => {
    cancellation.current = new AbortController()
    setLoadingMore(false)
    void load([], {})
    return () => cancellation.current.abort()
  }, [question, reloadCount])

  const more = (): void => {
    if (state.next === null || isLoadingMore) return
    setLoadingMore(true)
    void load(state.rows, state.next)
  }
  const isLoading = state.question !== question
  return {
    rows: isLoading ? [] : state.rows,
    fault: state.fault,
    isLoading,
    isLoadingMore,
    hasMore: state.next !== null,
    more,
    reload: () => setReloadCount((before) => before + 1),
  }
}

/** Reads a list page by page; each page continues where the last one ended. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type Asking, call, type Endpoint, type Fault, type Query, type Reading } from './call.ts'

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

interface Held<Row, Next> {
  readonly question: string
  readonly rows: readonly Row[]
  readonly next: Next | null
  readonly fault: Fault | null
}

export function usePages<E extends Reading, Row>(endpoint: E, asked: Asking<E>[0], paging: Paging<E, Row>): Pages<Row> {
  type Next = Partial<Query<E>>
  const question = `${endpoint} ${JSON.stringify(asked)}`
  const [held, setHeld] = useState<Held<Row, Next>>({ question: '', rows: [], next: null, fault: null })
  const [turn, setTurn] = useState(0)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const broken = useRef(new AbortController())

  const load = async (before: readonly Row[], next: Next): Promise<void> => {
    const { signal } = broken.current
    const query = { ...asked?.query, ...next }
    // The query of the first page plus the parameters for the next one; the types of the two cannot be combined.
    const arguments_ = [{ ...asked, query, signal }] as unknown as Asking<E>
    const result = await call(endpoint, ...arguments_).catch(() => null)
    if (result === null || signal.aborted) return
    setLoadingMore(false)
    if (!result.ok) return setHeld((old) => ({ ...old, question, rows: before, fault: result.fault }))
    const rows = [...before, ...paging.rows(result.value)]
    setHeld({ question, rows, next: paging.next(result.value), fault: null })
  }

  useEffect(() => {
    broken.current = new AbortController()
    setLoadingMore(false)
    void load([], {})
    return () => broken.current.abort()
  }, [question, turn])

  const more = (): void => {
    if (held.next === null || isLoadingMore) return
    setLoadingMore(true)
    void load(held.rows, held.next)
  }
  const isLoading = held.question !== question
  return {
    rows: isLoading ? [] : held.rows,
    fault: held.fault,
    isLoading,
    isLoadingMore,
    hasMore: held.next !== null,
    more,
    reload: () => setTurn((before) => before + 1),
  }
}

/** Runs a replay step by step. Each step is a separate request, so the replay is cancelled by not sending the next. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Answer, call, type Fault } from '../../../api/call.ts'
import type { DraftRule } from '../rule/draft-rule.ts'

type Step = Answer<'POST /routing/replay'>
export type ReroutedPayment = Step['changed'][number]

export interface Replay {
  readonly state: 'idle' | 'running' | 'done' | 'cancelled'
  readonly examined: number
  /** Null before the first answer. */
  readonly total: number | null
  readonly changed: readonly ReroutedPayment[]
  /** Which state of the risk lists was used; null if no rule asks for them. */
  readonly lists: Step['lists']
  readonly countsVelocity: boolean
  readonly fault: Fault | null
}

interface ReplayRequest {
  readonly ruleSet: string
  readonly rules: readonly DraftRule[]
  readonly days: number
  readonly lists: 'then' | 'now'
}

const emptyReplay: Replay = {
  state: 'idle',
  examined: 0,
  total: null,
  changed: [],
  lists: null,
  countsVelocity: false,
  fault: null,
}

interface ReplayHandle {
  readonly run: (wish: ReplayRequest) => Promise<void>
  readonly cancel: () => void
}

export function useReplay(): readonly [Replay, ReplayHandle] {
  const replay = useSignal(emptyReplay)
  const cancellation = useRef(new AbortController())
  useEffect(() => () => cancellation.current.abort(), [])

  const run = async (wish: ReplayRequest): Promise<void> => {
    cancellation.current = new AbortController()
    const { signal } = cancellation.current
    replay.value = { ...emptyReplay, state: 'running' }
    let before: string | null = null
    do {
      const request: { body: ReplayRequest & { before: string | null }; signal: AbortSignal } = {
        body: { ...wish, before },
        signal,
      }
      const step = await call('POST /routing/replay', request).catch(() => null)
      if (step === null || signal.aborted) return
      if (!step.ok) {
        replay.value = { ...replay.value, state: 'done', fault: step.fault }
        return
      }
      const { total, examined, changed, next, lists, countsVelocity } = step.value
      const previous = replay.value
      replay.value = {
        ...previous,
        total: total ?? previous.total,
        examined: previous.examined + examined,
        changed: [...previous.changed, ...changed],
        lists: lists ?? previous.lists,
        countsVelocity: countsVelocity || previous.countsVelocity,
      }
      before = next
    } while (before !== null && !isEnough(replay.value))
    replay.value = { ...replay.value, state: 'done' }
  }

  const cancel = (): void => {
    cancellation.current.abort()
    replay.value = { ...replay.value, state: 'cancelled' }
  }
  return [replay.value, { run, cancel }]
}

/** The replay ends when it has examined as many payments as its total says. */
const isEnough = ({ examined, total }: Replay): boolean => total !== null && examined >= total

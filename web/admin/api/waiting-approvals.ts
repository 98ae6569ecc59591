/** How many requests wait for the user's answer, as the menu shows it. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useReading } from './use-reading.ts'

const answered = signal(0)

/** Called after an answer, so that the menu does not show a request that waits no longer. */
export const countWaitingAgain = (): void => {
  answered.value += 1
}

/** Often enough for a second person to notice a request, rare enough to cost little. */
const everyMs = 60_000

export function useWaitingApprovals(when: boolean): number {
  const { value, reload } = useReading('GET /approvals/waiting', { when, everyMs })
  useEffect(() => {
    if (answered.value > 0) reload()
  }, [answered.value])
  return value?.count ?? 0
}

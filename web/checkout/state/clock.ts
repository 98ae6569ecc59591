/** The server's time, continued by the browser's monotonic clock, because the payer's device may have the wrong time. Chapter 30 §7.8. */
import { signal } from '@preact/signals'

/** Null until the session is known. */
export const secondsLeft = signal<number | null>(null)

/** The countdown is shown in the last ten minutes. */
export const secondsShown = 10 * 60

const spokenMinutes = [5, 1]

export interface Clock {
  /** `YYYY-MM-DD`. */
  today(): string
  stop(): void
}

interface ClockEvents {
  readonly onMinutes: (minutes: number) => void
  readonly onEnd: () => void
}

export function startClock(serverTime: string, expiresAt: string, { onMinutes, onEnd }: ClockEvents): Clock {
  const startedAt = performance.now()
  const [began, ends] = [Date.parse(serverTime), Date.parse(expiresAt)]
  const readElapsed = (): number => performance.now() - startedAt
  let before = Number.POSITIVE_INFINITY
  const tick = (): void => {
    const left = (ends - began - readElapsed()) / 1000
    secondsLeft.value = Math.max(0, left)
    const minutes = minutesToSpeak(before, left)
    before = left
    if (minutes !== null) onMinutes(minutes)
    if (left > 0) return
    clearInterval(timer)
    onEnd()
  }
  const timer = setInterval(tick, 1000)
  queueMicrotask(tick)
  return {
    today: () => new Date(began + readElapsed()).toISOString().slice(0, 10),
    stop: () => clearInterval(timer),
  }
}

/** Whether a mark was passed since the last call; on a page that was opened late, the minutes that are left. */
export function minutesToSpeak(before: number, now: number): number | null {
  const passed = spokenMinutes.some((minutes) => before > minutes * 60 && now <= minutes * 60)
  return passed && now > 0 ? Math.max(1, Math.round(now / 60)) : null
}

/**
 * Handles idle sessions. The server ends them; the panel reports the user's activity, warns a minute before, and asks the server before it
 * treats the session as ended, because another window may have kept it alive.
 */
import { signal } from '@preact/signals'
import { apiClient, call } from '../api/call.ts'
import { session } from './session.ts'

const warnSeconds = 60
/** How often a user's activity is reported if it causes no requests. */
const reportEveryMs = 60_000
const tickMs = 1000

/** Seconds until the session ends; null while that is not near. */
export const secondsLeft = signal<number | null>(null)

let lastInput = performance.now()
let lastReport = performance.now()
let endsAt = Number.POSITIVE_INFINITY
let isAsking = false

apiClient.isIdle = () => performance.now() - lastInput > reportEveryMs

export function noteSessionEnd(endsInSeconds: number): void {
  endsAt = performance.now() + endsInSeconds * 1000
  if (!apiClient.isIdle()) lastReport = performance.now()
  show()
}

export function watchIdle(): void {
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(
      name,
      () => {
        lastInput = performance.now()
      },
      { capture: true, passive: true },
    )
  setInterval(() => void tick(), tickMs)
}

/** Pressing the button was already an input, so this request counts as activity. */
export const staySignedIn = (): Promise<void> => ask()

async function tick(): Promise<void> {
  if (session.peek() === null) {
    secondsLeft.value = null
    return
  }
  const now = performance.now()
  const hasNews = lastInput > lastReport && now - lastReport > reportEveryMs
  const left = leftAt(now)
  const isNear = left <= warnSeconds && secondsLeft.peek() === null
  if (hasNews || isNear || left <= 0) await ask()
  else show()
}

async function ask(): Promise<void> {
  if (isAsking) return
  isAsking = true
  const result = await call('GET /session')
  isAsking = false
  if (result.ok) noteSessionEnd(result.value.endsInSeconds)
}

const leftAt = (now: number): number => Math.ceil((endsAt - now) / 1000)

function show(): void {
  const left = leftAt(performance.now())
  secondsLeft.value = left <= warnSeconds ? Math.max(left, 0) : null
}

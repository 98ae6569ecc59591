/**
 * The end of a session that nobody uses. The server ends it; the panel tells it what a person did, warns a minute before, and asks again
 * before it believes that the time is over, because another window may have kept the session alive.
 */
import { signal } from '@preact/signals'
import { call, line } from '../api/call.ts'
import { session } from './session.ts'

const warnSeconds = 60
/** How often the server hears of a person who types but asks for nothing. */
const tellEveryMs = 60_000
const tickMs = 1000

/** Until the session ends; null while that is not near. */
export const secondsLeft = signal<number | null>(null)

let lastInput = performance.now()
let lastTold = performance.now()
let endsAt = Number.POSITIVE_INFINITY
let isAsking = false

line.isIdle = () => performance.now() - lastInput > tellEveryMs

export function noteEnd(endsInSeconds: number): void {
  endsAt = performance.now() + endsInSeconds * 1000
  if (!line.isIdle()) lastTold = performance.now()
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

/** What the person pressed was an input already, so that this counts as activity. */
export const staySignedIn = (): Promise<void> => ask()

async function tick(): Promise<void> {
  if (session.peek() === null) {
    secondsLeft.value = null
    return
  }
  const now = performance.now()
  const hasNews = lastInput > lastTold && now - lastTold > tellEveryMs
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
  if (result.ok) noteEnd(result.value.endsInSeconds)
}

const leftAt = (now: number): number => Math.ceil((endsAt - now) / 1000)

function show(): void {
  const left = leftAt(performance.now())
  secondsLeft.value = left <= warnSeconds ? Math.max(left, 0) : null
}

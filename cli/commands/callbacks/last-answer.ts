/** The receiver's last answer to a callback in one line, or why there was none; null before the first attempt. */
import type { LoggedCallback } from '#server/store/callbacks/callback-log.ts'

export function lastAnswerOf({ attempts }: Pick<LoggedCallback, 'attempts'>): string | null {
  const last = attempts.at(-1)
  if (!last) return null
  const firstLine = (last.answer ?? '').trim().split('\n')[0] ?? ''
  return last.fault ?? `${last.httpStatus} ${firstLine.slice(0, 40)}`.trim()
}

/** The result of the last attempt, above the form that may be used again. Chapter 30 §7.2, declined. */
import type { JSX } from 'preact'
import { phase } from '../state/session.ts'
import { say, sayCount } from '../state/texts.ts'

export const noticeId = 'notice'

export function Notice(): JSX.Element | null {
  const now = phase.value
  if (now.at === 'declined') {
    return (
      <section id={noticeId} class="notice bad" tabIndex={-1} aria-labelledby="declined">
        <h2 id="declined">{now.message ?? say('declinedTitle')}</h2>
        {now.left !== null && <p>{sayCount('attemptsLeft', now.left)}</p>}
      </section>
    )
  }
  if (now.at !== 'ready' || now.notice === null) return null
  return (
    <section id={noticeId} class="notice bad" tabIndex={-1} aria-label={say(now.notice)}>
      <p>{say(now.notice)}</p>
    </section>
  )
}

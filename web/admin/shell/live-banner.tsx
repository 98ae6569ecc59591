/** Problems of a live instance, above every page, for users who can do something about them. */
import type { JSX } from 'preact'
import { useReading } from '../api/use-reading.ts'
import { Icon } from '../kit/icon.tsx'
import { Link } from '../router/link.tsx'
import { may, session } from '../session/session.ts'

const everyMs = 60_000

export function LiveBanner(): JSX.Element | null {
  const isShown = session.value?.mode === 'live' && may('system.read')
  const { value } = useReading('GET /system/findings', { everyMs, when: isShown })
  const red = (isShown ? (value?.findings ?? []) : []).filter(({ severity }) => severity === 'red')
  const [first] = red
  if (first === undefined) return null
  const more = red.length === 1 ? '' : ` And ${red.length - 1} more.`
  return (
    <div class="unsafe" role="alert">
      <Icon name="alert" />
      <p>
        <strong>{first.sentence}</strong> {first.remedy}
        {more} <Link to="/system">All checks</Link>
      </p>
    </div>
  )
}

/** The pages that the user may see, by group. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useWaitingApprovals } from '../api/waiting-approvals.ts'
import { Icon } from '../kit/icon.tsx'
import { type PageRow, pages } from '../pages/page-table.ts'
import { currentAddress } from '../router/current-address.ts'
import { Link } from '../router/link.tsx'
import { may, session } from '../session/session.ts'

export const isVisible = ({ permission, sandboxOnly = false }: PageRow): boolean =>
  (permission === null || may(permission)) && !(sandboxOnly && session.value?.mode !== 'sandbox')

export function Navigation({ onLeave }: { readonly onLeave: () => void }): JSX.Element {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    // In a low window the list scrolls, and the current page may be out of view.
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [currentAddress.value.path])
  const waiting = useWaitingApprovals(may('approvals.decide') && session.value?.duty === null)
  const shown = pages.filter(isVisible)
  const groups = [...new Set(shown.map(({ group }) => group))].filter((group) => group !== null)
  return (
    <nav ref={list} aria-label="Pages">
      {groups.map((group) => (
        <div key={group} class="nav-group">
          {group !== 'top' && <h2>{group}</h2>}
          <ul>
            {shown
              .filter((page) => page.group === group)
              .map(({ path, title, icon }) => (
                <li key={path}>
                  <Link to={path} current={isCurrent(path)} onClick={onLeave}>
                    <Icon name={icon} /> {title}
                    {path === '/approvals' && waiting > 0 && <WaitingCount count={waiting} />}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const WaitingCount = ({ count }: { readonly count: number }): JSX.Element => (
  <span class="nav-count">
    {new Intl.NumberFormat().format(count)}
    <span class="unseen"> waiting for you</span>
  </span>
)

/** A page below another belongs to it, except a payment, whose address contains its merchant. */
function isCurrent(path: string): boolean {
  const here = currentAddress.value.path
  const isPayment = /^\/merchants\/[^/]+\/payments\//.test(here)
  if (isPayment) return path === '/payments'
  return here === path || (path !== '/' && here.startsWith(`${path}/`))
}

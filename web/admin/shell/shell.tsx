/** The frame around every page: navigation, the selected mode, the user menu and toasts. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { zoneText } from '../kit/values/instants.ts'
import { currentAddress } from '../router/current-address.ts'
import { Link } from '../router/link.tsx'
import { chooseMode, mode } from '../session/mode.ts'
import { session } from '../session/session.ts'
import { FactorReminder } from './factor-reminder.tsx'
import { LiveBanner } from './live-banner.tsx'
import { Navigation } from './navigation.tsx'
import { UserMenu } from './user-menu.tsx'

export function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const isDrawn = useSignal(false)
  const { path } = currentAddress.value
  useEffect(() => {
    isDrawn.value = false
  }, [path])
  const close = (): void => {
    isDrawn.value = false
  }
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <Button
          kind="quiet"
          icon="menu"
          label="Navigation"
          onClick={() => {
            isDrawn.value = !isDrawn.value
          }}
        />
        <Link to="/" class="mark">
          <Mark /> Gatehouse
        </Link>
        <div class="top-end">
          <ModeSwitch />
          <UserMenu />
        </div>
      </header>
      <aside
        class={isDrawn.value ? 'side drawn' : 'side'}
        onKeyDown={({ key }) => key === 'Escape' && close()}
        aria-label="Navigation"
      >
        <Navigation onLeave={close} />
      </aside>
      {isDrawn.value && (
        <button type="button" class="veil" tabIndex={-1} aria-label="Close the navigation" onClick={close} />
      )}
      <main id="main" tabIndex={-1}>
        {session.value?.mode === 'sandbox' && (
          <p class="sandbox">
            <Icon name="bolt" /> Sandbox: no real money moves here.
          </p>
        )}
        <LiveBanner />
        <FactorReminder />
        {children}
      </main>
      <footer class="foot">Times are in {zoneText()}.</footer>
    </div>
  )
}

export const Mark = (): JSX.Element => (
  <svg class="mark-sign" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 21V9l8-6 8 6v12h-5v-6a3 3 0 0 0-6 0v6H4Z" />
  </svg>
)

function ModeSwitch(): JSX.Element {
  return (
    <fieldset class="segments">
      <legend class="unseen">Payments shown</legend>
      {(['live', 'test'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={mode.value === one} onClick={() => chooseMode(one)}>
          {one === 'live' ? 'Live' : 'Test'}
        </button>
      ))}
    </fieldset>
  )
}

/** The menu of the signed-in user: account, theme, sign-out. */
import type { JSX } from 'preact'
import { Icon } from '../kit/icon.tsx'
import type { IconName } from '../kit/icon-lines.ts'
import { Menu } from '../kit/menu.tsx'
import { Link } from '../router/link.tsx'
import { session, signOut } from '../session/session.ts'
import { chooseTheme, type Theme, theme } from './theme.ts'

// biome-ignore format: a table is read in columns.
const themes: readonly (readonly [Theme, string, IconName])[] = [
  // theme    words     icon
  ['system', 'System', 'settings'],
  ['light',  'Light',  'sun'],
  ['dark',   'Dark',   'moon'],
]

export function UserMenu(): JSX.Element {
  const user = session.value?.user
  return (
    <Menu label={user?.name ?? ''} icon="user">
      <p class="menu-head">
        {user?.email}
        <span class="faint">{user?.role}</span>
      </p>
      <Link to="/account">
        <Icon name="key" /> Your account
      </Link>
      <fieldset class="segments">
        <legend class="unseen">Theme</legend>
        {themes.map(([name, words, icon]) => (
          <button key={name} type="button" aria-pressed={theme.value === name} onClick={() => chooseTheme(name)}>
            <Icon name={icon} /> {words}
          </button>
        ))}
      </fieldset>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </Menu>
  )
}

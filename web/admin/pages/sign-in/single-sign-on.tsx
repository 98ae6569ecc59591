/** The button that leads to the identity provider, and what its refusals mean. */
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { Notice } from '../../kit/states.tsx'
import { currentAddress } from '../../router/current-address.ts'
import { addressAfterSignIn, singleSignOnAddress } from '../../session/session.ts'

export const SsoButton = ({ title }: { readonly title: string }): JSX.Element => (
  <div class="or">
    <Button icon="users" onClick={() => window.location.assign(singleSignOnAddress(addressAfterSignIn()))}>
      Sign in with {title}
    </Button>
  </div>
)

const texts: Readonly<Record<string, string>> = {
  unavailable: 'The identity provider cannot be reached. Try again later, or sign in with a local account.',
  expired: 'The sign-in took too long or was already used. Try again.',
  refused: 'The identity provider refused the sign-in.',
  invalid: 'The answer of the identity provider could not be verified. Try again, or ask an owner of this instance.',
  clock: 'The clocks of the identity provider and of this instance differ. Ask an owner of this instance.',
  group: 'None of your groups has access to this panel. Ask an owner of this instance.',
  stale:
    'The identity provider did not ask you to sign in again, as a confirmation requires. Sign out there and try again, or ask an owner of this instance.',
  factor: 'The identity provider did not confirm a second factor, which your role needs.',
  disabled: 'Your account is disabled. Ask an owner of this instance.',
  taken:
    'A local account already has your e-mail address. Sign in with its password, or ask an owner of this instance.',
  later: 'Too many attempts. Wait and try again.',
}

/** Why the browser came back without being signed in. */
export function SsoRefusal(): JSX.Element | null {
  const reason = currentAddress.value.query.get('sso')
  if (reason === null) return null
  return (
    <div role="alert">
      <Notice tone="bad">{texts[reason] ?? texts['refused']}</Notice>
    </div>
  )
}

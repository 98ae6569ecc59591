/** The user's own account: password, second factor, passkeys, sessions. */
import type { JSX } from 'preact'
import { Columns, Page } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { session } from '../../session/session.ts'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { RecoveryCodesSection } from './recovery-codes.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

export function AccountPage(): JSX.Element {
  const here = session.value
  const duty = here?.duty ?? null
  return (
    <Page title="Your account">
      {duty === 'password' && (
        <Notice tone="warn">
          {here?.user.passwordTemporary
            ? 'Your password was set by another user. Choose your own to continue.'
            : 'Your password has expired. Choose a new one to continue.'}
        </Notice>
      )}
      {duty === 'second factor' && (
        <Notice tone="warn">
          Your account needs a second factor. Set up an authenticator app or add a passkey to continue.
        </Notice>
      )}
      {here?.user.isSso && (
        <Notice>
          You sign in with the identity provider of your company. Password and second factor are managed there.
        </Notice>
      )}
      {!here?.user.isSso && (
        <Columns>
          {duty !== 'second factor' && <PasswordSection />}
          {duty !== 'password' && <SecondFactorSection />}
          {duty === null && <RecoveryCodesSection />}
        </Columns>
      )}
      {duty !== 'password' && !here?.user.isSso && <PasskeysSection />}
      {duty === null && <SessionsSection />}
    </Page>
  )
}

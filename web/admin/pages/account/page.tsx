/** One's own account: password, second factor, passkeys, sessions. */
import type { JSX } from 'preact'
import { Columns, Page } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { session } from '../../session/session.ts'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

export function AccountPage(): JSX.Element {
  const isTemporary = session.value?.user.passwordTemporary === true
  return (
    <Page title="Your account">
      {isTemporary && <Notice tone="warn">Somebody else knows your password. Choose your own before you go on.</Notice>}
      <Columns>
        <PasswordSection />
        {!isTemporary && <SecondFactorSection />}
      </Columns>
      {!isTemporary && <PasskeysSection />}
      {!isTemporary && <SessionsSection />}
    </Page>
  )
}

/** The mails of a sign-up: to the person who signs up, and to the author of the link. */
import { utcText } from '#domain/time.ts'
import type { SignUpRow } from '../../store/people/sign-ups.ts'
import type { UserRow } from '../../store/people/users.ts'

type Person = Pick<SignUpRow, 'name' | 'email'>

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export const confirmationMail = (signUp: Person & Pick<SignUpRow, 'expiresAt'>, address: string): Mail => ({
  to: signUp.email,
  subject: 'Confirm your e-mail address for Gatehouse',
  text: lines(
    `Hello ${signUp.name},`,
    '',
    'Confirm your e-mail address to finish your sign-up. You will be asked for the password that you chose:',
    '',
    address,
    '',
    `The link works once, until ${utcText(signUp.expiresAt)}.`,
    'If you did not sign up, ignore this e-mail: without your confirmation no account is created.',
  ),
})

/** Sent where a stranger would otherwise learn from the page that the address has an account. */
export const knownAddressMail = ({ name, email }: Person, panelUrl: string): Mail => ({
  to: email,
  subject: 'You already have a Gatehouse account',
  text: lines(
    `Hello ${name},`,
    '',
    'A sign-up was made with your e-mail address, which already has an account. Nothing was changed.',
    `Sign in at ${panelUrl}/admin. If you forgot the password, choose a new one there.`,
    'For access to further merchants ask the person who gave you the sign-up link.',
    'If you did not sign up, ignore this e-mail.',
  ),
})

export const waitingMail = ({ name, email }: UserRow, signUp: Person, panelUrl: string): Mail => ({
  to: email,
  subject: `${signUp.email} has signed up and is waiting for your approval`,
  text: lines(
    `Hello ${name},`,
    '',
    `${signUp.name} (${signUp.email}) has used your sign-up link and confirmed the e-mail address.`,
    `Approve or refuse it under Users: ${panelUrl}/admin/users`,
  ),
})

export const decisionMail = ({ name, email }: Person, isApproved: boolean, panelUrl: string): Mail => ({
  to: email,
  subject: isApproved ? 'Your access to Gatehouse' : 'Your sign-up at Gatehouse was refused',
  text: lines(
    `Hello ${name},`,
    '',
    ...(isApproved
      ? [`Your sign-up was approved. Sign in with the password that you chose: ${panelUrl}/admin`]
      : ['Your sign-up was refused, and your data was deleted. Ask the person who gave you the link for the reason.']),
  ),
})

const lines = (...texts: readonly string[]): string => [...texts, ''].join('\n')

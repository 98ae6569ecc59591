/** States without a form: the result, and the next step. Chapter 30 §7.2. */
import type { JSX } from 'preact'
import type { Redirect, WaitingFor } from '../page-api.ts'
import { showAgain } from '../state/cancel.ts'
import { tryAgain } from '../state/checkout.ts'
import { isFramed } from '../state/leave.ts'
import { messageOf, needsPress, type Phase, redirectOf } from '../state/phase.ts'
import { method, payable, phase, session, waitingFor } from '../state/session.ts'
import { leftToRight, say, type TextKey } from '../state/texts.ts'
import { Confirm } from './confirm.tsx'
import type { IconName } from './icon.tsx'
import { Panel } from './panel.tsx'
import { Steps } from './steps.tsx'

export function Result(): JSX.Element {
  const now = phase.value
  if (now.at === 'confirm') return <Confirm now={now} />
  if (now.at === 'away') {
    const title =
      method.value?.kind === 'redirect' ? say('awayMethod', { method: method.value.title ?? '' }) : say('awayBank')
    return <Panel icon="busy" title={title} />
  }
  const steps = now.at === 'waiting' ? waitingFor.value : null
  const { icon, title, message } = steps ? stepsShown(steps) : shownAt(now)
  const redirect = redirectOf(now)
  const serverMessage = messageOf(now)
  // The reason says that the payment was declined, so it stands in place of the general title.
  const isTitle = now.at === 'limit' && serverMessage !== null
  return (
    <Panel icon={icon} title={isTitle ? serverMessage : title}>
      {serverMessage !== null && !isTitle && <p>{serverMessage}</p>}
      {message !== null && <p>{message}</p>}
      {steps && <Steps steps={steps} />}
      {now.at === 'unreachable' && (
        <button type="button" class="button" onClick={() => void tryAgain()}>
          {say('tryAgain')}
        </button>
      )}
      {redirect && <WayOn redirect={redirect} at={now.at} />}
      {now.at === 'closed' && (
        <button type="button" class="link" onClick={() => void showAgain()}>
          {say('keepPaying')}
        </button>
      )}
      {!redirect && ends(now) && <p class="quiet">{say('canClose')}</p>}
    </Panel>
  )
}

const ends = ({ at }: Phase): boolean =>
  at === 'success' || at === 'limit' || at === 'expired' || at === 'closed' || at === 'complete'
const leavesByItself = ({ at }: Phase): boolean => at === 'success' || at === 'limit' || at === 'expired'

const stepsShown = ({ kind }: WaitingFor): ShownResult => ({
  icon: 'go',
  title: say(kind === 'crypto' ? 'cryptoTitle' : 'voucherTitle'),
  message: null,
})

interface ShownResult {
  readonly icon: IconName
  readonly title: string
  readonly message: string | null
}

function shownAt({ at }: Phase): ShownResult {
  if (at === 'success') return successShown()
  const row = rows[at]
  if (!row) return { icon: 'busy', title: say('loading'), message: null }
  const [icon, title, message] = row
  return { icon, title: say(title), message: message === null ? null : say(message) }
}

// biome-ignore format: a table is read in columns.
const rows: Readonly<Partial<Record<Phase['at'], readonly [IconName, TextKey, TextKey | null]>>> = {
  // state         sign     title                message
  complete:      ['good', 'completeTitle',    'completeMessage'],
  limit:         ['bad',  'declinedTitle',    'limitMessage'],
  expired:       ['time', 'expiredTitle',     'expiredMessage'],
  closed:        ['bad',  'closedTitle',      'closedMessage'],
  waiting:       ['busy', 'waitingTitle',     'waitingMessage'],
  undefined:     ['time', 'undefinedTitle',   'undefinedMessage'],
  busy:          ['busy', 'waitingTitle',     'waitingMessage'],
  'bad-link':    ['bad',  'badLinkTitle',     'badLinkMessage'],
  unreachable:   ['bad',  'unreachableTitle', 'unreachableMessage'],
  ready:         ['bad',  'noMethodTitle',    'noMethodMessage'],
}

function successShown(): ShownResult {
  const current = session.value
  const kind = current?.operation === 'credit' ? 'received' : current?.auth ? 'authorised' : 'success'
  const values = { amount: payable.value ?? '', order: leftToRight(current?.order.number ?? '') }
  return {
    icon: 'good',
    title: say(`${kind}Title`),
    message: payable.value === null ? null : say(`${kind}Message`, values),
  }
}

/** States in which the payment is still under way. */
const open: readonly Phase['at'][] = ['waiting', 'undefined', 'busy']

/** The way back to the shop. */
function WayOn({ redirect, at }: { readonly redirect: Redirect; readonly at: Phase['at'] }): JSX.Element {
  const now = phase.value
  const pressed = needsPress(redirect, isFramed)
  return (
    <>
      {leavesByItself(now) && !pressed && <p class="quiet">{say('soon')}</p>}
      <a
        class={open.includes(at) ? 'button second' : 'button'}
        href={redirect.url}
        rel="noopener noreferrer"
        {...(pressed ? { target: '_blank' } : {})}
      >
        {say('back', { merchant: session.value?.branding.merchant ?? '' })}
        {pressed && <span class="unseen"> ({say('newTab')})</span>}
      </a>
    </>
  )
}

/** The payer has to confirm the payment at the bank or with the method. Chapter 30 §6.3, §7.2. */
import type { JSX } from 'preact'
import { handleContinue, payAnotherWay } from '../state/cancel.ts'
import { isFramed } from '../state/leave.ts'
import { type ConfirmPhase, needsPress } from '../state/phase.ts'
import { session } from '../state/session.ts'
import { say } from '../state/texts.ts'
import { Challenge } from './challenge.tsx'
import { Panel } from './panel.tsx'

export function Confirm({ now }: { readonly now: ConfirmPhase }): JSX.Element {
  const { where, redirect, pressed, attempt, leave, frame } = now
  const opensWindow = redirect !== null && needsPress(redirect, isFramed)
  const title = pressed ? 'continued' : where === 'bank' ? 'confirmTitle' : 'confirmMethodTitle'
  const other = session.value?.methods.every(({ kind }) => kind === 'card') ? 'otherCard' : 'otherWay'
  return (
    <Panel icon={pressed ? 'busy' : 'go'} title={say(title)}>
      <p>{say('confirmMessage')}</p>
      {opensWindow && !pressed && <p>{say('continueMessage')}</p>}
      {attempt === 'stuck' && <p role="alert">{say('cannotStop')}</p>}
      {redirect && (
        <a
          class={pressed ? 'button second' : 'button'}
          href={redirect.url}
          {...(opensWindow ? { target: '_blank', rel: 'noopener', onClick: handleContinue } : {})}
        >
          {say(where === 'bank' ? 'continueBank' : 'goOn')}
        </a>
      )}
      <button
        type="button"
        class="button second"
        aria-disabled={attempt === 'stopping'}
        onClick={() => void payAnotherWay()}
      >
        {say(other)}
      </button>
      {frame !== null && <Challenge address={frame} other={other} />}
      {leave && (
        <a
          class="link"
          href={leave.url}
          rel="noopener noreferrer"
          {...(needsPress(leave, isFramed) ? { target: '_blank' } : {})}
        >
          {say('back', { merchant: session.value?.branding.merchant ?? '' })}
        </a>
      )}
    </Panel>
  )
}

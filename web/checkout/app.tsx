/** The whole page: the merchant, the order, and the form, the result or the next step. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { focusOn } from '../kit/focus.ts'
import { fieldId } from './fields/field-id.ts'
import { MethodList } from './methods/method-list.tsx'
import { WalletButtons } from './methods/wallet-buttons.tsx'
import { Cancel } from './parts/cancel.tsx'
import { Header } from './parts/header.tsx'
import { Notice, noticeId } from './parts/notice.tsx'
import { resultId } from './parts/panel.tsx'
import { Result } from './parts/result.tsx'
import { type Outline, Skeleton } from './parts/skeleton.tsx'
import { Summary } from './parts/summary.tsx'
import { announce, announcement } from './state/announce.ts'
import { type DeclinedPhase, isOpen } from './state/phase.ts'
import { listedMethods, phase, readyWallets, session, shownFields, walletMethods } from './state/session.ts'
import { say } from './state/texts.ts'

interface AppProps {
  readonly onLanguage: (code: string) => void
  readonly outline: Outline
}

export function App({ onLanguage, outline }: AppProps): JSX.Element {
  const { at } = phase.value
  const current = session.value
  useEffect(() => {
    if (phase.value.at === 'declined') focusAfterDecline(phase.value)
    else if (phase.value.at === 'ready' && phase.value.notice !== null) focusOn(noticeId)
    else if (at !== 'loading' && at !== 'ready' && at !== 'paying') focusOn(resultId)
  }, [at])
  return (
    <div class={at === 'loading' ? 'page loading' : 'page'}>
      <Header onLanguage={onLanguage} />
      <main>
        <h1 class="unseen">{current ? say('title', { merchant: current.branding.merchant }) : say('loading')}</h1>
        {at === 'loading' ? <Skeleton {...outline} /> : <Content />}
      </main>
      <footer>{isEncrypted && <Secure />}</footer>
      <div class="unseen" role="status" aria-live="polite">
        {at === 'paying' ? say('paying') : announcement.value}
      </div>
    </div>
  )
}

/** The focus goes to what is missing. At the code the reason is announced, because the focus does not pass it. */
function focusAfterDecline({ keepsCard, message }: DeclinedPhase): void {
  const isCodeAsked = shownFields.value.some(({ name }) => name === 'card.cvv')
  const staysAtCode = keepsCard && isCodeAsked
  focusOn(staysAtCode ? fieldId('card.cvv') : noticeId)
  if (staysAtCode && message !== null) announce(message)
}

function Content(): JSX.Element {
  const current = session.value
  return (
    <>
      {current?.test && (
        <p class="test">
          <strong>{say('testPayment')}</strong> {say('testHint')}
        </p>
      )}
      <div class="columns">
        {current && <Summary />}
        <div class="work">
          {hasForm() ? <PaymentForm /> : <Result />}
          <Cancel />
        </div>
      </div>
    </>
  )
}

/** Wallets are detected after the page is shown; until then it is unknown whether any method is available. */
function hasForm(): boolean {
  const { at } = phase.value
  if (!isOpen(phase.value) && at !== 'paying') return false
  return listedMethods.value.length > 0 || readyWallets.value === null || walletMethods.value.length > 0
}

function PaymentForm(): JSX.Element {
  const current = session.value
  return (
    <>
      <Notice />
      {current?.moto && <p class="moto">{say('moto')}</p>}
      <WalletButtons />
      <MethodList />
    </>
  )
}

/** A sandbox may run on plain HTTP, where the sentence would not be true. */
const isEncrypted = window.location.protocol === 'https:'

const Secure = (): JSX.Element => (
  <>
    <Lock /> {say('secure')}
  </>
)

const Lock = (): JSX.Element => (
  <svg
    aria-hidden="true"
    viewBox="0 0 16 16"
    width="14"
    height="14"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
  >
    <rect x="3" y="7" width="10" height="7" rx="1.5" />
    <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
  </svg>
)

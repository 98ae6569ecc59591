/** The wallet buttons, above everything else and as wide as the form. Chapter 30 §7.1, §7.7. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { MethodView, PaymentBody, SessionView } from '../page-api.ts'
import { closeWhenSessionChanges, pay } from '../state/checkout.ts'
import { walletPaymentBody } from '../state/payment-body.ts'
import { isOpen } from '../state/phase.ts'
import { listedMethods, phase, readyWallets, session, walletMethods } from '../state/session.ts'
import { commonMembers } from '../state/submit.ts'
import { language, say } from '../state/texts.ts'
import { openWalletASheet } from './wallet-a/sheet.ts'
import { walletBClient } from './wallet-b/provider.ts'
import { openWalletBSheet } from './wallet-b/sheet.ts'

export function WalletButtons(): JSX.Element | null {
  const wallets = walletMethods.value
  if (readyWallets.value === null) return <WalletPlaces />
  if (wallets.length === 0) return null
  return (
    <>
      <section class="wallets" aria-label={say('wallets')} inert={phase.value.at === 'paying'}>
        {wallets.map((method) =>
          method.code === 'walletapay' ? (
            <WalletA key={method.code} method={method} />
          ) : (
            <WalletB key={method.code} method={method} />
          ),
        )}
      </section>
      <Or />
    </>
  )
}

const Or = (): JSX.Element | null =>
  listedMethods.value.length === 0 ? null : (
    <p class="or">
      <span>{say('or')}</span>
    </p>
  )

/** Until the browser has said which wallets it has, their place is kept free: buttons that appear later would move the form. */
function WalletPlaces(): JSX.Element | null {
  const offered = session.value?.methods.filter(({ kind }) => kind === 'wallet') ?? []
  if (offered.length === 0) return null
  return (
    <>
      <div class="wallets" aria-hidden="true">
        {offered.map(({ code }) => (
          <div key={code} class="block" />
        ))}
      </div>
      <Or />
    </>
  )
}

function WalletA({ method }: { readonly method: MethodView }): JSX.Element {
  const press = (): void => {
    const current = session.value
    if (current && isOpen(phase.value))
      openWalletASheet({ session: current, method, orderOf: (token) => orderOf(method, token, current) })
  }
  return (
    <button type="button" class="button wallet-a" lang={language.value.tag} onClick={press}>
      {say('payWith', { wallet: method.title ?? '' })}
    </button>
  )
}

/** The wallet provider draws this button; a change of language draws it again. */
function WalletB({ method }: { readonly method: MethodView }): JSX.Element {
  const holder = useRef<HTMLDivElement>(null)
  const { tag } = language.value
  useEffect(() => {
    const button = walletBClient(method)?.createButton({
      onClick: () => void payWithB(method),
      buttonLocale: tag.slice(0, 2),
      buttonSizeMode: 'fill',
      buttonType: 'pay',
    })
    if (button) holder.current?.replaceChildren(button)
  }, [method, tag])
  return <div class="wallet-b" ref={holder} />
}

async function payWithB(method: MethodView): Promise<void> {
  const current = session.value
  if (!current || !isOpen(phase.value)) return
  const open = new AbortController()
  let stale = false
  // This sheet cannot be closed from outside: its result is discarded instead, because its token contains no amount.
  void closeWhenSessionChanges(current, open.signal, () => {
    stale = true
  })
  const token = await openWalletBSheet(current, method)
  open.abort()
  if (token !== null && !stale) await pay(orderOf(method, token, current))
}

/** `shown` is the session whose amount the sheet showed. */
const orderOf = (method: MethodView, token: string, shown: SessionView): PaymentBody =>
  walletPaymentBody(method, token, commonMembers(shown))

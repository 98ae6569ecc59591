/** What the payer has to do elsewhere: send crypto currency to an address, or show a number at a counter. Chapter 20 §13. */
import type { JSX } from 'preact'
import { instantText } from '../../kit/texts-of-values.ts'
import type { WaitingFor } from '../page-api.ts'
import { payable } from '../state/session.ts'
import { language, say } from '../state/texts.ts'
import { CopyButton } from './copy-button.tsx'

export function Steps({ steps }: { readonly steps: WaitingFor }): JSX.Element {
  const until = steps.until === null ? null : instantText(steps.until, language.value.tag)
  return (
    <>
      <dl class="steps">
        {steps.kind === 'crypto' ? (
          <CryptoRows steps={steps} />
        ) : (
          <>
            <Row name={say('voucherNumber')} value={steps.reference} />
            <Row name={say('amount')} value={payable.value} />
          </>
        )}
        <Row name={say('payUntil')} value={until} />
      </dl>
      {steps.kind === 'crypto' && steps.qr !== null && (
        <svg class="qr" role="img" aria-label={say('cryptoAddress')} viewBox={`0 0 ${steps.qr.size} ${steps.qr.size}`}>
          <rect width="100%" height="100%" fill="#fff" />
          <path d={steps.qr.path} fill="#000" />
        </svg>
      )}
      {steps.kind === 'voucher' && steps.url !== null && (
        <a class="button" href={steps.url} target="_blank" rel="noopener noreferrer">
          {say('voucherOpen')}
          <span class="unseen"> ({say('newTab')})</span>
        </a>
      )}
    </>
  )
}

/** In the order in which a wallet asks for them. */
function CryptoRows({ steps }: { readonly steps: Extract<WaitingFor, { readonly kind: 'crypto' }> }): JSX.Element {
  const { amount, currency, network, address } = steps
  // Wallets take the number alone, so the button copies it without the currency.
  const sent = amount !== null && currency !== null ? `${amount} ${currency}` : payable.value
  return (
    <>
      <Row name={say('amount')} value={sent} copied={amount} />
      <Row name={say('network')} value={network} />
      <Row name={say('cryptoAddress')} value={address} copied={address} />
    </>
  )
}

interface RowProps {
  readonly name: string
  /** Nothing is shown without it. */
  readonly value: string | null
  readonly copied?: string | null
}

function Row({ name, value, copied = null }: RowProps): JSX.Element | null {
  if (value === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
        {copied !== null && <CopyButton name={name} text={copied} />}
      </dd>
    </div>
  )
}

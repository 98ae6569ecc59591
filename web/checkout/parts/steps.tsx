/** What the payer has to do elsewhere: send crypto currency to an address, or show a number at a counter. Chapter 20 §13. */
import type { JSX } from 'preact'
import { instantText } from '../../kit/texts-of-values.ts'
import type { WaitingFor } from '../page-api.ts'
import { payable } from '../state/session.ts'
import { language, say } from '../state/texts.ts'

export function Steps({ steps }: { readonly steps: WaitingFor }): JSX.Element {
  const until = steps.until === null ? null : instantText(steps.until, language.value.tag)
  const rows = [
    ...(steps.kind === 'crypto'
      ? [[say('cryptoAddress'), steps.address] as const, [say('network'), steps.network] as const]
      : [[say('voucherNumber'), steps.reference] as const]),
    [say('amount'), payable.value] as const,
    [say('payUntil'), until] as const,
  ]
  return (
    <>
      <dl class="steps">
        {rows.map(([name, value]) => value !== null && <Row key={name} name={name} value={value} />)}
      </dl>
      {steps.kind === 'voucher' && steps.url !== null && (
        <a class="button" href={steps.url} target="_blank" rel="noopener noreferrer">
          {say('voucherOpen')}
          <span class="unseen"> ({say('newTab')})</span>
        </a>
      )}
    </>
  )
}

const Row = ({ name, value }: { readonly name: string; readonly value: string }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      <bdi>{value}</bdi>
    </dd>
  </div>
)

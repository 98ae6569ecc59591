/** A changed bank account of a merchant, beside the one that it replaces. */
import type { JSX } from 'preact'
import { memberOf, textAt } from '../../api/call.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { accountText } from '../payout-runs/account-text.ts'
import { Holder } from '../payout-runs/holder.tsx'
import type { Approval } from './approval.ts'

export function PayoutAccountRequest({ approval: { request } }: { readonly approval: Approval }): JSX.Element {
  const [account, before] = [memberOf(request, 'account'), memberOf(request, 'before') ?? null]
  return (
    <KeyValues
      rows={[
        ['Currency', textAt(request, 'currency')],
        ['New holder', <Holder name={textAt(account, 'holder')} />],
        ['New account', <span class="mono">{accountText(textAt(account, 'number'))}</span>],
        ['New BIC', textAt(account, 'bic') || '—'],
        before === null && ['Current account', 'No account yet'],
        before !== null && ['Current holder', <Holder name={textAt(before, 'holder')} />],
        before !== null && ['Current account', <span class="mono">{accountText(textAt(before, 'number'))}</span>],
        before !== null && ['Current BIC', textAt(before, 'bic') || '—'],
      ]}
    />
  )
}

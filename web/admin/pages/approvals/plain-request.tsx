/** A request that says everything by itself: a correction, the decision of a dispute, a password, a second factor, a user's rights. */
import type { JSX } from 'preact'
import { memberOf, textAt } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { moneyText } from '../../kit/values/money-text.ts'
import type { Approval } from './approval.ts'

export function PlainRequest({ approval: { kind, request } }: { readonly approval: Approval }): JSX.Element | null {
  const merchants = useMerchants()
  if (kind === 'correction')
    return (
      <KeyValues
        rows={[
          ['Correction', correctionText(request)],
          [
            'Effect',
            textAt(request, 'amountMinor').startsWith('-') ? 'The merchant gets less' : 'The merchant gets more',
          ],
        ]}
      />
    )
  if (kind === 'dispute')
    return (
      <KeyValues
        rows={[
          ['Dispute', textAt(request, 'reference')],
          ['Amount', textAt(request, 'amount')],
          ['Decision', textAt(request, 'decision') === 'won' ? 'Won' : 'Lost'],
          [
            'Effect',
            textAt(request, 'decision') === 'won' ? 'The amount returns to the merchant’s balance' : 'No money moves',
          ],
          memberOf(request, 'isReportMissing') === true && [
            'Report',
            'The acquirer has decided, and its report did not come',
          ],
          ['Evidence', textAt(request, 'evidence')],
        ]}
      />
    )
  if (kind === 'factor-reset')
    return (
      <KeyValues
        rows={[
          ['User', textAt(request, 'name')],
          ['E-mail', textAt(request, 'email')],
          ['Effect', 'Signs in with the password alone, until a new second factor is set up'],
        ]}
      />
    )
  if (kind === 'user-rights')
    return (
      <KeyValues
        rows={[
          ['User', textAt(request, 'name')],
          ['E-mail', textAt(request, 'email')],
          ['Now', rightsText(memberOf(request, 'before'), merchants.title)],
          ['Afterwards', rightsText(memberOf(request, 'after'), merchants.title)],
        ]}
      />
    )
  if (kind === 'password-reveal')
    return <p>After the approval the requester can see the password of this merchant once, within an hour.</p>
  return null
}

function rightsText(rights: unknown, titleOf: (id: string) => string): string {
  const ids = memberOf(rights, 'merchantIds')
  const merchants = Array.isArray(ids) ? ids.map((id) => titleOf(String(id))).join(', ') : ''
  const reach = memberOf(rights, 'allMerchants') === true ? 'all merchants' : merchants
  return `${textAt(rights, 'role')}, ${reach}${textAt(rights, 'status') === 'active' ? '' : ' (disabled)'}`
}

/** A request of an earlier release has no decimals, which matters for a currency that only the operator knows. */
function correctionText(request: unknown): string {
  const [minor, currency] = [textAt(request, 'amountMinor'), textAt(request, 'currency')]
  const decimals = memberOf(request, 'decimals')
  return moneyText({ minor, currency, ...(typeof decimals === 'number' ? { decimals } : {}) })
}

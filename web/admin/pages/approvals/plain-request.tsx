/** A request that says everything by itself: a correction, a password, a second factor. */
import type { JSX } from 'preact'
import { textAt } from '../../api/call.ts'
import { KeyValues } from '../../kit/values/key-values.tsx'
import type { Approval } from './approval.ts'

export function PlainRequest({ approval: { kind, request } }: { readonly approval: Approval }): JSX.Element | null {
  if (kind === 'correction')
    return (
      <KeyValues
        rows={[
          ['Correction', textAt(request, 'amount')],
          [
            'Effect',
            textAt(request, 'amountMinor').startsWith('-') ? 'The merchant gets less' : 'The merchant gets more',
          ],
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
  if (kind === 'password-reveal')
    return <p>After the approval the requester can see the password of this merchant once, within an hour.</p>
  return null
}

/** A request to publish rules, for its approver: what the rules change, and whether the draft has changed since the request. */
import type { JSX } from 'preact'
import { memberOf, textAt } from '../../../api/call.ts'
import { useMerchants } from '../../../api/merchants.ts'
import { useReading } from '../../../api/use-reading.ts'
import { Notice } from '../../../kit/states.tsx'
import { Link } from '../../../router/link.tsx'
import { SubjectResult } from '../../approvals/subject-result.tsx'
import { rulesFrom } from '../rule/draft-rule.ts'
import { ChangesView } from './changes-view.tsx'

export function PublishRequest({ request }: { readonly request: unknown }): JSX.Element {
  const ruleSet = textAt(request, 'ruleSet')
  const merchants = useMerchants()
  const read = useReading('GET /routing/sets/:ruleSet', { params: { ruleSet } })
  return (
    <SubjectResult read={read} lines={3}>
      {({ published, draft, merchantId }) =>
        draft?.revision === memberOf(request, 'revision') ? (
          <>
            <p>
              Rules of {merchantId === null ? 'all merchants' : merchants.title(merchantId)}.{' '}
              {draft?.note || 'The draft has no note.'}{' '}
              <Link to={ruleSet === 'global' ? '/routing' : `/routing?set=${ruleSet}`}>View draft</Link>
            </p>
            <ChangesView before={rulesFrom(published?.rules ?? [])} after={rulesFrom(draft?.rules ?? [])} />
          </>
        ) : (
          <Notice tone="warn">
            <p>The requested draft no longer exists. It was changed, published or deleted.</p>
          </Notice>
        )
      }
    </SubjectResult>
  )
}

/** Of a request that was left: whether the same was requested again, before it is carried out a second time. */
import type { JSX } from 'preact'
import { Notice } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import type { Approval } from './approval.ts'
import { approvalStates } from './states.ts'

type Later = Approval['laterRequests'][number]

export function LaterRequests({ of: { laterRequests } }: { readonly of: Approval }): JSX.Element | null {
  if (laterRequests.length === 0) return null
  return (
    <Notice tone="bad">
      <p>The same was requested again. Dismiss this request if the later one is to be carried out, or was.</p>
      <ul>
        {laterRequests.map((one) => (
          <li key={one.id}>
            {stateText(one)}: requested by {one.askedByName}, <DateTime at={one.askedAt} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const stateText = ({ state }: Later): string => approvalStates.find(({ value }) => value === state)?.text ?? state

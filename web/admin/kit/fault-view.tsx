/** Shows a refusal or a failure and what the user can do about it. */
import type { JSX } from 'preact'
import type { Fault } from '../api/call.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface FaultViewProps {
  readonly fault: Fault
  readonly onRetry?: (() => void) | undefined
}

export function FaultView({ fault, onRetry }: FaultViewProps): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <Icon name="alert" />
      <div>
        <p>{fault.text}</p>
        {fault.fields.length > 0 && (
          <ul>
            {fault.fields.map(({ field, text }) => (
              <li key={field + text}>{field === '' ? text : `${field}: ${text}`}</li>
            ))}
          </ul>
        )}
        {fault.requestId !== null && <p class="faint">Request {fault.requestId}</p>}
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </div>
  )
}

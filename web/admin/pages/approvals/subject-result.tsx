/** What a request is about, once it is loaded. If it cannot be, the second person is told so, and what to do, before deciding blindly. */
import type { ComponentChildren, JSX } from 'preact'
import type { Fault } from '../../api/call.ts'
import type { Read } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { Notice, Skeleton } from '../../kit/states.tsx'

interface SubjectResultProps<T> {
  readonly read: Read<T>
  readonly lines: number
  readonly children: (value: T) => ComponentChildren
}

export function SubjectResult<T>({ read, lines, children }: SubjectResultProps<T>): JSX.Element {
  const { value, fault, reload } = read
  if (value !== null) return <>{children(value)}</>
  if (fault === null) return <Skeleton lines={lines} />
  return (
    <Notice tone="bad">
      <div role="alert">
        <p>{textOf(fault)}</p>
        {fault.requestId !== null && <p class="faint">Request {fault.requestId}</p>}
        <Button onClick={reload}>Reload</Button>
      </div>
    </Notice>
  )
}

function textOf({ code, text }: Fault): string {
  if (code === 'not_found')
    return 'The item was not found. Reload the page; if it is still missing, refuse the request.'
  if (code === 'forbidden')
    return 'You do not have permission to see what this request is about. Leave the decision to a user who has it.'
  return `What this request is about could not be loaded. Reload before you decide. ${text}`
}

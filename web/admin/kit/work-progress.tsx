/**
 * A long task of the user: its progress, a button to cancel it, and its result. The task's id is part of the address, so a reload shows it
 * again.
 */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Answer, call } from '../api/call.ts'
import { useReading } from '../api/use-reading.ts'
import { currentAddress, setQuery } from '../router/current-address.ts'
import { Button } from './button.tsx'
import { cutFailuresText } from './cut-failures.ts'
import { FaultView } from './fault-view.tsx'
import { Section } from './page.tsx'
import { Progress } from './progress.tsx'
import { Notice } from './states.tsx'
import { toastFault } from './toasts.tsx'

export type Work = Answer<'GET /work/:workId'>

/** The query parameter in the address. */
const parameter = 'work'

export const showWork = (id: string): void => setQuery({ [parameter]: id }, { replace: true })

interface WorkProgressProps {
  /** For example "Capturing holds". */
  readonly title: string
  /** For example "12 holds were captured." */
  readonly outcome: (work: Work) => string
  /** Shows an item that failed; the server names it by its subject. */
  readonly subject?: ((subject: string) => ComponentChildren) | undefined
  /** Called when the task has changed something. */
  readonly onStep: () => void
}

export function WorkProgress(props: WorkProgressProps): JSX.Element | null {
  const workId = currentAddress.value.query.get(parameter)
  return workId === null ? null : <OneWork key={workId} workId={workId} {...props} />
}

const everyMs = 500

function OneWork({ workId, title, outcome, subject, onStep }: WorkProgressProps & { readonly workId: string }) {
  const isOver = useSignal(false)
  const read = useReading('GET /work/:workId', { params: { workId }, everyMs: isOver.value ? 0 : everyMs })
  const work = read.value
  const state = work?.state
  useEffect(() => {
    if (state === undefined || state === 'running') return
    isOver.value = true
    onStep()
  }, [state])
  const cancel = async (): Promise<void> => {
    const result = await call('DELETE /work/:workId', { params: { workId }, body: {} })
    if (!result.ok) return toastFault(result.fault)
    read.reload()
  }
  const close = (): void => setQuery({ [parameter]: null }, { replace: true })
  return (
    <Section
      title={title}
      actions={
        <Button small kind="quiet" onClick={close}>
          Hide
        </Button>
      }
    >
      {read.fault && <FaultView fault={read.fault} onRetry={read.reload} />}
      {work?.state === 'running' && (
        <Progress label={title} done={Number(work.done)} total={Number(work.total)} onCancel={() => void cancel()} />
      )}
      {work && work.state !== 'running' && <FinishedWork work={work} outcome={outcome} subject={subject} />}
    </Section>
  )
}

/** The number of items that did not fail. */
export const countSucceeded = ({ done, failed }: Work): number => Number(done) - Number(failed)

interface FinishedWorkProps extends Pick<WorkProgressProps, 'outcome' | 'subject'> {
  readonly work: Work
}

function FinishedWork({ work, outcome, subject }: FinishedWorkProps): JSX.Element {
  const isGood = work.state === 'done' && work.failed === '0'
  const cut = cutFailuresText(work)
  return (
    <Notice tone={isGood ? 'good' : 'warn'}>
      <div>
        <p role="status">
          {work.state === 'cancelled' && 'Cancelled. Completed items are not undone. '}
          {work.state === 'failed' && 'Stopped by an error. '}
          {outcome(work)}
        </p>
        {work.failures.length > 0 && (
          <ul>
            {work.failures.map((one) => (
              <li key={one.subject}>
                {subject?.(one.subject) ?? one.subject}: {one.text}
              </li>
            ))}
          </ul>
        )}
        {cut !== null && <p>{cut}</p>}
      </div>
    </Notice>
  )
}

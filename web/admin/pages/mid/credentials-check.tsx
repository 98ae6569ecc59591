/** Asks the acquirer whether the stored credentials are right, and shows its answer. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { Section } from '../../kit/page.tsx'
import { Notice, type Tone } from '../../kit/states.tsx'
import type { CredentialField } from './credential-schema.ts'

type Check = Answer<'POST /mids/:midId/check'>
type Result = Awaited<ReturnType<typeof askAcquirer>>

interface CredentialsCheckProps {
  readonly midId: string
  readonly fields: readonly CredentialField[]
}

const askAcquirer = (midId: string) => call('POST /mids/:midId/check', { params: { midId }, body: {} })

export function CredentialsCheck({ midId, fields }: CredentialsCheckProps): JSX.Element {
  const isAsking = useSignal(false)
  const result = useSignal<Result | null>(null)
  const ask = async (): Promise<void> => {
    isAsking.value = true
    result.value = null
    result.value = await askAcquirer(midId)
    isAsking.value = false
  }
  return (
    <Section
      title="Check"
      actions={
        <Button busy={isAsking.value} onClick={() => void ask()}>
          Check credentials
        </Button>
      }
    >
      <p class="faint">Asks the acquirer whether the stored credentials are right. No money moves.</p>
      <div role="status">{result.value && <CheckResult result={result.value} fields={fields} />}</div>
    </Section>
  )
}

// biome-ignore format: a table is read in columns.
const tones: Readonly<Record<Check['kind'], Tone>> = {
  accepted:      'good',
  refused:       'bad',
  'no-answer':   'warn',
  'not-offered': 'info',
}

function CheckResult({ result, fields }: Pick<CredentialsCheckProps, 'fields'> & { readonly result: Result }) {
  if (!result.ok) return <FaultView fault={result.fault} />
  const { kind, field, text } = result.value
  const label = fields.find(({ name }) => name === field)?.label ?? field
  return (
    <Notice tone={tones[kind]}>
      <p>
        {label !== null && <strong>{label}: </strong>}
        {text}
      </p>
    </Notice>
  )
}

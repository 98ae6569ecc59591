/**
 * Validates wallet settings at the service while they are typed, by the same rules as saving, so that a key with line breaks or the
 * certificate of another key is explained before anything is stored.
 */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Answer, Result } from '../../../api/call.ts'
import type { FieldBinding, FormState } from '../../../kit/form/use-form.ts'
import { Notice } from '../../../kit/states.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { addRemedy } from './entry-remedy.ts'

type Judgement = Answer<'POST /platform-wallet/validate'>

type Judge<Values> = (values: Values, signal: AbortSignal) => Promise<Result<Judgement>>

/** Long enough for a paste to be complete, short enough to answer before the next field. */
const pauseMs = 500

/** Null `judge` validates nothing, for users who may only read. */
export function useJudgement<Values extends object>(
  form: FormState<Values>,
  judge: Judge<Values> | null,
): Judgement | null {
  const judgement = useSignal<Judgement | null>(null)
  const typed = JSON.stringify(form.values)
  useEffect(() => {
    if (!form.isDirty || judge === null) {
      judgement.value = null
      return
    }
    const cancellation = new AbortController()
    const timer = setTimeout(async () => {
      const result = await judge(form.values, cancellation.signal).catch(() => null)
      if (result?.ok && !cancellation.signal.aborted) judgement.value = result.value
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      cancellation.abort()
    }
  }, [typed])
  return judgement.value
}

/** Only typed fields show faults: empty ones are required when the form is saved. */
export function withJudgement<Values extends object>(
  form: FormState<Values>,
  judgement: Judgement | null,
): FormState<Values> {
  const faultOf = (name: string): string | null => judgement?.faults.find(({ field }) => field === name)?.text ?? null
  return {
    ...form,
    at: (name) => {
      const bound: FieldBinding<Values[typeof name]> = form.at(name)
      const error = bound.error ?? (String(bound.value) === '' ? null : faultOf(name))
      return { ...bound, error: error === null ? null : addRemedy(error) }
    },
  }
}

export function Remarks({ judgement }: { readonly judgement: Judgement | null }): JSX.Element | null {
  if (judgement === null) return null
  const { notes, keys, faults } = judgement
  if (notes.length === 0 && keys.length === 0 && faults.length > 0) return null
  return (
    <Notice tone={faults.length === 0 ? 'good' : 'info'}>
      <div role="status">
        <ul class="bare">
          {faults.length === 0 && <li>All entries are valid.</li>}
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          {keys.map(({ role, fingerprint, certificateUntil }) => (
            <li key={fingerprint}>
              {role} key <span class="mono">{fingerprint.slice(0, 16)}…</span>
              {certificateUntil !== null && (
                <>
                  {' with a certificate until '}
                  <DateTime at={certificateUntil} />
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}

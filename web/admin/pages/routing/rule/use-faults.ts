/** Validates rules at the service while they are edited. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, type FieldFault } from '../../../api/call.ts'
import type { DraftRule } from './draft-rule.ts'

/** Long enough to finish a word. */
const pauseMs = 300

export function useFaults(rules: readonly DraftRule[]): readonly FieldFault[] {
  const faults = useSignal<readonly FieldFault[]>([])
  const text = JSON.stringify(rules)
  useEffect(() => {
    const cancellation = new AbortController()
    const ask = async (): Promise<void> => {
      const request = { body: { rules }, signal: cancellation.signal }
      const result = await call('POST /routing/validate', request).catch(() => null)
      if (result?.ok && !cancellation.signal.aborted) faults.value = result.value.faults
    }
    const timer = setTimeout(() => void ask(), pauseMs)
    return () => {
      clearTimeout(timer)
      cancellation.abort()
    }
  }, [text])
  return faults.value
}

/** The faults below a path such as `0.conditions.1`, with paths relative to it. */
export const faultsBelow = (faults: readonly FieldFault[], path: string): readonly FieldFault[] =>
  faults.flatMap(({ field, text }) => {
    if (field === path) return [{ field: '', text }]
    return field.startsWith(`${path}.`) ? [{ field: field.slice(path.length + 1), text }] : []
  })

/** The first fault of a member or of anything within it. */
export const faultAt = (faults: readonly FieldFault[], name: string): string | null =>
  faultsBelow(faults, name)[0]?.text ?? null

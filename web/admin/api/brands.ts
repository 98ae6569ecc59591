/** The brands by code, as suggestions; empty for users who may not see them. */
import type { Suggestion } from '../kit/form/codes.ts'
import { may } from '../session/session.ts'
import { useReading } from './use-reading.ts'

export function useBrandCodes(): readonly Suggestion[] {
  const read = useReading('GET /brands', { when: may('brands.read') })
  return (read.value?.brands ?? []).map(({ code }) => ({ code, name: code }))
}

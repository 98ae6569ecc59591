/** The names that rules may use, for those who may see them; others type them. */
import { useReading } from '../../api/use-reading.ts'
import { may } from '../../session/session.ts'
import type { Listed } from './kinds.ts'

export type Names = Readonly<Record<Listed, readonly string[]>>

export function useNames(): Names {
  const mids = useReading('GET /mids', { when: may('mids.read') })
  const brands = useReading('GET /brands', { when: may('brands.read') })
  const codes = (brands.value?.brands ?? []).map(({ code }) => code)
  return {
    mids: (mids.value?.mids ?? []).map(({ name }) => name),
    brands: codes,
    methods: codes.length === 0 ? [] : ['card', ...codes],
  }
}

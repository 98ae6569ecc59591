/** The names that rules may use, for users who may see them; other users type them. */
import { useReading } from '../../api/use-reading.ts'
import { may } from '../../session/session.ts'
import { ownFirst } from './own-first.ts'
import type { NameSource } from './rule/kinds.ts'

export type Names = Readonly<Record<NameSource, readonly string[]>>

/** The MIDs of the rules' merchant come first, in the order in which its payments try them; null means all merchants. */
export function useNames(merchantId: string | null): Names {
  const mids = useReading('GET /mids', { when: may('mids.read') })
  const mapped = useReading('GET /merchants/:merchantId/mappings', {
    params: { merchantId: merchantId ?? '' },
    when: merchantId !== null && may('mappings.read'),
  })
  const brands = useReading('GET /brands', { when: may('brands.read') })
  const codes = (brands.value?.brands ?? []).map(({ code }) => code)
  return {
    mids: ownFirst(mids.value?.mids ?? [], mapped.value?.mappings ?? []),
    brands: codes,
    methods: codes.length === 0 ? [] : ['card', ...codes],
  }
}

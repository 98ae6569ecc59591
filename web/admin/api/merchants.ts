/** The merchants of the user by name. Most data belongs to a merchant, which the API names only by id. Read once, and again on demand. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Choice } from '../kit/form/fields.tsx'
import { type Answer, call } from './call.ts'

type Merchant = Answer<'GET /merchants'>['merchants'][number]

const merchantList = signal<readonly Merchant[] | null>(null)
let isAsking = false

/** Called after a merchant was created or renamed. */
export async function refreshMerchants(): Promise<void> {
  isAsking = true
  const result = await call('GET /merchants').catch(() => null)
  isAsking = false
  if (result?.ok) merchantList.value = result.value.merchants
}

export interface Merchants {
  readonly list: readonly Merchant[]
  /** The title of a merchant, or the beginning of its id while the title is unknown. */
  readonly title: (id: string | null) => string
  /** For fields and filters. */
  readonly choices: readonly Choice[]
}

export function useMerchants(): Merchants {
  useEffect(() => {
    if (merchantList.value === null && !isAsking) void refreshMerchants()
  }, [])
  const list = merchantList.value ?? []
  return {
    list,
    title: (id) => (id === null ? 'All merchants' : (list.find((one) => one.id === id)?.title ?? id.slice(0, 8))),
    choices: list.map(({ id, title }) => ({ value: id, text: title })),
  }
}

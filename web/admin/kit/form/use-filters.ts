/** Filters that live in the address: a list can be sent to somebody else, and the way back leads to it as it was. */
import { place, setQuery } from '../../router/place.ts'

export interface Filters<Name extends string> {
  /** Empty where nothing was asked for. */
  readonly values: Readonly<Record<Name, string>>
  readonly set: (changes: { readonly [N in Name]?: string }) => void
  readonly clear: () => void
  /** How many are set. */
  readonly count: number
}

export function useFilters<const Name extends string>(
  names: readonly Name[],
  usual: { readonly [N in Name]?: string } = {},
): Filters<Name> {
  const { query } = place.value
  const entries = names.map((name) => [name, query.get(name) ?? usual[name] ?? ''] as const)
  const values = Object.fromEntries(entries) as Record<Name, string>
  return {
    values,
    set: (changes) => setQuery(changes as Readonly<Record<string, string>>, { replace: true }),
    clear: () => setQuery(Object.fromEntries(names.map((name) => [name, null])), { replace: true }),
    count: names.filter((name) => query.has(name)).length,
  }
}

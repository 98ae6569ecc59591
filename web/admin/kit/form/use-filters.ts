/** Filters in the address of the page: the list can be shared as a link, and going back restores it. */
import { currentAddress, setQuery } from '../../router/current-address.ts'

export interface Filters<Name extends string> {
  /** Empty if the filter is not set. */
  readonly values: Readonly<Record<Name, string>>
  readonly set: (changes: { readonly [N in Name]?: string }) => void
  readonly clear: () => void
  /** The number of filters that are set. */
  readonly count: number
}

export function useFilters<const Name extends string>(
  names: readonly Name[],
  usual: { readonly [N in Name]?: string } = {},
): Filters<Name> {
  const { query } = currentAddress.value
  const entries = names.map((name) => [name, query.get(name) ?? usual[name] ?? ''] as const)
  const values = Object.fromEntries(entries) as Record<Name, string>
  return {
    values,
    set: (changes) => setQuery(changes as Readonly<Record<string, string>>, { replace: true }),
    clear: () => setQuery(Object.fromEntries(names.map((name) => [name, null])), { replace: true }),
    count: names.filter((name) => query.has(name)).length,
  }
}

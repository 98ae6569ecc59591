/** Puts the MIDs of a merchant first, by priority, because a rule that names any other MID has no effect. */
interface NamedMid {
  readonly id: string
  readonly name: string
}

interface MappedMid {
  readonly midId: string
  readonly priority: number
}

export function ownFirst(mids: readonly NamedMid[], mappings: readonly MappedMid[]): readonly string[] {
  const priorities = new Map(mappings.map(({ midId, priority }) => [midId, priority]))
  const rank = ({ id }: NamedMid): number => priorities.get(id) ?? Number.MAX_SAFE_INTEGER
  return mids.toSorted((one, other) => rank(one) - rank(other)).map(({ name }) => name)
}

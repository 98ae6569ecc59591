/** The differences between two JSON values, leaf by leaf. */
interface Difference {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export function differencesOf(before: unknown, after: unknown): readonly Difference[] {
  const [old, next] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...old.keys(), ...next.keys()])]
    .filter((path) => old.get(path) !== next.get(path))
    .map((path) => ({ path, before: old.get(path) ?? null, after: next.get(path) ?? null }))
}

function leavesOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (value === undefined || (value === null && path === '')) return new Map()
  if (typeof value !== 'object' || value === null) return new Map([[path, text(value)]])
  const members = Object.entries(value)
  if (members.length === 0) return new Map([[path, Array.isArray(value) ? '[]' : '{}']])
  return new Map(members.flatMap(([name, member]) => [...leavesOf(member, path === '' ? name : `${path}.${name}`)]))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

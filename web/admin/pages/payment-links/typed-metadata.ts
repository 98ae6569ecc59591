/** Metadata of a payment link as it is typed: one name and value per line. */

/** Null if a line has no name. */
export function membersOf(typed: string): Readonly<Record<string, string>> | null {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const members = lines.map((line) => /^\s*([^=]*[^=\s])\s*=\s*(.*?)\s*$/.exec(line))
  if (members.some((found) => found === null)) return null
  return Object.fromEntries(members.map((found) => [found?.[1] ?? '', found?.[2] ?? '']))
}

/**
 * Which accounts one person may control: whoever could come to sign in as an account, and whoever that account could. Two accounts that one person may control do
 * not approve each other's requests. See decisions/people#second-person.
 */

/** One user could come to sign in as another. */
export interface Hold {
  readonly giverId: string
  readonly userId: string
  readonly how: 'created' | 'invited' | 'password' | 'factor' | 'enabled' | 'rights' | 'key'
  readonly at: Date
  /** From then on it no longer counts. */
  readonly until: Date
}

interface Tie {
  /** From the person who may control both, to each of the two. */
  readonly holds: readonly Hold[]
  /** When the two are no longer tied. */
  readonly until: Date
}

/** Null if no single person may control both accounts. */
export function findTie(holds: readonly Hold[], one: string, other: string): Tie | null {
  const chain = findChain(holds, one, other)
  if (chain === null) return null
  const ends = holds.map(({ until }) => until.getTime()).toSorted((a, b) => a - b)
  const end = ends.find((at) => findChain(laterThan(holds, at), one, other) === null)
  return { holds: chain, until: new Date(end ?? 0) }
}

const laterThan = (holds: readonly Hold[], at: number): readonly Hold[] =>
  holds.filter(({ until }) => until.getTime() > at)

function findChain(holds: readonly Hold[], one: string, other: string): readonly Hold[] | null {
  const [first, second] = [controllersOf(holds, one), controllersOf(holds, other)]
  for (const [id, chain] of first) {
    const others = second.get(id)
    if (others !== undefined) return [...chain, ...others]
  }
  return null
}

/** Who may control an account, the nearest first, each with the holds that lead from there to the account. */
function controllersOf(holds: readonly Hold[], userId: string): ReadonlyMap<string, readonly Hold[]> {
  const found = new Map<string, readonly Hold[]>([[userId, []]])
  // Grows while it is read.
  for (const [id, chain] of found)
    for (const hold of holds)
      if (hold.userId === id && !found.has(hold.giverId)) found.set(hold.giverId, [hold, ...chain])
  return found
}

/** All accounts that a user may control, the user's own included. */
export function listControlled(holds: readonly Hold[], userId: string): ReadonlySet<string> {
  const found = new Set([userId])
  // As above.
  for (const id of found) for (const hold of holds) if (hold.giverId === id) found.add(hold.userId)
  return found
}

/** All accounts that are tied to that of the user, and the user's own. */
export function listTied(holds: readonly Hold[], userId: string): readonly string[] {
  const tied = new Set([userId])
  for (const controller of controllersOf(holds, userId).keys())
    for (const id of listControlled(holds, controller)) tied.add(id)
  return [...tied]
}

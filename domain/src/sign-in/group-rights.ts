/**
 * The rights that a group of the identity provider gives, as a text: `owners=owner; support=support; acme=merchant-admin:acme+acme-outlet`.
 * A group may contain `=`, as names of directories do: the last one counts. Chapter 70 §9.
 */

export interface GroupRule {
  readonly group: string
  readonly role: string
  /** Short names of merchants; `all` for every merchant. */
  readonly merchants: 'all' | readonly string[]
}

interface GroupRights {
  readonly role: string
  readonly merchants: 'all' | readonly string[]
}

/** Null if it cannot be read. */
export function readGroupRules(text: string): readonly GroupRule[] | null {
  const parts = text.split(';').map((part) => part.trim())
  const rules = parts.filter((part) => part !== '').map(ruleIn)
  return rules.length > 0 && rules.every((rule) => rule !== null) ? rules : null
}

function ruleIn(text: string): GroupRule | null {
  const [, group = '', role = '', list] =
    /^(.+)=\s*([a-z0-9-]+)(?::\s*([a-z0-9-]+(?:\+[a-z0-9-]+)*))?$/.exec(text) ?? []
  return role === '' ? null : { group: group.trim(), role, merchants: list === undefined ? 'all' : list.split('+') }
}

/** The first rule with one of the user's groups decides the role; the merchants of all rules with this role are added up. */
export function rightsOfGroups(rules: readonly GroupRule[], groups: readonly string[]): GroupRights | null {
  const own = rules.filter(({ group }) => groups.includes(group))
  const [first] = own
  if (first === undefined) return null
  const merchants = new Set<string>()
  for (const rule of own) {
    if (rule.role !== first.role) continue
    if (rule.merchants === 'all') return { role: first.role, merchants: 'all' }
    for (const name of rule.merchants) merchants.add(name)
  }
  return { role: first.role, merchants: [...merchants] }
}

/** Reads docs/operations/panel-access.md as a table: what tests expect of the panel. It is written by hand, independently of the code. */
import { readFileSync } from 'node:fs'

type Whose = 'anyone' | 'oneself' | 'own merchants' | 'platform'

export interface AccessRow {
  readonly whose: Whose
  /** The built-in roles that may call the endpoint. */
  readonly roles: ReadonlySet<string>
}

const page = new URL('../../../docs/operations/panel-access.md', import.meta.url)
const everyWhose: readonly Whose[] = ['anyone', 'oneself', 'own merchants', 'platform']

/** By endpoint, such as `GET /payments`. */
export function accessTable(): ReadonlyMap<string, AccessRow> {
  const table = new Map<string, AccessRow>()
  let roles: readonly string[] = []
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    const [first = '', second, ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (first === 'Endpoint') roles = cells
    const endpoint = /^`([A-Z]+ \/\S+)`$/.exec(first)?.[1]
    if (endpoint === undefined) continue
    const whose = everyWhose.find((known) => known === second)
    const isReadable = whose !== undefined && cells.length === roles.length && !table.has(endpoint)
    if (!isReadable) throw new Error(`This row cannot be read, or stands there twice: ${line}`)
    table.set(endpoint, { whose, roles: new Set(roles.filter((_, index) => cells[index] === '●')) })
  }
  return table
}

/** Whether the table grants access; `scoped` users are restricted to some merchants. */
export function isAllowed({ whose, roles }: AccessRow, role: string, scoped: boolean): boolean {
  return roles.has(role) && !(whose === 'platform' && scoped)
}

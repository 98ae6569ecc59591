/** Samples connections and rows of a database while payments are made. */
import type { Pool } from '#server/store/database/pool.ts'

interface DatabaseSample {
  readonly connections: number
  readonly rows: ReadonlyMap<string, number>
}

/** The pools of two processes may still be filling after the middle. */
const slackConnections = 16
/** A table may have this much more per payment in the second half, because work of the first half may be written then. */
const slackRatio = 1.5
const slackRows = 50

export class DatabaseWatch {
  readonly #pool: Pool
  readonly #samples: DatabaseSample[] = []
  #tables: readonly string[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async sample(): Promise<void> {
    if (this.#tables.length === 0) this.#tables = await tablesOf(this.#pool)
    const counts = this.#tables.map((table) => `select '${table}' as table, count(*)::int as rows from ${table}`)
    const counted = await this.#pool.query<{ table: string; rows: number }>(counts.join(' union all '))
    const connected = await this.#pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    this.#samples.push({
      connections: connected.rows[0]?.count ?? 0,
      rows: new Map(counted.rows.map(({ table, rows }) => [table, rows])),
    })
  }

  connections(): string {
    const { middle, last } = this.#ends()
    return `${middle.connections} to ${last.connections}`
  }

  extraConnections(): number {
    const { middle, last } = this.#ends()
    return Math.max(0, last.connections - middle.connections - slackConnections)
  }

  rowsPerPayment(): string {
    const { before, after } = this.#halves()
    const sum = (rows: ReadonlyMap<string, number>): number => [...rows.values()].reduce((total, one) => total + one, 0)
    return `${perPayment(before, sum(before))} and ${perPayment(after, sum(after))}`
  }

  /** Sentences about tables whose rows per payment grew over time. */
  growingTables(): readonly string[] {
    const { before, after } = this.#halves()
    const [first, second] = [before.get('payments') ?? 0, after.get('payments') ?? 0]
    return this.#tables.flatMap((table) => {
      const due = ((before.get(table) ?? 0) / Math.max(1, first)) * second
      const rows = after.get(table) ?? 0
      if (rows <= due * slackRatio + slackRows) return []
      return [`${table} got ${rows} rows in the second half, where ${Math.round(due)} would be as in the first`]
    })
  }

  #halves() {
    const { first, middle, last } = this.#ends()
    return { before: growthBetween(first, middle), after: growthBetween(middle, last) }
  }

  #ends() {
    const [first, middle, last] = [0, Math.floor(this.#samples.length / 2), -1].map((at) => this.#samples.at(at))
    if (!first || !middle || !last) throw new Error('The database was not sampled.')
    return { first, middle, last }
  }
}

const growthBetween = (from: DatabaseSample, to: DatabaseSample): ReadonlyMap<string, number> =>
  new Map([...to.rows].map(([table, rows]) => [table, rows - (from.rows.get(table) ?? 0)]))

const perPayment = (rows: ReadonlyMap<string, number>, sum: number): string =>
  (sum / Math.max(1, rows.get('payments') ?? 0)).toFixed(1)

async function tablesOf(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`,
  )
  return rows.map(({ name }) => name)
}

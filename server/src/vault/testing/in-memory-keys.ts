import type { DataKeyRow, DataKeyRows } from '../port.ts'

/** Data keys without a database, for tests. Every answer comes in a later tick, so that races occur as in production. */
export class InMemoryKeys implements DataKeyRows {
  readonly rows: DataKeyRow[] = []
  /** How often a scope was loaded. */
  loads = 0

  async load(scope: string): Promise<readonly DataKeyRow[]> {
    this.loads += 1
    await waitATick()
    return this.rows.filter((row) => row.scope === scope)
  }

  async add(row: DataKeyRow): Promise<'added' | 'exists'> {
    await waitATick()
    if (this.#indexOf(row) >= 0) return 'exists'
    this.rows.push(row)
    return 'added'
  }

  async replaceWrapping(row: DataKeyRow): Promise<void> {
    await waitATick()
    const index = this.#indexOf(row)
    if (index >= 0) this.rows[index] = row
  }

  async *scopes(): AsyncIterable<string> {
    await waitATick()
    yield* [...new Set(this.rows.map((row) => row.scope))].sort()
  }

  async countByKek(): Promise<ReadonlyMap<string, number>> {
    await waitATick()
    return new Map(
      Object.entries(Object.groupBy(this.rows, (row) => row.kekId)).map(([id, rows]) => [id, rows?.length ?? 0]),
    )
  }

  #indexOf({ scope, version }: DataKeyRow): number {
    return this.rows.findIndex((row) => row.scope === scope && row.version === version)
  }
}

const waitATick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

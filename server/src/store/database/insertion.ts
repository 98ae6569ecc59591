/** An INSERT as a table of columns, so that a column and its value are in one line and cannot drift apart. */
interface Insertion<T> {
  /** `insert into t (a, b) values ($1, $2)`, with parameters numbered from `first`; with `from`, one row per row of that source. */
  text(first: number, from?: string): string
  values(of: T): readonly unknown[]
  readonly width: number
}

/** `written` turns the parameter into an expression, for values that the database computes. */
export type Column<T> = readonly [name: string, value: (of: T) => unknown, written?: (param: string) => string]

export function insertion<T>(table: string, columns: readonly Column<T>[]): Insertion<T> {
  const names = columns.map(([name]) => name).join(', ')
  return {
    text: (first, from) => {
      const params = columns.map(([, , written = identity], index) => written(`$${first + index}`)).join(', ')
      return `insert into ${table} (${names}) ${from ? `select ${params} from ${from}` : `values (${params})`}`
    },
    values: (of) => columns.map(([, value]) => value(of)),
    width: columns.length,
  }
}

/** The `set` list of an UPDATE, written as the same kind of table. */
interface Assignment<T> {
  /** `a = $4, b = $5`. */
  readonly text: string
  values(of: T): readonly unknown[]
  /** The number of the first parameter after these. */
  readonly next: number
}

export function assignment<T>(first: number, columns: readonly Column<T>[]): Assignment<T> {
  return {
    text: columns.map(([name, , written = identity], index) => `${name} = ${written(`$${first + index}`)}`).join(', '),
    values: (of) => columns.map(([, value]) => value(of)),
    next: first + columns.length,
  }
}

const identity = (param: string): string => param

/** JSON for a jsonb column. It never contains a bigint, because money has its own columns. */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

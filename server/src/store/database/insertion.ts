/** An INSERT written as a table of columns, so that a column and its value stand in one row and cannot drift apart. */
interface Insertion<T> {
  /** `insert into t (a, b) values ($1, $2)`, the parameters counted from `first`; once per row of `from` when that is given. */
  text(first: number, from?: string): string
  values(of: T): readonly unknown[]
  readonly width: number
}

/** `written` makes an expression of the parameter, for what the database itself works out. */
export type Column<T> = readonly [name: string, value: (of: T) => unknown, written?: (param: string) => string]

export function insertion<T>(table: string, columns: readonly Column<T>[]): Insertion<T> {
  const names = columns.map(([name]) => name).join(', ')
  return {
    text: (first, from) => {
      const params = columns.map(([, , written = itself], index) => written(`$${first + index}`)).join(', ')
      return `insert into ${table} (${names}) ${from ? `select ${params} from ${from}` : `values (${params})`}`
    },
    values: (of) => columns.map(([, value]) => value(of)),
    width: columns.length,
  }
}

const itself = (param: string): string => param

/** JSON for a jsonb column; bigint never gets there, because money has columns of its own. */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/**
 * An INSERT as a table of columns, so that a column and its value are in one line and cannot drift apart.
 *
 * The same table writes one row, from parameters, or a group of rows, from one parameter with their JSON. A value that is an object becomes
 * JSON in both forms.
 */
interface Insertion<T> {
  /** `insert into t (a, b) values ($1, $2)`, with parameters numbered from `first`; with `from`, one row per row of that source. */
  text(first: number, from?: string): string
  values(of: T): readonly unknown[]
  readonly width: number
  /** Inserts a row for each object of the JSON array that the parameter has. */
  groupText(param: string): string
  groupValue(of: readonly T[]): string
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
    groupText: (param) => {
      const read = columns.map(([name, , written]) =>
        written ? written(`(element ->> '${computedFrom(name)}')`) : `given.${name}`,
      )
      const source = columns.some(([, , written]) => written) ? elementsOf : recordsOf
      return `insert into ${table} (${names}) select ${read.join(', ')}
     from ${source(table, param)}`
    },
    groupValue: (of) => groupValue(of.map(rowOf(columns))),
  }
}

/** The rows of the parameter. The database parses its text once. */
const recordsOf = (table: string, param: string): string => `json_populate_recordset(null::${table}, ${param}) as given`

/** Beside each row the element that it was read from, for values that are no columns. The database parses the text twice. */
const elementsOf = (table: string, param: string): string =>
  `json_array_elements(${param}) as one (element), json_populate_record(null::${table}, element) as given`

/** The `set` list of an UPDATE, written as the same kind of table. */
interface Assignment<T> {
  /** `a = $4, b = $5`. */
  readonly text: string
  values(of: T): readonly unknown[]
  /** The number of the first parameter after these. */
  readonly next: number
  readonly columns: readonly string[]
  /** `a = given.a, b = given.b`; `read` says where the value of a column is. */
  groupText(read: (column: string) => string): string
  /** The fields of a row of a record set, under the names that `named` gives the columns. */
  fields(named: (column: string) => string): readonly Field<T>[]
}

export function assignment<T>(first: number, columns: readonly Column<T>[]): Assignment<T> {
  return {
    text: columns.map(([name, , written = identity], index) => `${name} = ${written(`$${first + index}`)}`).join(', '),
    values: (of) => columns.map(([, value]) => value(of)),
    next: first + columns.length,
    columns: columns.map(([name]) => name),
    groupText: (read) => columns.map(([name]) => `${name} = ${read(name)}`).join(', '),
    fields: (named) => columns.map(([name, value]) => [named(name), value] as const),
  }
}

/** The key of a value from which the database computes the column; its type may differ from the column's. */
const computedFrom = (name: string): string => `${name} from`

const rowOf = <T>(columns: readonly Column<T>[]): ((of: T) => object) =>
  groupRow(columns.map(([name, value, written]) => [written ? computedFrom(name) : name, value] as const))

/** A field of a row of a record set. */
export type Field<T> = readonly [name: string, value: (of: T) => unknown]

/** Makes rows of a record set. The database reads a field that is not there as null, so that most columns of a row need no text. */
export const groupRow =
  <T>(fields: readonly Field<T>[]): ((of: T) => object) =>
  (of) => {
    const row: Record<string, unknown> = {}
    for (const [name, value] of fields) {
      const field = groupField(value(of))
      if (field !== null && field !== undefined) row[name] = field
    }
    return row
  }

/** JSON for a record set. */
export const groupValue = (rows: readonly object[]): string => JSON.stringify(rows)

/** A value as JSON can express it and PostgreSQL reads it: money and bytes as text. */
function groupField(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return Array.isArray(value) ? value.map(groupField) : value
}

const identity = (param: string): string => param

/** JSON for a jsonb column. It never contains a bigint, because money has its own columns. */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

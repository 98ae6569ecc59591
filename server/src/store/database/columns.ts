/**
 * The columns of a row type, as statements list them.
 *
 * No statement uses `*` on a table: a migration that adds a column would change the statement's result while this release still serves, and
 * PostgreSQL then rejects every prepared form of it.
 */

/** Words of our own tables, as the list of an SQL `in`. */
export const literals = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

/** `a, b`, or `t.a, t.b` for a table with an alias. */
type ColumnList = (alias?: string) => string

/** A missing or unknown column name does not compile, so the row type and the statements stay in step. */
export const columnsOf =
  <Row extends object>() =>
  <const Name extends keyof Row & string>(
    names: readonly Name[],
    ..._missing: [Exclude<keyof Row, Name>] extends [never] ? [] : [missing: Exclude<keyof Row, Name>]
  ): ColumnList =>
  (alias) =>
    names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', ')

/**
 * The columns that a row type names, as statements list them.
 *
 * A statement never says `*` about a table: a migration that adds a column would change what the statement answers while this release
 * still serves, and PostgreSQL then refuses every prepared statement that says so.
 */

/** `a, b`, or `t.a, t.b` of a table under another name. */
type ColumnList = (alias?: string) => string

/** A missing or unknown name does not compile: what a reader reads and what its statements ask for stay the same. */
export const columnsOf =
  <Row extends object>() =>
  <const Name extends keyof Row & string>(
    names: readonly Name[],
    ..._missing: [Exclude<keyof Row, Name>] extends [never] ? [] : [missing: Exclude<keyof Row, Name>]
  ): ColumnList =>
  (alias) =>
    names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', ')

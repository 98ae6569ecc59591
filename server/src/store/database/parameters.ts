import type { Field } from './insertion.ts'

/** The parameters of a statement as a table: the name that its text uses and the value stand in one row and cannot drift apart. */
interface Parameters<T, Name extends string> {
  /** `$7`, as it stands in the text. */
  readonly at: (name: Name) => string
  readonly values: (of: T) => readonly unknown[]
  /** The number of the first parameter after these. */
  readonly next: number
  /** Some of the values by their names, for a row of a record set. */
  readonly fields: (chosen: readonly Name[]) => readonly Field<T>[]
}

export const parameters =
  <T>() =>
  <const Name extends string>(
    first: number,
    rows: readonly (readonly [name: Name, value: (of: T) => unknown])[],
  ): Parameters<T, Name> => {
    const names = rows.map(([name]) => name)
    return {
      at: (name) => `$${first + names.indexOf(name)}`,
      values: (of) => rows.map(([, value]) => value(of)),
      next: first + rows.length,
      fields: (chosen) => rows.filter(([name]) => chosen.includes(name)),
    }
  }

/** A change names what it changes: members that were not sent are not there at all, so that they overwrite nothing. */
type WithoutUndefined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }

export function withoutUndefined<T extends object>(sent: T): WithoutUndefined<T> {
  const present = Object.entries(sent).filter(([, value]) => value !== undefined)
  // The same members, less those that were undefined.
  return Object.fromEntries(present) as WithoutUndefined<T>
}

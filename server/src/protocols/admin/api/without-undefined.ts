/** Removes members that were not sent, so that a change overwrites nothing with undefined. */
type WithoutUndefined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }

export function withoutUndefined<T extends object>(sent: T): WithoutUndefined<T> {
  const present = Object.entries(sent).filter(([, value]) => value !== undefined)
  // Safe: the same members without the undefined ones.
  return Object.fromEntries(present) as WithoutUndefined<T>
}

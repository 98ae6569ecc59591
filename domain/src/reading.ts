/** The result of reading a value that a person or a merchant wrote. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  /** `allowed` completes the sentence "… must be". */
  | { readonly ok: false; readonly allowed: string }

export const accept = <T>(value: T): Reading<T> => ({ ok: true, value })

export const refuse = (allowed: string): Reading<never> => ({ ok: false, allowed })

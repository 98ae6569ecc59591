/** What reading a value gives: the value, or every violation to report. */
import { type Violation, violations } from '#domain/errors.ts'
import { invalid } from '../../../contracts/refused-error.ts'

/** A violation names its parameter itself, because some rules answer under two names. */
export type Read<T> = Sound<T> | Faulty

interface Sound<T> {
  readonly ok: true
  readonly value: T
}

interface Faulty {
  readonly ok: false
  readonly violations: readonly Violation[]
}

/** What a format makes of a text. It does not know the name under which the parameter reports the violation. */
export type Judgement<T> = Sound<T> | { readonly ok: false; readonly violation: string }

export const sound = <T>(value: T): Sound<T> => ({ ok: true, value })

export const unsound = (violation: string): Judgement<never> => ({ ok: false, violation })

export const faulty = (...rows: readonly Violation[]): Faulty => ({ ok: false, violations: rows })

export const fault = (param: string, text: string): Faulty => faulty({ param, text })

export const blank = (param: string): Faulty => fault(param, violations.blank)

/** The value; a faulty one refuses the request. */
export function soundValue<T>(read: Read<T>): T {
  if (read.ok) return read.value
  throw invalid(...read.violations)
}

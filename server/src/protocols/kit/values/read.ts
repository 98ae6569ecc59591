/** What reading a value gives: the value, or every violation to report. */
import { type Violation, violations } from '#domain/errors.ts'
import { invalid } from '../../../contracts/refused-error.ts'

/** A violation names its parameter itself, because some rules answer under two names. */
export type ReadResult<T> = SoundResult<T> | FaultyResult

interface SoundResult<T> {
  readonly ok: true
  readonly value: T
}

interface FaultyResult {
  readonly ok: false
  readonly violations: readonly Violation[]
}

/** What a format makes of a text. It does not know the name under which the parameter reports the violation. */
export type Judgement<T> = SoundResult<T> | { readonly ok: false; readonly violation: string }

export const soundResult = <T>(value: T): SoundResult<T> => ({ ok: true, value })

export const violationResult = (violation: string): Judgement<never> => ({ ok: false, violation })

export const faultyResult = (...rows: readonly Violation[]): FaultyResult => ({ ok: false, violations: rows })

export const fault = (param: string, text: string): FaultyResult => faultyResult({ param, text })

export const blank = (param: string): FaultyResult => fault(param, violations.blank)

/** The value; a faulty one refuses the request. */
export function soundValue<T>(read: ReadResult<T>): T {
  if (read.ok) return read.value
  throw invalid(...read.violations)
}

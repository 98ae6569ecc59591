/** The result of reading a value: the value, or every violation to report. */
import { type Violation, violations } from '#domain/errors.ts'
import { invalid } from '../../../contracts/refused-error.ts'

/** Each violation contains its parameter, because some rules report under two names. */
export type ReadResult<T> = SoundResult<T> | FaultyResult

interface SoundResult<T> {
  readonly ok: true
  readonly value: T
}

interface FaultyResult {
  readonly ok: false
  readonly violations: readonly Violation[]
}

/** The result of a format. It has no parameter name, because the parameter that uses the format adds it. */
export type Judgement<T> = SoundResult<T> | { readonly ok: false; readonly violation: string }

export const soundResult = <T>(value: T): SoundResult<T> => ({ ok: true, value })

/** Of a parameter that was not sent. One value for all, because a request leaves out most parameters of its table. */
export const absentResult = soundResult(undefined)

export const violationResult = (violation: string): Judgement<never> => ({ ok: false, violation })

export const faultyResult = (...rows: readonly Violation[]): FaultyResult => ({ ok: false, violations: rows })

export const fault = (param: string, text: string): FaultyResult => faultyResult({ param, text })

export const blank = (param: string): FaultyResult => fault(param, violations.blank)

/** Returns the value, or throws the refusal with all violations. */
export function soundValue<T>(read: ReadResult<T>): T {
  if (read.ok) return read.value
  throw invalid(...read.violations)
}

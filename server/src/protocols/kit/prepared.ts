/**
 * A request whose entity was found: its signature is checked next, and only then it runs. All protocols take these steps in this
 * order; they differ in how they read a request, how they sign it and how they answer.
 */
import type { Refusal } from '#domain/errors.ts'

export interface Prepared<Signed, Answered> {
  readonly signed: Signed
  run(useId: string | null): Promise<Answered>
  recall(useId: string): Promise<Answered | null>
}

/** What a request names and what is not there, where it names more than one thing. */
export interface Missing {
  readonly missing: Refusal
}

export interface Step<Input, Found, Done, Caller, Signed> {
  /** How log lines, metrics and the reference name it. */
  readonly name: string
  /** What the request names. Null is unknown, answered with `unknown`. */
  readonly find?: (input: Input, caller: Caller) => Promise<Found | Missing | null>
  readonly unknown?: Refusal
  readonly signature: (input: Input, found: Found) => Signed
  /** `useId` goes into the intent, so that a repeated request finds what a dead process had begun. */
  readonly run: (input: Input, found: Found, caller: Caller, useId: string | null) => Promise<Done>
  readonly recall?: (caller: Caller, useId: string) => Promise<Done | null>
}

export async function prepare<Input, Found, Done, Caller, Signed, Answered>(
  step: Step<Input, Found, Done, Caller, Signed>,
  input: Input,
  caller: Caller,
  answered: (done: Done) => Answered | Promise<Answered>,
): Promise<Prepared<Signed, Answered> | Refusal> {
  // Where nothing is looked up, nothing is what was found.
  const found = step.find ? await step.find(input, caller) : (undefined as Found)
  if (found === null) return unknownOf(step)
  if (isMissing(found)) return found.missing
  return {
    signed: step.signature(input, found),
    run: async (useId) => await answered(await step.run(input, found, caller, useId)),
    recall: async (useId) => {
      const done = await step.recall?.(caller, useId)
      return done === null || done === undefined ? null : await answered(done)
    },
  }
}

const isMissing = (found: unknown): found is Missing =>
  typeof found === 'object' && found !== null && 'missing' in found

function unknownOf({ name, unknown }: { readonly name: string; readonly unknown?: Refusal }): Refusal {
  if (!unknown) throw new Error(`${name} looks something up but does not say what an unknown one answers.`)
  return unknown
}

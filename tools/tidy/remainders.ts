/**
 * What is left of habits that the style no longer allows. The numbers only go down: new code follows the rules, and a change that removes
 * some lowers its number.
 */

/** Functions above four parameters; see parameters.ts. */
export const remainingParameters = 0

/** Unions that are told apart by a member's presence; see unions.ts. */
export const remainingUnions = 0

/** Declarations by banned word; see names.ts. A word without a number is gone for good. */
export const remainingNames: Readonly<Record<string, number>> = {}

/** All places, if there are more than are left from before: which of them is new, the author knows. */
export function beyondRemainder(what: string, found: readonly string[], remaining: number): readonly string[] {
  if (found.length <= remaining) return []
  return [...found, `${what}: ${found.length}, and at most ${remaining} may remain. See tools/tidy/remainders.ts.`]
}

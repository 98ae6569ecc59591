/** Why a request was refused: the rows of the answer, or its message if it has none. */
interface Refusal {
  readonly message: string
  readonly violations: readonly { readonly param: string | null; readonly text: string }[]
}

export const reasonsOf = ({ message, violations }: Refusal): readonly string[] =>
  violations.length === 0
    ? [message]
    : violations.map(({ param, text }) => (param === null ? text : `${param}: ${text}`))

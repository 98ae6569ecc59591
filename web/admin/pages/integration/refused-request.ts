/** A refused request, and why: the rows of the answer, or its message if it has none. */
import type { Answer } from '../../api/call.ts'

export type RefusedRequest = Answer<'GET /refused-requests'>['requests'][number]

export const reasonsOf = ({ message, violations }: RefusedRequest['refusal']): readonly string[] =>
  violations.length === 0
    ? [message]
    : violations.map(({ param, text }) => (param === null ? text : `${param}: ${text}`))

/**
 * The calls of a merchant's server on a session of hosted fields. The routes serve these addresses, and the reference is generated from the
 * members. Chapter 30 §8.4, §8.5.
 */
import type { Method } from '../../checkout/routes.ts'
import type { Words } from '../../kit/values/params.ts'
import { processingAnswer, processingParams } from './processing.ts'
import { updateAnswer, updateParams } from './update.ts'

interface FieldsCall {
  readonly name: string
  readonly method: Method
  readonly paths: readonly string[]
  readonly params: Readonly<Record<string, { readonly words: Words }>>
  /** The members of the answer, each with its meaning and when it is there. */
  readonly answer: Readonly<Record<string, string>>
}

export const processingPaths = {
  purchase: '/api/v1/processing/purchase/card',
  debit: '/api/v1/processing/debit/card',
} as const

export const updatePath = '/api/v1/session/update'

export const fieldsCalls: readonly FieldsCall[] = [
  {
    name: 'processing',
    method: 'POST',
    paths: Object.values(processingPaths),
    params: processingParams,
    answer: processingAnswer,
  },
  { name: 'session-update', method: 'PUT', paths: [updatePath], params: updateParams, answer: updateAnswer },
]

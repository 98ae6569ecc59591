/** A hold that waits for its capture, and the filters of the queue. */
import type { Answer, Query } from '../../api/call.ts'

export type Hold = Answer<'GET /captures'>['holds'][number]
export type HoldFilter = Omit<Query<'GET /captures'>, 'after' | 'limit'>

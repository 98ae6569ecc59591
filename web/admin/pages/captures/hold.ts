/** A hold that waits for its capture, and what narrows the queue down. */
import type { Answer, Query } from '../../api/call.ts'

export type Hold = Answer<'GET /captures'>['holds'][number]
export type HoldFilter = Omit<Query<'GET /captures'>, 'after' | 'limit'>

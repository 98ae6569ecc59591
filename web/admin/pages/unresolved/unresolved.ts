/** What waits for people, as the API returns it. */
import type { Answer } from '../../api/call.ts'

export type UnresolvedOutcome = Answer<'GET /unresolved'>['outcomes'][number]
export type OwedReturn = Answer<'GET /unresolved'>['returns'][number]

import type { Answer } from '../../api/call.ts'

export type Statement = Answer<'GET /statements'>['statements'][number]

/** Refusals as CyberSource writes them. */
import type { Reply } from '../../kit/reply.ts'
import { now } from '../kit/clock.ts'

export const invalid = (reason: string, ...fields: readonly string[]): Reply => ({
  status: 400,
  body: {
    submitTimeUtc: timeText(),
    status: 'INVALID_REQUEST',
    reason,
    message: 'The request could not be executed.',
    ...(fields.length > 0 && { details: fields.map((field) => ({ field, reason })) }),
  },
})

export const notFound = (): Reply => ({
  status: 404,
  body: {
    submitTimeUtc: timeText(),
    status: 'NOT_FOUND',
    reason: 'NOT_FOUND',
    message: 'There is no such transaction.',
  },
})

export const unauthorizedReply: Reply = { status: 401, body: { response: { rmsg: 'Authentication Failed' } } }

/** Without milliseconds. */
export const timeText = (): string => `${now().toISOString().slice(0, 19)}Z`

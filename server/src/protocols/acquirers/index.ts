/** `POST /acquirers/{mid}/notifications`: where acquirers report outcomes, refunds and disputes. Chapter 60 §2. */
import type { FastifyError, FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { NotificationRequest } from '../../connectors/notification.ts'
import type { Clock } from '../../contracts/ports.ts'
import { noteRequest } from '../../observe/requests.ts'
import type { NotificationResult } from '../../payments/commands/notification.ts'
import { eventLoopTurns } from './event-loop-turns.ts'

interface NotificationParts {
  readonly clock: Clock
  readonly receive: (mid: string, request: NotificationRequest) => Promise<NotificationResult>
  /** Counts one that is refused unread. False if there is no such MID. */
  readonly refuse: (mid: string, reason: string) => Promise<boolean>
  /** Counts how notifications ended. */
  readonly observe: (sample: {
    readonly mid: string
    readonly result: NotificationResult['kind'] | 'too-large'
  }) => void
}

const largestBytes = 1_048_576

/** Handlers that run per turn of the event loop. A notification needs two: one to read, one to answer. */
const handlersPerTurn = 3

export function acquirerNotifications({ clock, receive, refuse, observe }: NotificationParts): FastifyPluginCallback {
  return (app, _options, done) => {
    app.setErrorHandler<FastifyError, { Params: { mid: string } }>(async (error, { params: { mid } }) => {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
        observe({ mid: (await refuse(mid, 'The body is larger than 1 MiB.')) ? mid : 'unknown', result: 'too-large' })
      throw error
    })
    const waitForTurn = eventLoopTurns(handlersPerTurn)
    // Signatures cover the bytes, whatever the content type says they are.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBytes }, (_request, body, parsed) =>
      parsed(null, body),
    )
    app.post<{ Params: { mid: string } }>(
      '/acquirers/:mid/notifications',
      { bodyLimit: largestBytes },
      async (request, reply) => {
        noteRequest(request, { protocol: 'acquirer' })
        const { mid } = request.params
        const notification = notificationOf(request, clock.now())
        await waitForTurn()
        const result = await receive(mid, notification)
        await waitForTurn()
        observe({ mid: result.kind === 'not-expected' ? 'unknown' : mid, result: result.kind })
        switch (result.kind) {
          case 'taken': {
            const { status, contentType, body } = result.answer
            return reply.code(status).type(contentType).send(body)
          }
          case 'unverified':
            return reply.code(401).type('text/plain').send('')
          // The acquirer sends it again.
          case 'unusable-mid':
            return reply.code(503).type('text/plain').send('')
          case 'not-expected':
            return reply.code(404).type('text/plain').send('')
        }
      },
    )
    done()
  }
}

function notificationOf({ headers, query, body }: FastifyRequest, receivedAt: Date): NotificationRequest {
  return {
    headers: textsOf(headers),
    query: textsOf(query),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    receivedAt,
  }
}

/** Joins the values of a repeated name, as in one header. */
const textsOf = (fields: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
    ),
  )

/** Takes the notifications of a stand-in as the gateway would, and waits for the events that they tell. */
import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import type { AcquirerEvent } from '#server/connectors/connector.ts'
import type { NotificationReading, NotificationRequest } from '#server/connectors/notification.ts'
import { systemClock } from '#server/process/clock.ts'

const clock = systemClock()

type Reader = (request: NotificationRequest) => Promise<NotificationReading> | undefined

interface Receiver {
  readonly url: string
  /** Resolves once such an event has come. */
  taken(wanted: (event: AcquirerEvent) => boolean): Promise<void>
}

export async function receiveNotifications(t: TestContext, read: Reader): Promise<Receiver> {
  const events: AcquirerEvent[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const notification = { headers, query: {}, body: Buffer.concat(chunks), receivedAt: clock.now() }
    const reading = await read(notification)
    response.writeHead(reading === undefined || reading.kind === 'unverified' ? 401 : 200).end()
    if (reading?.kind === 'verified') events.push(...reading.events)
    for (const check of waiting) check()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    taken: (wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!events.some(wanted)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

/** What the sender of notifications is told, and what it reports: see `sender.ts`. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export const jobSchema = z.object({
  url: z.string(),
  path: z.string(),
  account: z.string(),
  hmacKey: z.string(),
  /** The payments that notifications report. */
  references: z.array(z.string()).min(1),
  connections: z.number(),
  perSecond: z.number(),
  seconds: z.number(),
  /** The number of the first notification. */
  first: z.number(),
})

type Job = z.infer<typeof jobSchema>

const sentSchema = z.object({
  requests: z.number(),
  failures: z.number(),
  firstFailure: z.string().nullable(),
  perSecond: z.number(),
  /** Ascending, in milliseconds. */
  latencies: z.array(z.number()),
  cpuSeconds: z.number(),
})

export type Sent = z.infer<typeof sentSchema>

export class NotificationSender implements Disposable {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./sender.ts', import.meta.url)))
  readonly #ended = once(this.#child, 'exit').then(() => {
    throw new Error('The sender of notifications ended.')
  })

  constructor() {
    // Reported where a message is awaited.
    this.#ended.catch(() => undefined)
  }

  /** Signs the notifications; the returned function sends them. */
  async prepare(job: Job): Promise<() => Promise<Sent>> {
    this.#child.send(job)
    await this.#message()
    return async () => {
      this.#child.send('go')
      return sentSchema.parse(await this.#message())
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill()
  }

  async #message(): Promise<unknown> {
    const [message] = await Promise.race([once(this.#child, 'message'), this.#ended])
    return message
  }
}

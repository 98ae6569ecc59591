/**
 * Keeps the helper process: starts it when it is first needed, starts it again when it dies, and bounds its queue, its answers' time and its
 * memory. Chapter 60 §1.2. A request that the helper did not answer is a `HelperFault`; what that means for a payment is the caller's to say,
 * who knows whether something was sent.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { parseJson } from '#domain/json.ts'
import { growingPauseMs } from '#domain/time.ts'
import { helperEnvironment, type Launch } from './launch.ts'
import { answerSchema, type HelperAnswer, helloSchema, type PrismResult } from './protocol.ts'
import { HelperFault, type HelperHello, type Transformer } from './transformer.ts'

export interface KeeperLimits {
  readonly waiting: number
  readonly answerMs: number
  readonly startMs: number
  readonly residentBytes: number
  /** Before the next start, after so many starts in a row that served nothing. */
  readonly pauseMs: (failures: number) => number
}

/** Loading takes a second on a busy machine, an answer a few milliseconds. */
export const usualLimits: KeeperLimits = {
  waiting: 256,
  answerMs: 5_000,
  startMs: 15_000,
  residentBytes: 512 * 1024 * 1024,
  pauseMs: (failures) => (failures === 0 ? 0 : growingPauseMs(failures, 500, 30_000)),
}

/** For programs that no payer waits for, on a machine that may be busy. */
export const patientLimits: KeeperLimits = { ...usualLimits, answerMs: 60_000, startMs: 60_000 }

export function keepHelper(plan: () => Promise<Launch>, limits: KeeperLimits = usualLimits): Transformer {
  let current: Promise<Helper> | null = null
  let failures = 0
  let notBefore = 0
  let isClosed = false
  let inProgress = 0

  const start = async (): Promise<Helper> => {
    if (performance.now() < notBefore)
      throw new HelperFault('The helper process did not start; it is tried again shortly.')
    const helper = new Helper(await plan(), limits)
    helper.whenGone(() => replaceEnded(helper))
    try {
      await helper.ready
      return helper
    } catch (fault) {
      failures += 1
      notBefore = performance.now() + limits.pauseMs(failures)
      throw fault
    }
  }

  const ensureRunning = (): Promise<Helper> => {
    current ??= start()
    const started = current
    started.catch(() => {
      if (current === started) current = null
    })
    return started
  }

  /**
   * A helper that was asked something is replaced at once, so that the next payment does not wait for the start. One that ended by itself before that
   * waits for the next payment, so that nothing is started in a circle.
   */
  const replaceEnded = (helper: Helper): void => {
    current = null
    if (!helper.wasAsked || isClosed) return
    failures = 0
    ensureRunning().catch(() => undefined)
  }

  const ask = async (message: object): Promise<HelperAnswer> => {
    if (isClosed) throw new HelperFault('The helper process is stopped.')
    if (inProgress >= limits.waiting) throw new HelperFault('Too many requests wait for the helper process.')
    inProgress += 1
    try {
      const helper = await ensureRunning()
      const answer = await helper.ask(message)
      if (answer.rss > limits.residentBytes && current !== null && (await current) === helper) {
        current = null
        helper.retire()
      }
      return answer
    } finally {
      inProgress -= 1
    }
  }

  return {
    build: async (call) => {
      const { refused, built } = await ask({ task: 'build', ...call })
      if (refused) return { kind: 'refused', refusal: refused }
      if (!built) throw new HelperFault('The helper process answered without a request.')
      return { kind: 'done', value: { ...built, body: built.body === null ? null : Buffer.from(built.body, 'base64') } }
    },
    read: async (call, { body, ...reply }) =>
      resultOf(await ask({ task: 'read', ...call, reply: { ...reply, body: body.toString('base64') } })),
    readEvent: async (call) => resultOf(await ask({ task: 'event', flow: 'handle_event', ...call })),
    greet: async () => (await ensureRunning()).ready,
    close: () => {
      isClosed = true
      current?.then((helper) => helper.end()).catch(() => undefined)
    },
  }
}

const resultOf = ({ refused, answer }: HelperAnswer): PrismResult<unknown> =>
  refused ? { kind: 'refused', refusal: refused } : { kind: 'done', value: answer }

interface Waiting {
  readonly resolve: (answer: HelperAnswer) => void
  readonly reject: (fault: HelperFault) => void
  readonly timer: NodeJS.Timeout
}

/** One process, from its start to its end. */
class Helper {
  readonly ready: Promise<HelperHello>
  wasAsked = false
  readonly #process: ChildProcess
  readonly #limits: KeeperLimits
  readonly #waiting = new Map<number, Waiting>()
  #next = 0
  #isRetired = false
  #onGone: () => void = () => undefined

  constructor({ command, args }: Launch, limits: KeeperLimits) {
    this.#limits = limits
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env: helperEnvironment })
    this.#process = child
    const { promise, resolve, reject } = Promise.withResolvers<HelperHello>()
    this.ready = promise
    promise.catch(() => undefined)
    const late = setTimeout(() => {
      reject(new HelperFault('The helper process did not start in time.'))
      this.end()
    }, limits.startMs)
    child.on('error', () => this.#ended(reject))
    child.on('close', () => this.#ended(reject))
    child.stdin?.on('error', () => undefined)
    const [, , , replies] = child.stdio
    if (replies instanceof Socket) {
      createInterface({ input: replies }).on('line', (line) => {
        const parsed = parseJson(line)
        const hello = helloSchema.safeParse(parsed)
        if (hello.success) {
          clearTimeout(late)
          const { hello: version, glibc, rss: residentBytes } = hello.data
          resolve({ version, glibc, residentBytes })
        } else this.#take(parsed)
      })
    }
    promise.finally(() => clearTimeout(late)).catch(() => undefined)
    // The gateway ends when its work is done; the helper ends when its standard input does.
    child.unref()
    for (const stream of [child.stdin, replies]) if (stream instanceof Socket) stream.unref()
  }

  whenGone(listener: () => void): void {
    this.#onGone = listener
  }

  ask(message: object): Promise<HelperAnswer> {
    this.wasAsked = true
    const id = ++this.#next
    const { promise, resolve, reject } = Promise.withResolvers<HelperAnswer>()
    const timer = setTimeout(() => {
      this.#settle(id)?.reject(new HelperFault('The helper process did not answer in time.'))
      this.#abandon()
    }, this.#limits.answerMs)
    this.#waiting.set(id, { resolve, reject, timer })
    this.#process.stdin?.write(`${JSON.stringify({ id, ...message })}\n`)
    return promise
  }

  /** Takes no more requests, and ends once those in progress are answered. */
  retire(): void {
    this.#isRetired = true
    if (this.#waiting.size === 0) this.end()
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }

  #take(parsed: unknown): void {
    const { data: answer } = answerSchema.safeParse(parsed)
    if (!answer) {
      this.#abandon()
      return
    }
    this.#settle(answer.id)?.resolve(answer)
    if (this.#isRetired && this.#waiting.size === 0) this.end()
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.timer)
    return waiting
  }

  #ended(refuseStart: (fault: HelperFault) => void): void {
    refuseStart(new HelperFault('The helper process ended.'))
    this.#abandon()
  }

  /** At once, and not when the process is gone: the next request must not be given to a process that is being ended. */
  #abandon(): void {
    this.end()
    for (const id of this.#waiting.keys())
      this.#settle(id)?.reject(new HelperFault('The helper process ended.', { hasEnded: true }))
    const tell = this.#onGone
    this.#onGone = () => undefined
    if (!this.#isRetired) tell()
  }
}

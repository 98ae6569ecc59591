/**
 * A receiver of callbacks on this machine. It shows each callback readably, verifies its hash and signature, and answers OK; or it forwards
 * the callback to a program under development and returns that program's answer.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { errorCode } from '#domain/error-code.ts'
import { systemClock } from '#server/process/clock.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { flag, text, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { readText } from '../../kit/text-source.ts'
import { createExaminer, type Examiner, type ReceivedCallback, secretsExaminer } from '../../signing/examiner.ts'
import { forwardCallback } from './listen-forward.ts'
import { listLastCallbacks } from './listen-replay.ts'
import { type Answer, isGood, reportOf } from './listen-report.ts'

const usualPort = 8090

export const listenCommands: readonly Command[] = [
  command({
    name: 'listen',
    summary: 'Receives callbacks on this machine, verifies and prints them.',
    details:
      'Passwords and secrets are read from the instance: those of --merchant, or of the merchant that matches. On another machine\n' +
      'give --password and --secret. It answers OK even if a check fails, so that callbacks keep coming; --strict answers ERROR\n' +
      'to a callback with an invalid hash or signature. --last handles the last callbacks of --merchant first, as if they were\n' +
      'delivered now; nothing changes at the service. Press Ctrl-C to stop.',
    args: {},
    options: {
      port: value('N', `Port to listen on; default ${usualPort}, 0 for any free port.`, readers.wholeNumber(0, 65_535)),
      merchant: text('NAME', 'Uses the secrets of this merchant only.'),
      password: text('P', 'Verifies with this password instead of the instance; @file reads it from a file.'),
      secret: text('S', 'Verifies with this webhook secret instead of the instance; @file reads it from a file.'),
      forward: value('URL', 'Forwards each callback to this address and returns its answer.', readers.webAddress),
      last: value('N', 'Handles the last N callbacks of --merchant first.', readers.wholeNumber(1, 500)),
      once: flag('Stops after the first callback; exits with code 1 if it was invalid.'),
      strict: flag('Answers ERROR when a check fails.'),
      json: flag('Prints one line of JSON per callback.'),
    },
    examples: [
      'gatehouse listen --port 8090',
      'gatehouse merchant update demo --notification-url http://127.0.0.1:8090/',
      'gatehouse listen --merchant demo --forward http://127.0.0.1:3000/callbacks --last 10',
    ],
    async run(context, _args, options) {
      const { port = usualPort, merchant, password, secret, forward, once, strict, json, last } = options
      const earlier = last === undefined ? [] : await listLastCallbacks(context, replayedMerchant(merchant), last)
      await using examining = await openExaminer(context, { merchant, password, secret })
      const ended = Promise.withResolvers<number>()
      const handle = async (received: ReceivedCallback): Promise<Answer> => {
        const checks = await examining.examine(received)
        const allGood = isGood(checks)
        const answer = forward ? await forwardCallback(forward, received) : strict && !allGood ? errorAnswer : okAnswer
        context.output.out(reportOf({ received, checks, answer, forward: forward ?? null }, json ?? false))
        if (once) ended.resolve(allGood ? 0 : 1)
        return answer
      }
      for (const received of earlier) await handle(received)
      const server = createReceiver(handle, ended.reject)
      const url = await startListening(server, port)
      context.output.err(`Listening on ${url}; press Ctrl-C to stop.`)
      context.output.err(
        `To receive callbacks: gatehouse merchant update ${merchant ?? 'demo'} --notification-url ${url}`,
      )
      context.signal.addEventListener('abort', () => ended.resolve(0), { once: true })
      if (context.signal.aborted) ended.resolve(0)
      try {
        return await ended.promise
      } finally {
        await closeServer(server)
      }
    },
  }),
]

function replayedMerchant(merchant: string | undefined): string {
  if (merchant !== undefined) return merchant
  throw new UsageError('--last needs --merchant.', 'Name the merchant whose callbacks are replayed.')
}

const okAnswer: Answer = { status: 200, body: 'OK' }
const errorAnswer: Answer = { status: 400, body: 'ERROR' }

interface Secrets {
  readonly merchant: string | undefined
  readonly password: string | undefined
  readonly secret: string | undefined
}

async function openExaminer(
  context: CommandContext,
  { merchant, password, secret }: Secrets,
): Promise<Examiner & AsyncDisposable> {
  if (password === undefined && secret === undefined) {
    const instance = await openInstance(context)
    try {
      return {
        ...(await createExaminer(instance, merchant ?? null)),
        [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
      }
    } catch (error) {
      await instance[Symbol.asyncDispose]()
      throw error
    }
  }
  if (merchant !== undefined)
    throw new UsageError(
      '--merchant cannot be combined with --password or --secret.',
      'The merchant’s password and secrets are read from the instance.',
    )
  const secrets = {
    password: password === undefined ? null : await readText(password, context),
    secret: secret === undefined ? null : await readText(secret, context),
  }
  return { ...secretsExaminer(secrets, systemClock()), [Symbol.asyncDispose]: () => Promise.resolve() }
}

const maximumBytes = 1_048_576

/** An unexpected fault ends the command: a receiver that ignored it would mislead the developer. */
function createReceiver(
  handle: (received: ReceivedCallback) => Promise<Answer>,
  fail: (fault: unknown) => void,
): Server {
  return createServer((request, response) => {
    respond(request, response, handle).catch((fault: unknown) => {
      response.destroy()
      fail(fault)
    })
  })
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (received: ReceivedCallback) => Promise<Answer>,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { connection: 'close' }).end('Send callbacks by POST.\n')
    return
  }
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) {
    response.writeHead(413, { connection: 'close' }).end()
    return
  }
  const body = await buffer(request)
  const answer = await handle({ path: request.url ?? '/', headers: request.headers, body })
  response.writeHead(answer.status, { 'content-type': 'text/plain', connection: 'close' }).end(answer.body)
}

function portFault(error: Error, port: number): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return `Port ${port} is in use on 127.0.0.1.`
  if (code === 'EACCES') return `This user may not listen on port ${port}.`
  return `Port ${port} cannot be used.`
}

function startListening(server: Server, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  server.once('error', (error) => reject(new CommandError(portFault(error, port), 'Choose another port with --port.')))
  server.listen(port, '127.0.0.1', () => {
    const address = server.address()
    resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}/`)
  })
  return promise
}

/** An answer that is being sent is finished; idle connections are closed at once. */
async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeIdleConnections()
  await promise
}

/** `events` and `listen`: the callbacks of a remote instance, without an address that the instance could reach. */
import type { Callback, FeedEvent, Gatehouse } from '../src/index.ts'
import type { Program } from './program.ts'

const lookEveryMs = 2000

/** Prints the feed to its end. */
export async function printEvents(gatehouse: Gatehouse, { out }: Program, after: string | undefined): Promise<void> {
  for await (const event of gatehouse.events.since(after)) out(JSON.stringify(event))
}

interface Listening {
  /** A program on this machine. */
  readonly forward: string | undefined
  /** So many of the newest callbacks are handled first. */
  readonly last: number
}

/** Hands each new callback on, until it is interrupted. The service delivers to the merchant's own address all the same. */
export async function listen(gatehouse: Gatehouse, program: Program, { forward, last }: Listening): Promise<void> {
  const { events, cursor: end } = await gatehouse.events.last(last)
  let cursor = end
  program.err('Listening to the events feed; press Ctrl-C to stop.')
  for (const event of events) await handOn(event, program, forward)
  while (!program.signal.aborted) {
    for await (const event of gatehouse.events.since(cursor)) {
      await handOn(event, program, forward)
      cursor = event.cursor
    }
    await pause(lookEveryMs, program.signal)
  }
}

/** With body and headers as delivered, so that the program verifies them itself. */
async function handOn(event: FeedEvent, { out }: Program, forward: string | undefined): Promise<void> {
  const answer = forward === undefined ? '' : ` -> ${await post(forward, event)}`
  out(`${event.id} ${summaryOf(event)}${answer}`)
}

async function post(url: string, { headers, body }: FeedEvent): Promise<string> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headers },
      body,
      signal: AbortSignal.timeout(10_000),
    })
    return `${reply.status} ${(await reply.text()).slice(0, 100)}`
  } catch (error) {
    return `no answer: ${error instanceof Error ? error.message : String(error)}`
  }
}

function summaryOf({ fields, sequence }: Callback): string {
  const names = ['order_id', 'order_number', 'action', 'type', 'result', 'status', 'order_status']
  const shown = names.flatMap((name) => (typeof fields[name] === 'string' ? [`${name}=${fields[name]}`] : []))
  return [`#${sequence}`, ...shown].join(' ')
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })

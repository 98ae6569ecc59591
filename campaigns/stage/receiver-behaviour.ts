/** How a merchant's endpoint treats a callback: well, late, with an error, with anything else, or not at all. */
import type { ServerResponse } from 'node:http'

interface Behaviour {
  /** The merchant stores the callback. Only then may the gateway stop sending it. */
  readonly takes: boolean
  readonly answer: (response: ServerResponse) => void
}

const lateMs = 400

// biome-ignore format: a table is read in columns.
const behaviours = {
  // name                stored         what the gateway sees
  'ok':              { takes: true,  answer: (response) => void response.end('OK') },
  'ok-late':         { takes: true,  answer: (response) => void setTimeout(() => response.end(' ok, thanks'), lateMs) },
  'error':           { takes: false, answer: (response) => void response.writeHead(500).end('Internal Server Error') },
  'unavailable':     { takes: false, answer: (response) => void response.writeHead(503, { 'retry-after': '1' }).end() },
  'error-with-ok':   { takes: false, answer: (response) => void response.writeHead(500).end('OK') },
  'moved':           { takes: false, answer: (response) => void response.writeHead(301, { location: '/notify/elsewhere' }).end('OK') },
  'not-ok':          { takes: false, answer: (response) => void response.end('ERROR') },
  'empty':           { takes: false, answer: (response) => void response.end() },
  'garbage':         { takes: false, answer: (response) => void response.end(Buffer.from([0xff, 0x00, 0x4f, 0x4b, 0xfe])) },
  'reset':           { takes: false, answer: (response) => void response.socket?.resetAndDestroy() },
  'half':            { takes: false, answer: (response) => { response.writeHead(200, { 'content-length': '100' }); response.write('O', () => response.socket?.destroy()) } },
  // The merchant has stored it, and the answer is lost: it is sent again, which is what "at least once" means.
  'kept-then-reset': { takes: true,  answer: (response) => void response.socket?.resetAndDestroy() },
  'silence':         { takes: false, answer: () => undefined },
} as const satisfies Readonly<Record<string, Behaviour>>

export type ReceiverBehaviour = keyof typeof behaviours

/** Everything that fails at once, without making the gateway wait for its timeout. */
export const failures: readonly [ReceiverBehaviour, ...ReceiverBehaviour[]] = [
  'error',
  'unavailable',
  'error-with-ok',
  'moved',
  'not-ok',
  'empty',
  'garbage',
  'reset',
  'half',
  'kept-then-reset',
]

export const stores = (behaviour: ReceiverBehaviour): boolean => behaviours[behaviour].takes

export function answerAs(behaviour: ReceiverBehaviour, response: ServerResponse): void {
  behaviours[behaviour].answer(response)
}

/** The answer to one HTTP request. */
export interface Reply {
  readonly status: number
  /** A text is sent as an HTML page unless the headers name another type, undefined as no body at all, anything else as JSON. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Delay before answering, in real time. */
  readonly delayMs?: number
  /** Close the connection instead of answering. */
  readonly drop?: boolean
  /** Keep the connection open and send events instead of the body. */
  readonly events?: EventSource
}

/** Starts sending events; returns the function that stops it when the client disconnects. */
export type EventSource = (send: (data: unknown) => void) => () => void

export function failure(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } }
}

/** Redirects the browser with GET, whatever the method of the request. */
export function seeOther(location: string): Reply {
  return { status: 303, body: '', headers: { location, 'cache-control': 'no-store' } }
}

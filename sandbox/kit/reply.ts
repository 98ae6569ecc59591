/** What the HTTP face has to do for one request. */
export interface Reply {
  readonly status: number
  /** A text is a page; anything else goes out as JSON. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Wait this long first; real time. */
  readonly delayMs?: number
  /** Close the connection instead of answering. */
  readonly drop?: boolean
  /** Stay, and send events as they happen, instead of answering with the body. */
  readonly events?: EventSource
}

/** Begins to send events; gives what ends it when the caller goes away. */
export type EventSource = (send: (data: unknown) => void) => () => void

export function failure(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } }
}

/** Sends the browser on with GET, whatever it came with. */
export function seeOther(location: string): Reply {
  return { status: 303, body: '', headers: { location, 'cache-control': 'no-store' } }
}

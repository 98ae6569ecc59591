/** What the HTTP face has to do for one request. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** Wait this long first; real time. */
  readonly delayMs?: number
  /** Close the connection instead of answering. */
  readonly drop?: boolean
}

export function failure(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } }
}

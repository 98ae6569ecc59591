/**
 * Sends a file as the body of a request, as it is: the browser reads it while it is sent, so that its size does not matter. `fetch` does not say
 * how much was sent.
 */
import type { Api } from './api-types.ts'
import {
  type Answer,
  addressOf,
  apiClient,
  type Fault,
  faultOf,
  memberOf,
  notifySession,
  presence,
  type Result,
} from './call.ts'

type Upload = 'POST /settlements/upload'

interface UploadInput<E extends Upload> {
  readonly query: Api[E]['query']
  readonly file: File
  readonly signal: AbortSignal
  /** Hears how many bytes were sent. */
  readonly onSent: (bytes: number) => void
}

export function upload<E extends Upload>(endpoint: E, input: UploadInput<E>): Promise<Result<Answer<E>>> {
  const { query, file, signal, onSent } = input
  const [method = '', path = ''] = endpoint.split(' ')
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(method, addressOf(path, {}, query))
    const headers = { 'content-type': 'application/octet-stream', 'x-csrf-token': apiClient.csrf, ...presence() }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('loadend', () => resolve(signal.aborted ? cancelled : resultOf<E>(request)))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

const cancelled: { readonly ok: false; readonly fault: Fault } = {
  ok: false,
  fault: { code: 'unreachable', text: 'Cancelled. Nothing was imported.', fields: [], requestId: null },
}

/** An answer that takes long has the status 200 before it is known, and is a refusal by its content. */
function resultOf<E extends Upload>(request: XMLHttpRequest): Result<Answer<E>> {
  const content = contentOf(request.responseText)
  // The server validates its answers with the same schemas from which the types are generated.
  if (request.status === 200 && content !== null && memberOf(content, 'error') === undefined)
    return { ok: true, value: content as Answer<E> }
  const retryAfter = request.getResponseHeader('retry-after') ?? '0'
  const isRefused = memberOf(memberOf(content, 'error'), 'message') !== undefined
  if (!isRefused && request.status === 413) return refusedByProxy
  if (!isRefused || request.status === 0) return unanswered
  return { ok: false, fault: notifySession(faultOf({ headers: new Headers({ 'retry-after': retryAfter }) }, content)) }
}

/** We answer 413 in JSON; a proxy does so in HTML, and will each time. */
const refusedByProxy: { readonly ok: false; readonly fault: Fault } = {
  ok: false,
  fault: {
    code: 'too_large',
    text: 'A proxy in front of the panel refuses files of this size. Nothing was imported. Ask your administrator to raise the proxy’s limit, or to import the file on the command line.',
    fields: [],
    requestId: null,
  },
}

/** Also if a proxy gave up: the import may have ended well, and is then recognised. */
const unanswered: { readonly ok: false; readonly fault: Fault } = {
  ok: false,
  fault: {
    code: 'unreachable',
    text: 'The connection ended before the import was confirmed. Import the file again: nothing is imported twice.',
    fields: [],
    requestId: null,
  },
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

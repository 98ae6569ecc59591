/**
 * What ends an import before its time: its caller has gone, another takes its place, or the process ends. Nothing of it is kept. See
 * decisions/imports#end-of-an-import.
 */
import { AdminRefused } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'

export interface ImportEnd {
  readonly signal: AbortSignal
  /** Ends the import's database connection: it may be waiting for a lock, and a transaction ends with its connection at once. */
  readonly cut: (importId: string) => Promise<unknown>
}

/** `gone` is aborted with the refusal that the caller gets, if it still listens. */
export function watchEnd(
  { ending, endImport }: Pick<PanelContext, 'ending' | 'endImport'>,
  gone?: AbortSignal,
): ImportEnd {
  return { signal: AbortSignal.any([ending(), ...(gone === undefined ? [] : [gone])]), cut: endImport }
}

const retryAfterSeconds = 30

export function refuseEnded(end: ImportEnd | undefined): void {
  if (end?.signal.aborted !== true) return
  const { reason } = end.signal
  if (reason instanceof AdminRefused) throw reason
  const message = 'This instance is being restarted. Nothing was imported. Send the file again in a minute.'
  throw new AdminRefused('ending', { message, retryAfterSeconds })
}

/** A sender that is silent does not delay the end. */
export async function* readUntil(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await waitUntil(iterator.next(), signal)
      if (done === true) return
      yield value
    }
  } finally {
    // Not awaited: it ends with the next bytes of the sender, or with its silence.
    iterator.return?.().catch(() => undefined)
  }
}

async function waitUntil<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Makes work on one payment a span of its own in traces, so that its requests to the acquirer have a parent with the payment's id. */
import { isUuid } from '#domain/uuid.ts'
import type { Deps } from '../payments/request/deps.ts'

/** `paymentOf` is null for work whose payment does not exist yet. Without traces `run` is used as it is. */
export function traceWork<Item, Result>(
  { traceJob }: Pick<Deps, 'traceJob'>,
  name: string,
  paymentOf: (item: Item) => string | null,
  run: (item: Item) => Promise<Result>,
): (item: Item) => Promise<Result> {
  return traceJob === undefined ? run : (item) => traceJob(name, paymentOf(item), () => run(item))
}

/** Null unless it reads like one of ours: the acquirer wrote it, and a span takes nothing that came from outside. */
export const paymentOfEvent = ({ paymentId }: { readonly paymentId: string | null }): string | null =>
  paymentId !== null && isUuid(paymentId) ? paymentId.toLowerCase() : null

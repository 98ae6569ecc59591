import { type Limit, noLimit } from '#domain/mid.ts'

/** A limit is one value set by two options; the option that is not given keeps its part. */
export function changeLimit(
  before: Limit = noLimit,
  amountMinor: bigint | null = before.amountMinor,
  count: number | null = before.count,
): Limit {
  return { amountMinor, count }
}

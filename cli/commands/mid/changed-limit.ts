import { type Limit, noLimit } from '#domain/mid.ts'

/** A limit is one value with two options; a part that is not given stays as it was. */
export function changedLimit(
  before: Limit = noLimit,
  amountMinor: bigint | null = before.amountMinor,
  count: number | null = before.count,
): Limit {
  return { amountMinor, count }
}

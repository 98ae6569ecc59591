/** Reads the parts of a brand's record that lists and pages show; the API returns the record in its file format. */
import { networkName } from '#domain/network-names.ts'
import { memberOf } from '../../api/call.ts'

interface BrandEntry {
  readonly code: string
  /** Null for a card network, which has none. */
  readonly record: unknown
}

export function titleOf({ code, record }: BrandEntry): string {
  const title = memberOf(memberOf(record, 'title'), 'en')
  return typeof title === 'string' ? title : networkName(code)
}

/** Whether the operator made the brand, rather than the release. */
export const isOwn = ({ record }: BrandEntry): boolean => memberOf(record, 'built_in') === false

export function textsAt(record: unknown, name: string): readonly string[] {
  const list = memberOf(record, name)
  return Array.isArray(list) ? list.map(String) : []
}

/** A share of a key file as one line that can be written down: its checksum finds typing errors. */
import type { Share } from '#server/vault/key-shares.ts'
import { decodeBech32, encodeBech32 } from '../../kit/bech32.ts'

const prefix = 'gatehouse-share-'
const setBytes = 4

export const formatShare = ({ set, threshold, number, bytes }: Share): string =>
  encodeBech32(prefix, Buffer.concat([set, Buffer.from([threshold, number]), bytes]))

/** Null if the line is not a share. */
export function readShare(line: string): Share | null {
  const data = decodeBech32(prefix, line)
  const [threshold, number] = data?.subarray(setBytes, setBytes + 2) ?? []
  if (!data || !threshold || !number) return null
  return { set: data.subarray(0, setBytes), threshold, number, bytes: data.subarray(setBytes + 2) }
}

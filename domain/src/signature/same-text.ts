import { timingSafeEqual } from 'node:crypto'

/** For secrets and signatures: only the length can leak through timing, and it is public. */
export function isSameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

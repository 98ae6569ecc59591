/** The text before the digest, value by value and as bytes, so that a developer sees which value of a wrong hash differs. */
import type { Branch, Formula, Tree } from '#domain/signature/signature.ts'

export interface BasePart {
  /** The value's name; `PASSWORD` for the merchant's password. */
  readonly name: string
  readonly bytes: Buffer
}

/** In the order of the text: reversing a joined text reverses the order of its values as well. */
export function partsOf(formula: Formula, values: Readonly<Record<string, string | undefined>>): readonly BasePart[] {
  return formula.flatMap((part): readonly BasePart[] => {
    if (typeof part === 'string') {
      return [{ name: part === 'password' ? 'PASSWORD' : part, bytes: Buffer.from(values[part] ?? '') }]
    }
    const inner = partsOf(part.parts, values)
    if (part.step === 'rev') return inner.toReversed().map(({ name, bytes }) => ({ name, bytes: reverse(bytes) }))
    return inner.map(({ name, bytes }) => ({ name, bytes: upperCase(bytes) }))
  })
}

/** Formula C1: every parameter of a callback except `hash`, sorted by name, then the password. */
export function treePartsOf(tree: Tree, password: string): readonly BasePart[] {
  const entries = Object.entries(tree).filter(([name]) => name !== 'hash')
  return [...leavesOf(entries, ''), { name: 'PASSWORD', bytes: upperCase(Buffer.from(password)) }]
}

function leavesOf(entries: readonly (readonly [string, Branch])[], prefix: string): readonly BasePart[] {
  return entries
    .toSorted(([a], [b]) => compareNames(a, b))
    .flatMap(([name, branch]) => {
      const path = prefix === '' ? name : `${prefix}[${name}]`
      if (branch === undefined) return []
      if (typeof branch === 'string') return [{ name: path, bytes: upperCase(reverse(Buffer.from(branch))) }]
      return leavesOf(Object.entries(branch), path)
    })
}

function compareNames(a: string, b: string): number {
  const isNumber = (name: string): boolean => /^(?:0|[1-9][0-9]*)$/.test(name)
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b)
  if (isNumber(a) || isNumber(b)) return isNumber(a) ? -1 : 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const reverse = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse()

const upperCase = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte)))

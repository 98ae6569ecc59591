/**
 * The difference between two texts for a reviewer: removed and added lines with some unchanged ones around them.
 *
 * The algorithm is Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). The search is bounded, because an author could upload
 * texts that take very long to compare: texts with more differences are shown as removed and added completely.
 */

export interface DiffLine {
  /** `gap` stands for unchanged lines that are left out. */
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
  /** Line numbers in the old and the new text, from 1; null in the text that lacks the line. */
  readonly before: number | null
  readonly after: number | null
}

const mostEdits = 1_500
const contextLines = 3

/** Empty for equal texts. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  if (before === after) return []
  return withoutFarLines(allLines(linesOf(before), linesOf(after)))
}

export const linesOf = (text: string): readonly string[] => {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function allLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const middle = editsBetween(before.slice(start, before.length - end), after.slice(start, after.length - end))
  const kinds: readonly Edit[] = [...Array(start).fill('same'), ...middle, ...Array(end).fill('same')]
  let [old, now] = [0, 0]
  return kinds.map((kind) => {
    if (kind !== 'added') old += 1
    if (kind !== 'removed') now += 1
    const text = (kind === 'removed' ? before[old - 1] : after[now - 1]) ?? ''
    return { kind, text, before: kind === 'added' ? null : old, after: kind === 'removed' ? null : now }
  })
}

type Edit = 'same' | 'added' | 'removed'

function editsBetween(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const whole = (): readonly Edit[] => [...Array(before.length).fill('removed'), ...Array(after.length).fill('added')]
  if (before.length === 0 || after.length === 0) return whole()
  const trace: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let edits = 0; edits <= Math.min(mostEdits, before.length + after.length); edits += 1) {
    trace.push(new Map(furthest))
    const next = new Map(furthest)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(furthest, diagonal, edits)
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1
      next.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) return wayBack(trace, before.length, after.length)
    }
    furthest = next
  }
  return whole()
}

/** Adds or removes one more line, whichever reaches further. */
function startOf(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const [below, beside] = [furthest.get(diagonal + 1) ?? -1, furthest.get(diagonal - 1) ?? -1]
  return diagonal === -edits || (diagonal !== edits && beside < below) ? below : beside + 1
}

function wayBack(trace: readonly ReadonlyMap<number, number>[], before: number, after: number): readonly Edit[] {
  const edits: Edit[] = []
  let [x, y] = [before, after]
  for (let depth = trace.length - 1; depth >= 0; depth -= 1) {
    const furthest = trace[depth] ?? new Map()
    const diagonal = x - y
    const start = startOf(furthest, diagonal, depth)
    const isAdded = depth > 0 && start === (furthest.get(diagonal + 1) ?? -1) && !(diagonal === depth)
    for (; x > start && y > start - diagonal; x -= 1, y -= 1) edits.push('same')
    if (depth === 0) break
    edits.push(isAdded ? 'added' : 'removed')
    if (isAdded) y -= 1
    else x -= 1
  }
  return edits.reverse()
}

/** Long unchanged stretches become one gap each. */
function withoutFarLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>()
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') for (let by = -contextLines; by <= contextLines; by += 1) near.add(at + by)
  const shown: DiffLine[] = []
  for (const [at, line] of lines.entries()) {
    if (near.has(at)) shown.push(line)
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '', before: null, after: null })
  }
  return shown
}

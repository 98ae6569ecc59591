import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DiffLine, lineDiff, linesOf } from './line-diff.ts'

const marks = { same: ' ', added: '+', removed: '-', gap: '…' }
const shown = (lines: readonly DiffLine[]): readonly string[] => lines.map(({ kind, text }) => `${marks[kind]}${text}`)

test('removed and added lines are shown in place, with three unchanged lines around them', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n'
  const after = 'a\nb\nc\nd\nE\nf\ng\nh\ni\nj\n'
  assert.deepEqual(shown(lineDiff(before, after)), ['…', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h', ' i', '+j'])
  assert.deepEqual(
    lineDiff(before, after).find(({ kind }) => kind === 'added'),
    { kind: 'added', text: 'E', before: null, after: 5 },
  )
})

test('equal texts have an empty difference', () => {
  assert.deepEqual(lineDiff('a\nb', 'a\nb'), [])
})

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'x y'), { maxLength: 40 }).map((lines) => lines.join('\n'))

test('for any two texts, the lines that are not added give the old text and those not removed the new one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after)
      for (const line of lines) {
        if (line.before !== null) assert.equal(line.text, linesOf(before)[line.before - 1])
        if (line.after !== null) assert.equal(line.text, linesOf(after)[line.after - 1])
      }
      const changed = (kind: 'added' | 'removed') => lines.filter((line) => line.kind === kind).length
      const grown = linesOf(after).length - linesOf(before).length
      assert.equal(changed('added') - changed('removed'), grown)
      const withoutRemoved = linesOf(before).filter(
        (_, at) => !lines.some((line) => line.kind === 'removed' && line.before === at + 1),
      )
      const withoutAdded = linesOf(after).filter(
        (_, at) => !lines.some((line) => line.kind === 'added' && line.after === at + 1),
      )
      assert.deepEqual(withoutRemoved, withoutAdded)
    }),
  )
})

test('long texts without a common line are shown as removed and added completely', () => {
  const of = (word: string): string => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`).join('\n')
  const lines = lineDiff(of('old'), of('new'))
  assert.equal(lines.length, 10_000)
})

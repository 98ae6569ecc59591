import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DraftRule, exampleRule, moveItem, nameFor } from '../rule/draft-rule.ts'
import { ruleChanges } from './rule-changes.ts'

const rule = (name: string, over: Partial<DraftRule> = {}): DraftRule => ({ ...exampleRule('a'), name, ...over })
const changes = (before: readonly DraftRule[], after: readonly DraftRule[]): readonly string[] =>
  ruleChanges(before, after).map(({ name, what }) => `${name} ${what}`)

test('two equal lists have no changes', () => {
  assert.deepEqual(changes([rule('x'), rule('y')], [rule('x'), rule('y')]), [])
})

test('the order of members is not a difference', () => {
  const action = { only: false, kind: 'use', mids: ['a'] }
  assert.deepEqual(changes([rule('x')], [rule('x', { action })]), [])
})

test('rules are matched by name and reported as added, removed or changed', () => {
  const [before, after] = [
    [rule('x'), rule('y')],
    [rule('y', { final: true }), rule('z')],
  ]
  assert.deepEqual(changes(before, after), ['x removed', 'y changed', 'z added'])
})

test('a rule that was switched off is reported as changed, with that reason', () => {
  const [change] = ruleChanges([rule('x')], [rule('x', { enabled: false })])
  assert.match(change?.after ?? '', /^\(off\) If /)
})

test('moving the last rule to the front is one change, not one for every other rule', () => {
  const rules = ['a', 'b', 'c', 'd'].map((name) => rule(name))
  assert.deepEqual(changes(rules, moveItem(rules, 3, 0)), ['d moved'])
  const [change] = ruleChanges(rules, moveItem(rules, 3, 0))
  assert.deepEqual([change?.before, change?.after], ['Number 4', 'Number 1'])
})

test('a rule moves within its list and never out of it', () => {
  assert.deepEqual(moveItem(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c'])
  assert.deepEqual(moveItem(['a', 'b'], 0, -1), ['a', 'b'])
  assert.deepEqual(moveItem(['a', 'b'], 1, 2), ['a', 'b'])
})

test('a duplicate gets an unused name', () => {
  assert.equal(nameFor('x', [rule('y')]), 'x')
  assert.equal(nameFor('x', [rule('x')]), 'x (2)')
  assert.equal(nameFor('x (2)', [rule('x'), rule('x (2)')]), 'x (3)')
})

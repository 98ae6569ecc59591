/**
 * Random bodies, each run from a printed seed: no body may make the reader throw, pass a limit or touch a prototype. Bodies are
 * put together from the pieces that mean something to the reader, since bytes drawn at random seldom get past the first check.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FormTree, readForm } from './form.ts'

const BODIES = 40_000
const SEED = 20_260_310

const tame = [
  'a',
  'parameters',
  'custom_data',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '0',
  '-1',
  '[',
  ']',
  '[]',
  '][',
  '[a]',
  '[b]'.repeat(7),
  '=',
  '&',
  ';',
  '+',
  '%5B',
  '%5d',
  '%C3%A9',
  '\xc3\xa9',
  '\r\n',
  '\r\n\r\n',
  '--cut',
  '\r\n--cut\r\n',
  '\r\n--cut--',
  'Content-Disposition: form-data; name="',
  'Content-Disposition: form-data; name="a[b]"\r\n\r\n',
  '; filename="',
  '"',
  '\\',
  'x'.repeat(300),
  'k=v&'.repeat(90),
]
// These make most bodies unreadable, so only every other body has them.
const wild = [...tame, '%', '%zz', '%00', '%ff', '\xff', '\0']
const types = [
  undefined,
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=cut',
  'multipart/form-data; boundary="cut"; x=y',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'text/html',
]

test(`${BODIES} random bodies (seed ${SEED}) never throw, never pass a limit, never touch a prototype`, (context) => {
  const below = generator(SEED)
  const prototypes = [Object.prototype, Array.prototype, Function.prototype].map((prototype) => ({
    prototype,
    names: Object.getOwnPropertyNames(prototype),
  }))
  const seen = { tree: 0, 'too-large': 0, unreadable: 0, 'bare-percent': 0 }

  for (let run = 0; run < BODIES; run += 1) {
    const length = below(run % 50 === 0 ? 2500 : 40)
    const pieces = run % 2 === 0 ? tame : wild
    const body = Array.from({ length }, () => pieces[below(pieces.length)]).join('')
    const reading = readForm(Buffer.from(body, 'latin1'), types[below(types.length)])
    seen[reading.ok ? 'tree' : reading.fault] += 1
    if (!reading.ok) continue

    assert.ok(body.length <= 262_144, 'body above its limit was read')
    const { leaves, depth } = measure(reading.tree)
    assert.ok(leaves <= 400, `${leaves} parameters`)
    assert.ok(depth <= 9, `nesting ${depth - 1}`)
  }

  context.diagnostic(JSON.stringify(seen))
  for (const { prototype, names } of prototypes) assert.deepEqual(Object.getOwnPropertyNames(prototype), names)
  for (const [outcome, count] of Object.entries(seen))
    assert.ok(count > BODIES / 200, `${outcome} was seen ${count} times only`)
})

/** Leaves of the tree, and how many names lead to the deepest one: a plain parameter has one, each bracket adds one. */
function measure(tree: FormTree): { leaves: number; depth: number } {
  assert.equal(Object.getPrototypeOf(tree), null)
  let leaves = 0
  let depth = 0
  for (const value of Object.values(tree)) {
    const inner = typeof value === 'object' ? measure(value) : { leaves: 1, depth: 0 }
    leaves += inner.leaves
    depth = Math.max(depth, inner.depth + 1)
  }
  return { leaves, depth }
}

/** A small seeded generator (mulberry32), so that a failing run can be had again. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

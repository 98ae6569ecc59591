import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { reviewForm } from './form-review.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test("every inline script, handler and style is hashed, and handlers require 'unsafe-hashes'", () => {
  const review = reviewForm(`<style>p { color: red }</style>
<script>start()</script><script src="/sdk/pay-session.js"></script>
<button onclick="pay(&quot;now&quot;)" style='margin: 0'>Pay</button>`)
  assert.ok(review.ok)
  assert.deepEqual(review.sources, {
    scripts: ["'unsafe-hashes'", hashOf('start()'), hashOf('pay("now")')],
    styles: ["'unsafe-hashes'", hashOf('p { color: red }'), hashOf('margin: 0')],
  })
})

test('a form without inline code needs no exception', () => {
  const review = reviewForm(
    `<script src="{{ asset('f/js/form.js', 'forms') }}"></script><a href="https://shop.example">Back</a>`,
  )
  assert.deepEqual(review, { ok: true, sources: { scripts: [], styles: [] } })
})

for (const markup of [
  '<script src="https://thief.example/x.js"></script>',
  '<img src="//thief.example/p.gif">',
  "<link rel=stylesheet href='http://thief.example/a.css'>",
  '<form action="https://thief.example/collect">',
  '<iframe src="https://thief.example">',
]) {
  test(`${markup} is refused`, () => {
    const review = reviewForm(markup)
    assert.ok(!review.ok && review.faults.some((fault) => fault.includes('thief.example')))
  })
}

test('a placeholder inside a script is refused, because it would change the script after the review', () => {
  assert.equal(reviewForm('<script>const amount = "{{ amount }}"</script>').ok, false)
  assert.equal(reviewForm('<p>{{ amount }}</p>').ok, true)
})

test('an attribute inside a script is ignored, and an invalid character reference is read as browsers do', () => {
  const review = reviewForm(`<script>const a = ' onclick="never()"'</script><b onclick="say('&#1114112;')">`)
  assert.ok(review.ok)
  assert.deepEqual(review.sources.scripts.slice(1), [hashOf(`const a = ' onclick="never()"'`), hashOf(`say('\ufffd')`)])
})

// An earlier version took minutes of backtracking for a tenth of this, and the process answered no request meanwhile.
for (const [what, text] of [
  ['tags that never end', '<b '.repeat(300_000)],
  ['scripts that never end', '<script>'.repeat(100_000)],
  ['scripts that never begin', `${'<script '.repeat(100_000)}>`],
  ['spaces before an address', `<img src=${' '.repeat(900_000)}x>`],
] as const) {
  test(`a template of ${what} is read without delay`, () => {
    const begun = performance.now()
    reviewForm(text)
    assert.ok(performance.now() - begun < 2_000)
  })
}

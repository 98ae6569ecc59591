import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewForm } from './form-review.ts'
import { withOwnScripts } from './own-scripts.ts'

const base = 'https://pay.example.com:8443'

for (const address of [`${base}/sdk/pay-session.js`, '//pay.example.com:8443/sdk/pay-session.js'])
  for (const quote of ['"', "'", '']) {
    test(`<script src=${quote}${address}${quote}> loads the SDK by its path and passes the review`, () => {
      const text = withOwnScripts(`<p>a</p><script async src=${quote}${address}${quote}></script><p>b</p>`, base)
      assert.equal(text, `<p>a</p><script async src=${quote}/sdk/pay-session.js${quote}></script><p>b</p>`)
      assert.equal(reviewForm(text).ok, true)
    })
  }

for (const markup of [
  '<script src="https://pay.example.com.thief.example:8443/sdk/x.js"></script>',
  '<script src="https://pay-example.com:8443/sdk/x.js"></script>',
  '<script src="https://thief.example/https://pay.example.com:8443/sdk/x.js"></script>',
  `<script src="${base}/admin/x.js"></script>`,
  `<img src="${base}/sdk/pixel.gif">`,
]) {
  test(`${markup} stays as it is and is refused`, () => {
    assert.equal(withOwnScripts(markup, base), markup)
    assert.equal(reviewForm(markup).ok, false)
  })
}

test('the address inside a script, a link or a text is not changed', () => {
  const template = `<script>load(' src="${base}/sdk/a.js"')</script><a href="${base}/sdk/">SDK</a> src="${base}/sdk/"`
  assert.equal(withOwnScripts(template, base), template)
})

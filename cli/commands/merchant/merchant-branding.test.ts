import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { openTestInstance } from '../../test/gatehouse.ts'

const instance = await openTestInstance()
after(() => instance[Symbol.asyncDispose]())
await instance.do('merchant', 'create', 'demo', '--title', 'Demo')

const branding = async () => (await instance.do('merchant', 'branding', 'show', 'demo', '--json')).json
const set = (...options: readonly string[]) => instance.run(['merchant', 'branding', 'set', 'demo', ...options])
const none = { template: null, logo: null, logo_type: null, heading: null, background: null, buttons: null }
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'

test('a branding is set one setting at a time, shown and cleared', async () => {
  assert.deepEqual(await branding(), none)
  await instance.do('merchant', 'branding', 'set', 'demo', '--heading', '#7A1F1F', '--background', '#fff3e0')
  assert.equal((await set('--logo', '-')).code, 1)
  const { code, err } = await instance.run(['merchant', 'branding', 'set', 'demo', '--logo', '-'], { input: svg })
  assert.equal(code, 0, err)
  assert.equal((await set('--buttons', '#ffd777', '--template', 'split')).code, 0)
  const worn = { template: 'split', heading: '#7a1f1f', background: '#fff3e0', buttons: '#ffd777' }
  assert.deepEqual(await branding(), { ...worn, logo: hash('sha256', svg), logo_type: 'image/svg+xml' })
  assert.equal((await set('--no-logo', '--no-template')).code, 0)
  assert.deepEqual(await branding(), { ...none, ...worn, template: 'card' })
  assert.match((await instance.do('merchant', 'branding', 'clear', 'demo')).out, /the standard branding/)
  assert.deepEqual(await branding(), none)
  assert.match(
    (await instance.do('merchant', 'branding', 'clear', 'demo')).out,
    /Nothing to change: the page already has the standard branding/,
  )
})

test('unreadable colours are refused with the pair and its contrast ratio, and nothing changes', async () => {
  await instance.do('merchant', 'branding', 'set', 'demo', '--heading', '#000000', '--background', '#ffffff')
  const before = await branding()
  // biome-ignore format: a table is read in columns.
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['--heading', '#aaaaaa'],                        /heading #aaaaaa on the background #ffffff has a contrast of 2\.32:1; at least 4\.5:1 is required/],
    [['--background', '#111111'],                     /heading #000000 on the background #111111/],
    [['--no-background'],                             /needs a background colour/],
    [['--buttons', 'red'],                            /a colour such as #1d4fd7/],
    [['--template', 'round'],                         /one of card, plain, split/],
    [[],                                              /Nothing to change/],
  ]
  for (const [options, reason] of refused) {
    const { code, err } = await set(...options)
    assert.notEqual(code, 0)
    assert.match(err, reason)
  }
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
  const { err } = await instance.run(['merchant', 'branding', 'set', 'demo', '--logo', '-'], { input: script })
  assert.match(err, /SVG without scripts/)
  assert.deepEqual(await branding(), before)
})

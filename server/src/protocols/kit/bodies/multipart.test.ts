import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readForm } from './form.ts'
import { invalidText } from './value-tree.ts'

const type = 'multipart/form-data; boundary=cut'

const crlf = (lines: readonly string[]) => lines.join('\r\n')
const part = (name: string, value: string) =>
  crlf(['--cut', `Content-Disposition: form-data; name="${name}"`, '', value])
const body = (...parts: readonly string[]) => crlf([...parts, '--cut--', ''])

function read(text: string, contentType = type): unknown {
  const reading = readForm(Buffer.from(text, 'latin1'), contentType)
  return reading.ok ? JSON.parse(JSON.stringify(reading.tree)) : reading.fault
}

describe('a multipart body', () => {
  test('is read like an urlencoded one, brackets and repetition included', () => {
    const text = body(part('action', 'SALE'), part('custom_data[a][b]', ' x '), part('a', '1'), part('a', '2'))
    assert.deepEqual(read(text), { action: 'SALE', custom_data: { a: { b: ' x ' } }, a: '2' })
  })

  test('keeps a value byte for byte: plus, percent and line ends are not decoded', () => {
    assert.deepEqual(read(body(part('token', 'a+b%20c\r\n--cu\r\n\r\nd'))), { token: 'a+b%20c\r\n--cu\r\n\r\nd' })
  })

  test('leaves files out, however the file is named', () => {
    const file = crlf([
      '--cut',
      'content-disposition: form-data; name="f"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'x',
    ])
    const starred = crlf(['--cut', "Content-Disposition: form-data; name=g; filename*=UTF-8''a", '', 'x'])
    assert.deepEqual(read(body(file, part('a', '1'), starred)), { a: '1' })
  })

  test('marks a value that is not UTF-8', () => {
    const reading = readForm(Buffer.from(body(part('a', '\xff'), part('b', '\xc3\xa9')), 'latin1'), type)
    assert.ok(reading.ok)
    assert.deepEqual({ ...reading.tree }, { a: invalidText, b: 'é' })
  })

  test('may have text before the first and after the last delimiter, and spaces after a delimiter', () => {
    const text = `preamble\r\n${body(part('a', '1')).replace('--cut\r\n', '--cut \t\r\n')}epilogue`
    assert.deepEqual(read(text), { a: '1' })
  })

  test('may escape a quotation mark in a name in the ways in use', () => {
    assert.deepEqual(read(body(part('a\\"b', '1'), part('c%22d', '2'))), { 'a"b': '1', 'c"d': '2' })
  })

  test('takes a quoted boundary and further parameters of the content type', () => {
    const text = body(part('a', '1')).replaceAll('cut', 'c u;t')
    assert.deepEqual(read(text, 'Multipart/Form-Data; charset=utf-8; Boundary="c u;t"'), { a: '1' })
  })

  test('is what the platform writes for the same fields', async () => {
    const form = new FormData()
    form.set('custom_data[ä "q"]', 'é\r\n😀')
    form.set('file', new Blob(['x']), 'x.bin')
    const { headers, bytes } = await new Response(form)
      .bytes()
      .then((bytes) => ({ bytes, headers: /^--(.+?)\r\n/.exec(Buffer.from(bytes).toString('latin1')) }))
    const reading = readForm(Buffer.from(bytes), `multipart/form-data; boundary=${headers?.[1]}`)
    assert.ok(reading.ok)
    assert.deepEqual(JSON.parse(JSON.stringify(reading.tree)), { custom_data: { 'ä "q"': 'é\r\n😀' } })
  })

  test('counts no more than 400 fields, files aside', () => {
    const fields = Array.from({ length: 401 }, (_, at) => part(`p${at}`, ''))
    assert.equal(read(body(...fields)), 'too-large')
    assert.equal(Object.keys(Object(read(body(...fields.slice(1))))).length, 400)
  })
})

describe('a multipart body is unreadable when', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, text: string, contentType?: string])[] = [
    ['the boundary is missing',                   body(part('a', '1')), 'multipart/form-data'],
    ['the boundary is empty',                     body(part('a', '1')), 'multipart/form-data; boundary=""'],
    ['the boundary is longer than 70 characters', body(part('a', '1')), `multipart/form-data; boundary=${'b'.repeat(71)}`],
    ['the parameters of the type are garbled',    body(part('a', '1')), 'multipart/form-data; boundary=cut" x'],
    ['no delimiter is found',                     'a=1'],
    ['it is empty',                               ''],
    ['the closing delimiter is missing',          part('a', '1')],
    ['it ends within the delimiter',              `${part('a', '1')}\r\n--cut`],
    ['a delimiter goes on with other text',       body(part('a', '1')).replace('--cut\r\n', '--cutter\r\n')],
    ['a part has no blank line',                  crlf(['--cut', 'Content-Disposition: form-data; name="a"', '--cut--', ''])],
    ['a part has no name',                        crlf(['--cut', 'Content-Disposition: form-data', '', '1', '--cut--', ''])],
    ['a part has no disposition',                 crlf(['--cut', 'Content-Type: text/plain', '', '1', '--cut--', ''])],
    ['a part is not form data',                   crlf(['--cut', 'Content-Disposition: attachment; name="a"', '', '1', '--cut--', ''])],
    ['a name has no closing quotation mark',      crlf(['--cut', 'Content-Disposition: form-data; name="a', '', '1', '--cut--', ''])],
    ['a part is in a transfer encoding',          crlf(['--cut', 'Content-Disposition: form-data; name="a"', 'Content-Transfer-Encoding: base64', '', 'MQ==', '--cut--', ''])],
    ['lines end without carriage return',         body(part('a', '1')).replaceAll('\r', '')],
  ]
  for (const [title, text, contentType = type] of cases)
    test(title, () => assert.equal(read(text, contentType), 'unreadable'))
})

test('whatever bytes the values hold, a multipart body gives back the fields it was made of', () => {
  const value = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !text.includes('\0'))
  const name = fc
    .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
    .filter((text) => !/["\\%\][]/.test(text))
  fc.assert(
    fc.property(fc.dictionary(name, value, { minKeys: 1, noNullPrototype: true }), (sent) => {
      const parts = Object.entries(sent).map(([key, text]) => part(key, Buffer.from(text).toString('latin1')))
      assert.deepEqual(read(body(...parts)), sent)
    }),
    { numRuns: 1000 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrandColours, colourFaults, logoBytesAtMost, ownColours, readLogo } from './branding.ts'

// biome-ignore format: a table is read in columns.
const colours: readonly (readonly [string, Partial<BrandColours>, readonly string[]])[] = [
  ['none at all',                         {},                                              []],
  ['a heading that can be read',          { heading: '#7a1f1f', background: '#fff3e0' },   []],
  ['a heading that can just be read',     { heading: '#767676', background: '#ffffff' },   []],
  ['a heading that can just not be read', { heading: '#777777', background: '#ffffff' },   ['The heading #777777 on the background #ffffff has a contrast of 4.47:1; at least 4.5:1 is required.']],
  ['a heading on an unknown background',  { heading: '#7a1f1f' },                          ['A heading colour needs a background colour.']],
  ['a background alone',                  { background: '#0b1530' },                       []],
  ['buttons alone',                       { button: '#777777' },                           []],
  ['what is no colour',                   { heading: 'red', button: '#fff' },              ['The heading must be a colour such as #1d4fd7.', 'The button must be a colour such as #1d4fd7.']],
]
for (const [title, chosen, faults] of colours) {
  test(`${title}: ${faults.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(colourFaults({ ...ownColours, ...chosen }), faults)
  })
}

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex')
const neither = 'The logo must be a PNG, or an SVG without scripts, animations and references outside itself.'

// biome-ignore format: a table is read in columns.
const logos: readonly (readonly [string, Uint8Array, ReturnType<typeof readLogo>])[] = [
  ['a PNG',                           png,                                                       { ok: true, type: 'image/png' }],
  ['an SVG',                          Buffer.from(svg('<path d="M0 0"/>')),                      { ok: true, type: 'image/svg+xml' }],
  ['an SVG with a script',            Buffer.from(svg('<script>1</script>')),                    { ok: false, fault: neither }],
  ['an SVG with a handler',           Buffer.from(svg('<path onload="1"/>')),                    { ok: false, fault: neither }],
  ['an SVG that fetches',             Buffer.from(svg('<image href="https://x.example/a"/>')),   { ok: false, fault: neither }],
  ['a page',                          Buffer.from('<html></html>'),                              { ok: false, fault: neither }],
  ['a photograph',                    Buffer.from('ffd8ffe000104a464946', 'hex'),                { ok: false, fault: neither }],
  ['the beginning of a PNG',          png.subarray(0, 8),                                        { ok: false, fault: neither }],
  ['nothing',                         Buffer.alloc(0),                                           { ok: false, fault: neither }],
  ['as much as is allowed',           Buffer.concat([png, Buffer.alloc(logoBytesAtMost - png.length)]),     { ok: true, type: 'image/png' }],
  ['a byte more',                     Buffer.concat([png, Buffer.alloc(logoBytesAtMost - png.length + 1)]), { ok: false, fault: 'The logo has 102401 bytes; at most 100 KiB are allowed.' }],
]
for (const [title, content, reading] of logos) {
  test(`a logo that is ${title}: ${reading.ok ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(readLogo(content), reading)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterStyle } from './style-rules.ts'

const isAllowed = (value: string, property = 'color') => filterStyle({ input: { [property]: value } }).length === 1

test('text, colour, spacing, border and size may be styled, in either spelling', () => {
  const wish = {
    input: { 'font-size': '16px', paddingLeft: '1rem', border: '1px solid #ccc', height: '44px' },
    ':invalid': { color: '#b00020' },
    ':focus': { outline: 'none', background: 'white' },
    '::placeholder': { color: 'rgb(0 0 0 / 50%)' },
  }
  assert.deepEqual(filterStyle(wish), [
    ['input', 'font-size', '16px'],
    ['input', 'padding-left', '1rem'],
    ['input', 'border', '1px solid #ccc'],
    ['input', 'height', '44px'],
    ['::placeholder', 'color', 'rgb(0 0 0 / 50%)'],
    [':focus', 'outline', 'none'],
    [':focus', 'background', 'white'],
    [':invalid', 'color', '#b00020'],
  ])
})

test('an unlisted property or selector is dropped, and the rest is applied', () => {
  const wish = {
    input: { position: 'fixed', 'background-image': 'none', content: '"x"', '--x': '1', color: 'red' },
    'input[value^="4"]': { color: 'blue' },
    body: { color: 'blue' },
  }
  assert.deepEqual(filterStyle(wish), [['input', 'color', 'red']])
})

test('a style cannot load anything, hide a function behind an escape, or end its declaration', () => {
  for (const value of [
    'url(https://evil.example/x)',
    'URL (x)',
    'image-set("x" 1x)',
    'src(x)',
    'u\\72l(x)',
    'red; background: url(x)',
    'red} body{',
    'var(--x)',
    'env(x)',
    'attr(value)',
    'expression(alert(1))',
    'red /* x */',
    'x'.repeat(201),
  ]) {
    assert.ok(!isAllowed(value), value)
    assert.ok(!isAllowed(value, 'background'), value)
  }
})

test('font names and functions of colours and sizes are allowed', () => {
  assert.ok(isAllowed('"Varela Round", Courier, sans-serif', 'font-family'))
  assert.ok(isAllowed('calc(100% - (2 * 4px))', 'width'))
  assert.ok(isAllowed('color-mix(in oklab, red, blue)'))
})

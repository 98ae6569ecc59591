import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { urlOf } from './quick-imports.ts'

const at = (path: string): string => new URL(`../../${path}`, import.meta.url).href

test('our own modules are found where the package says', () => {
  for (const [specifier, path] of [
    ['./quick-imports.ts', 'tools/testing/quick-imports.ts'],
    ['../command-line.ts', 'tools/command-line.ts'],
    ['#server/wiring.ts', 'server/src/wiring.ts'],
    ['#domain/limits.ts', 'domain/src/limits.ts'],
    ['#sandbox/kit/server.ts', 'sandbox/kit/server.ts'],
  ] as const) {
    assert.equal(urlOf(specifier, import.meta.url), at(path))
    assert.ok(existsSync(fileURLToPath(at(path))), path)
  }
})

test('packages, other kinds of files, fresh copies and programs outside are left to the usual way', () => {
  for (const specifier of ['pg', 'node:fs', './en.json', './wiring.ts?2', '#unknown/wiring.ts'])
    assert.equal(urlOf(specifier, import.meta.url), null, specifier)
  assert.equal(urlOf('./wiring.ts', 'file:///elsewhere/main.ts'), null)
  assert.equal(urlOf('./wiring.ts', undefined), null)
})

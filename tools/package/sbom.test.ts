/** The licences that a release has to contain. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { licences } from './sbom.ts'

test('the licences of a release have every licence text of a package', async (t) => {
  const modules = join(await mkdtemp(join(tmpdir(), 'gatehouse-licences-')), 'node_modules')
  t.after(() => rm(join(modules, '..'), { recursive: true }))
  const folder = join(modules, '@letters/sans')
  await mkdir(folder, { recursive: true })
  const files = {
    'package.json': '{"name":"@letters/sans","version":"1.0.0","license":"MIT AND OFL-1.1"}',
    LICENSE: 'of the program',
    LICENSE_FONT: 'of the font',
    'COPYING.md': 'of the rest',
    'licensed.js': 'no licence',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  assert.equal(
    await licences(modules),
    '@letters/sans 1.0.0: MIT AND OFL-1.1\n\nof the rest\n\nof the program\n\nof the font\n',
  )
})

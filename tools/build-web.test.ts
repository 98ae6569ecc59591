import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildWeb, writeWebFiles } from './build-web.ts'
import { root } from './tidy/source-files.ts'

test('a copy of the project in another folder builds the same browser files, byte by byte', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'gatehouse-web-'))
  t.after(() => rm(place, { recursive: true, force: true }))
  const copy = join(place, 'elsewhere', 'gatehouse')
  const isSource = (path: string) => !path.includes('/.built')
  for (const part of ['web', 'domain', 'package.json', 'tsconfig.json'])
    await cp(join(root, part), join(copy, part), { recursive: true, filter: isSource })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const built = join(place, 'built')
  await writeWebFiles(copy, built)
  await buildWeb()
  const here = join(root, 'web/.built')
  const names = (await readdir(built)).toSorted()
  assert.ok(names.length > 20 && names.includes('manifest.json'))
  const besides = new Set(names)
  assert.deepEqual(
    (await readdir(here)).filter((name) => !besides.has(name)),
    ['stamp'],
  )
  for (const name of names)
    assert.ok((await readFile(join(built, name))).equals(await readFile(join(here, name))), name)
})

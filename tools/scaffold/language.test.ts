import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyOfProject, project, type Run, run } from './project-copy.ts'

const folder = 'domain/src/place/languages'

test('a new language comes last, has every text, and a form for each of its plurals', async (t) => {
  const root = await copyOfProject(t, [folder])
  const result = await newLanguage(root, 'uk', 'uk', 'Ukrainian', 'Українська')
  assert.equal(result.code, 0, result.output)
  const english = JSON.parse(await readFile(join(root, folder, 'en.json'), 'utf8'))
  const ukrainian = JSON.parse(await readFile(join(root, folder, 'uk.json'), 'utf8'))
  assert.deepEqual(ukrainian.language, {
    position: 22,
    name: 'Ukrainian',
    nativeName: 'Українська',
    tag: 'uk',
    direction: 'ltr',
  })
  assert.deepEqual(Object.keys(ukrainian), Object.keys(english))
  assert.deepEqual(Object.keys(ukrainian.page), Object.keys(english.page))
  assert.deepEqual(Object.keys(ukrainian.page.everyDay).toSorted(), ['few', 'many', 'one', 'other'])

  await newLanguage(root, 'he', 'he', 'Hebrew', 'עברית')
  const { language } = JSON.parse(await readFile(join(root, folder, 'he.json'), 'utf8'))
  assert.deepEqual([language.position, language.direction], [23, 'rtl'])
})

test('a wrong code, an unknown tag and an existing language are refused, and nothing is written', async (t) => {
  const root = await copyOfProject(t, [folder])
  const before = await readdir(join(root, folder))
  // biome-ignore format: a table is read in columns.
  const refused = [
    [['UK', 'uk', 'Ukrainian', 'Українська'],    /"UK" is not a code/],
    [['uk', 'u-k', 'Ukrainian', 'Українська'],   /"u-k" is not a language tag/],
    [['de', 'de', 'German', 'Deutsch'],          /de\.json already exists/],
  ] as const
  for (const [names, said] of refused) {
    const { code, output } = await newLanguage(root, ...names)
    assert.deepEqual([code, said.test(output)], [1, true], output)
  }
  assert.deepEqual(await readdir(join(root, folder)), before)
})

const newLanguage = (root: string, ...names: readonly string[]): Promise<Run> =>
  run(join(project, 'tools/scaffold/language.ts'), ['--root', root, ...names], project)

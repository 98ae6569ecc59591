import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { root } from '../tidy/source-files.ts'
import { languageFolder, languageTables } from './language-tables.ts'

const read = (path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'))
const files = globSync(`${languageFolder}/*.json`, { cwd: root })

test('every file of a language is a language of the pages, and the tables have its texts', () => {
  assert.deepEqual(
    languages.map(({ code }) => code).toSorted(),
    files.map((path) => basename(path, '.json')).toSorted(),
  )
  for (const [path, content] of languageTables()) {
    assert.ok(readFileSync(`${root}${path}`, 'utf8') === content, `${path} is stale: run "npm run docs".`)
  }
})

test('every language has the sections and texts of English, in the same order', () => {
  const english = read(`${languageFolder}/en.json`)
  for (const path of files) {
    const texts = read(path)
    assert.deepEqual(Object.keys(texts), Object.keys(english), path)
    for (const section of Object.keys(english)) {
      assert.deepEqual(Object.keys(texts[section]), Object.keys(english[section]), `${path}, ${section}`)
    }
  }
})

test('no two languages have the same position in the menu', () => {
  const positions = files.map((path) => read(path).language.position)
  assert.equal(new Set(positions).size, positions.length)
})

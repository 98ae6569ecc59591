import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { documents } from '../tools/tidy/links.ts'
import { root, sourceFiles } from '../tools/tidy/source-files.ts'
import { loadAllCommands } from './dispatch.ts'

/** A noun alone, or before an option, lists its commands; a noun with a verb must be a command or begin one. */
const mention = /\bgatehouse (?:-- )?(?<words>[a-z]+(?:-[a-z]+)*(?:\s+[a-z]+(?:-[a-z]+)*)+)/g

/** `place: sentence` for every mention of a verb that its noun does not have. */
function missingCommands(place: string, text: string, names: readonly string[]): readonly string[] {
  const nouns = new Set(names.map((name) => name.split(' ', 1)[0] ?? ''))
  return [...text.matchAll(mention)]
    .map(({ groups }) => (groups?.['words'] ?? '').split(/\s+/))
    .filter(([noun = '']) => nouns.has(noun))
    .filter((words) => !names.some((name) => begins(words, name.split(' '))))
    .map(([noun, verb]) => `${place}: there is no command "gatehouse ${noun} ${verb}".`)
}

const begins = (words: readonly string[], name: readonly string[]): boolean =>
  name.every((part, index) => index >= words.length || words[index] === part)

test('the code and the documents name only commands that exist', async () => {
  const names = (await loadAllCommands()).map(({ name }) => name)
  const complaints = [
    // Prose goes on in the next line, code does not.
    ...sourceFiles()
      .filter(({ path }) => path !== 'cli/named-commands.test.ts')
      .map(({ path, text }) => ({ path, text: text.replaceAll('\n', ';\n') })),
    ...documents().map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') })),
  ].flatMap(({ path, text }) => missingCommands(path, text, names))
  assert.deepEqual(complaints, [])
})

test('a verb that its noun does not have is reported, and the beginning of a longer command is not', () => {
  const missing = (text: string) =>
    missingCommands('A.md', text, ['merchant update', 'export schedule add', 'listen', 'sign card'])
  assert.deepEqual(missing('"gatehouse merchant edit acme"'), ['A.md: there is no command "gatehouse merchant edit".'])
  assert.deepEqual(missing('npm run gatehouse -- merchant\nedit'), [
    'A.md: there is no command "gatehouse merchant edit".',
  ])
  const known =
    'gatehouse merchant update acme, gatehouse export schedule, gatehouse merchant --help, gatehouse listen to, gatehouse is'
  assert.deepEqual(missing(known), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bannedNames } from './names.ts'
import { sourceFile } from './source-files.ts'
import { untaggedUnions } from './unions.ts'

const wordsIn = (code: string): readonly string[] => bannedNames(sourceFile('cli/one.ts', code)).map(([word]) => word)

test('a banned word is found in every kind of declaration, also within a longer name', () => {
  assert.deepEqual(wordsIn('const means = 1'), ['means'])
  assert.deepEqual(wordsIn('interface WalletDesk {}'), ['desk'])
  assert.deepEqual(wordsIn('function makerOf(a: A) {}'), ['maker'])
  assert.deepEqual(wordsIn('function one(side: Mode) {}'), ['side'])
  assert.deepEqual(wordsIn('const one = (told: boolean) => told'), ['told'])
})

test('a participle is banned as a name of its own, and not within one', () => {
  assert.deepEqual(wordsIn('const kept = 1'), ['kept'])
  assert.deepEqual(wordsIn('const keptDays = 1\nconst askedAt = 2'), [])
})

test('every participle of one word is banned as an exported function or constant', () => {
  const words =
    'expired debited forwarded normalised explained untouched following left added collected gone hearing soon'
  for (const word of `${words} signed trimmed patiently sent captured ordered`.split(' ')) {
    assert.deepEqual(wordsIn(`export const ${word} = 1`), ['exported participle'], word)
    assert.deepEqual(wordsIn(`export async function ${word}() {}`), ['exported participle'], word)
    assert.deepEqual(wordsIn(`const ${word} = 1\nexport const ${word}At = 1\nexport type ${word} = 1`), [], word)
  }
  assert.deepEqual(wordsIn('export const told = 1'), ['told'], 'once')
  assert.deepEqual(wordsIn('export function proceed() {}\nexport const seed = 1\nexport const warning = 1'), [])
})

test('a method of a port or a store is no bare participle', () => {
  const wordsOf = (member: string, path = 'server/src/contracts/one.ts') =>
    bannedNames(sourceFile(path, `export interface Runs {\n  ${member}\n}`)).map(([word]) => word)
  const bad = [
    'sent(run: Run): Promise<void>',
    'failed(\n    run: Run,\n  ): void',
    'readonly refused: (run: Run) => void',
  ]
  for (const member of [...bad, 'unknown(id: string): void', 'entered<T>(due: T): void'])
    assert.deepEqual(wordsOf(member), ['participle of a port'], member)
  for (const member of [
    'recordSent(run: Run): void',
    'readonly sent: Date',
    'readonly refused: boolean',
    'send(): void',
  ])
    assert.deepEqual(wordsOf(member), [], member)
  for (const member of [
    'locked: async (now: Date): Promise<Row> => read(now)',
    'unnamed: (since: string) => query(client, unnamedLines, [since])',
  ])
    assert.deepEqual(wordsOf(member, 'server/src/store/one.ts'), ['participle of a port'], member)
  assert.deepEqual(wordsOf('sent(run: Run): void', 'server/src/due/one.ts'), [])
})

test('a function that waits does not end like a pure projection', () => {
  for (const code of [
    'export async function midOf() {}',
    'export const midOf = async () => {}',
    'async function midOf() {}',
    'const midOf = (id: string): Promise<Mid> => find(id)',
    'function midOf(id: string): Promise<Mid> {}',
  ])
    assert.deepEqual(wordsIn(code), ['projection that waits'], code)
  for (const code of ['export const midOf = () => {}', 'export async function requireMid() {}'])
    assert.deepEqual(wordsIn(code), [], code)
})

test('members, comments, quoted texts and other words are no banned names', () => {
  assert.deepEqual(wordsIn("// const desk\nconst row = { side: 'desk' }\nrow.side\nconst sideways = 1"), [])
})

test('a union that is told apart by a member is found, and the code of a system error is none', () => {
  const found = (code: string, path = 'cli/one.ts') => untaggedUnions(sourceFile(path, code)).length
  assert.equal(found("if ('fault' in page) return"), 1)
  assert.equal(found("if (error instanceof Error && 'code' in error) return"), 0)
  assert.equal(found("for (const name in page) f('fault')"), 0)
  assert.equal(found("if ('fault' in page) return", 'cli/one.test.ts'), 0)
})

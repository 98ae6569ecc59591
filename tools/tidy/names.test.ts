import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bannedNames } from './names.ts'
import { sourceFile } from './source-files.ts'
import { untaggedUnions } from './unions.ts'
import { waitingNouns } from './verbs.ts'

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
    'export function midOf(\n  context: Context,\n  { id }: Pick<Mid, "id">,\n): Promise<readonly Mid[]> {}',
    'export const midOf = (\n  context: Context,\n  id: string,\n): Promise<Mid> => find(context, id)',
    'function openMids() {\n  const midOf = async (id: string): Promise<Mid> => find(id)\n}',
    'const midOf: (id: string) => Promise<Mid> = find',
  ])
    assert.deepEqual(wordsIn(code), ['projection that waits'], code)
  for (const code of [
    'export const midOf = () => {}',
    'export async function requireMid() {}',
    'const midOf = sql()\nconst find = (\n  id: string,\n): Promise<Mid> => query(midOf, [id])',
  ])
    assert.deepEqual(wordsIn(code), [], code)
})

test('a function that reads the time, takes an identifier or writes does not end like a pure projection', () => {
  for (const body of [
    '  return clock.now()',
    '  const id = ids.next()\n  return { id }',
    '  writeFileSync(path, text)',
  ])
    assert.deepEqual(
      wordsIn(`function orderOf(\n  one: One,\n): Order {\n${body}\n}`),
      ['projection with effects'],
      body,
    )
  assert.deepEqual(wordsIn('const orderOf = (at: Date) => ({ at })\n\nconst newOrder = () => clock.now()'), [])
})

test('a function of the gateway that waits begins with a verb, exported or not, also over several lines', () => {
  const countIn = (code: string, path = 'server/src/protocols/one.ts') => waitingNouns(sourceFile(path, code)).length
  const nouns = [
    'export async function alerts() {}',
    'export const alerts = async () => []',
    'const alerts = async () => []',
    'export const alertsFor = (\n  { pool }: Context,\n  grant: Grant,\n): Promise<readonly Alert[]> => query(pool, grant)',
    'export function alerts(\n  on: Queryable,\n): Promise<readonly Alert[]> {}',
    'export function alerts(): Promise<readonly Alert[]> {}',
  ]
  for (const code of nouns) assert.equal(countIn(code), 1, code)
  assert.equal(countIn('export async function setNamed(name: string): Promise<string> {}'), 1, 'a set, not an order')
  for (const code of [
    'export async function setName(name: string): Promise<void> {}',
    'export async function setName(\n  name: string,\n): Promise<boolean> {}',
    'export async function listAlerts() {}',
    'export const claimsAreFilled = async (pool: Pool) => true',
    'export async function inTransaction() {}',
    'const withinLimit = <T>(work: () => Promise<T>): Promise<T> => work()',
    'const status = async (): Promise<Outcome> => ask()',
  ])
    assert.equal(countIn(code), 0, code)
  for (const path of ['cli/one.ts', 'domain/src/one.ts', 'server/src/store/one.ts'])
    assert.equal(countIn('export async function alerts() {}', path), 1, path)
  for (const path of ['web/admin/one.ts', 'tools/one.ts', 'server/src/store/one.test.ts'])
    assert.equal(countIn('export async function alerts() {}', path), 0, path)
})

test('a method of a port, a store or the commands that waits begins with a verb; one that does not wait need not', () => {
  const countIn = (code: string, path = 'server/src/store/one.ts') => waitingNouns(sourceFile(path, code)).length
  const nouns = [
    'interface Users {\n  byEmail(email: string): Promise<User | null>\n}',
    'interface Users {\n  readonly byEmail: (email: string) => Promise<User | null>\n}',
    'const users = (on: Queryable) => ({\n  byEmail: async (email: string) => query(on, email),\n})',
    'const users = (on: Queryable) => ({\n  byEmail: (email: string): Promise<User | null> => query(on, email),\n})',
    'const users = (on: Queryable) => ({\n  async byEmail(\n    email: string,\n  ): Promise<User | null> {},\n})',
  ]
  for (const code of nouns) assert.equal(countIn(code), 1, code)
  for (const code of nouns) assert.equal(countIn(code, 'server/src/health/one.ts'), 0, code)
  for (const code of nouns) assert.equal(countIn(code.replaceAll('byEmail', 'findByEmail')), 0, code)
  for (const code of [
    'interface Users {\n  readonly count: (email: string) => number\n}',
    'function list() {\n  await query(pool, text)\n  return total(rows)\n}',
  ])
    assert.equal(countIn(code), 0, code)
})

test('a function has no participle as its name, exported or not; a value may have one', () => {
  for (const code of [
    'const refused = (reason: string): Outcome => ({ reason })',
    'const refused = async (reason: string) => refuse(reason)',
    'const refused = <T>(value: T): T => value',
    'function noted(write: Write): Write {}',
    'async function* hashed(chunks: Chunks) {}',
  ])
    assert.deepEqual(wordsIn(code), ['participle of a function'], code)
  for (const code of [
    'const refused = answer.refused',
    'const refused = rows.filter((row) => row.isRefused)',
    'const refuse = (reason: string): Outcome => ({ reason })',
    'const refused: Outcome = { result: 1 }',
  ])
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

/** The operator's own marks of networks and methods. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ownMarkOf, withOwnMarks } from './own-marks.ts'
import type { WebFiles } from './web-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-marks-'))
after(() => rm(folder, { recursive: true, force: true }))
const warnings: string[] = []
const log = {
  debug: () => {},
  info: () => {},
  warn: (_: object, text: string) => warnings.push(text),
  error: () => {},
}
const none: WebFiles = { find: () => null, file: () => null, all: () => [], altered: [] }
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>'

test('a mark is served under an address that changes with its content', async () => {
  await writeFile(join(folder, 'visa.svg'), svg)
  const files = await withOwnMarks(none, folder, log)
  const path = ownMarkOf(files, 'visa') ?? ''
  assert.match(path, /^\/web\/mark\.visa\.[0-9a-f]{16}\.svg$/)
  const file = files.file(path.replace('/web/', ''))
  assert.deepEqual([file?.type, file?.content.toString()], ['image/svg+xml', svg])
  assert.equal(ownMarkOf(files, 'mastercard'), null)
  await writeFile(join(folder, 'visa.svg'), svg.replaceAll('9', '8'))
  assert.notEqual(ownMarkOf(await withOwnMarks(none, folder, log), 'visa'), path)
})

test('a file that is no mark is left out, and the operator is told', async () => {
  const bad = { 'amex.svg': svg.replace('<path', '<script>x</script><path'), 'jcb.png': svg, 'Logo of Visa.svg': svg }
  for (const [name, content] of Object.entries(bad)) await writeFile(join(folder, name), content)
  warnings.length = 0
  const files = await withOwnMarks(none, folder, log)
  assert.deepEqual([ownMarkOf(files, 'amex'), ownMarkOf(files, 'jcb')], [null, null])
  assert.equal(warnings.length, 3)
})

test('a folder that cannot be read leaves the page its own marks', async () => {
  warnings.length = 0
  const files = await withOwnMarks(none, join(folder, 'missing'), log)
  assert.equal(ownMarkOf(files, 'visa'), null)
  assert.match(warnings[0] ?? '', /MARKS_DIR cannot be read/)
  assert.equal(await withOwnMarks(none, null, log), none)
})

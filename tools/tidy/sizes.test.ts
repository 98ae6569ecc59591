import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complaintsAboutSizes, lengthsOf } from './sizes.ts'
import { type SourceFile, sourceFile } from './source-files.ts'

const file = (lines: number, path = `cli/of-${lines}.ts`): SourceFile => sourceFile(path, '1\n'.repeat(lines))

test('median, nine tenths and the longest are counted in lines, without tests and tables', () => {
  const files = [...Array.from({ length: 10 }, (_, index) => file((index + 1) * 10)), file(900, 'cli/one.test.ts')]
  assert.deepEqual(lengthsOf([...files, file(900, 'web/admin/api/api-types.ts')]), {
    median: 60,
    most: 100,
    longest: 100,
  })
})

test('a file above 300 lines is reported, and so are too many long ones', () => {
  const short = Array.from({ length: 30 }, (_, index) => file(20, `cli/short-${index}.ts`))
  assert.deepEqual(complaintsAboutSizes([...short, file(300)]), [])
  assert.equal(complaintsAboutSizes([...short, file(301)]).length, 1)
  const long = (lines: number, count: number) =>
    Array.from({ length: count }, (_, index) => file(lines, `cli/long-${index}.ts`))
  assert.equal(complaintsAboutSizes([...short, ...long(230, 8)]).length, 1)
  assert.equal(complaintsAboutSizes([...short, ...long(100, 40)]).length, 1)
})

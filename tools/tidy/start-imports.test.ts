import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sourceFile } from './source-files.ts'
import { earlyImports } from './start-imports.ts'

const start = sourceFile('server/src/wiring.ts', "import { print } from './print.ts'\n")
const printing = (text: string) => earlyImports([start, sourceFile('server/src/print.ts', text)])

describe('packages that a starting process loads', () => {
  test('a late package that a loaded file imports at once is named with its place', () => {
    const [sentence, ...more] = printing("import { a } from 'zod'\nimport PdfDocument from 'pdfkit'\n")
    assert.match(sentence ?? '', /^server\/src\/print\.ts:2: .*pdfkit/)
    assert.deepEqual(more, [])
  })

  test('the API of the panel and the workers are named too', () => {
    for (const late of ['protocols/admin/api/index.ts', 'protocols/admin/api/endpoints/a.ts', 'assembly/workers.ts']) {
      const [sentence] = printing(`import { a } from './${late}'\n`)
      assert.match(sentence ?? '', /^server\/src\/print\.ts:1: /, late)
    }
    assert.deepEqual(printing("import { panelHosts } from './protocols/admin/api/panel-host.ts'\n"), [])
  })

  test('an import at first use is not named, nor one of types', () => {
    assert.deepEqual(printing("export const print = () => import('pdfkit')\n"), [])
    assert.deepEqual(printing("import type { Zippable } from 'fflate'\n"), [])
  })

  test('a file that is loaded later may import what it likes', () => {
    const later = sourceFile('server/src/wiring.ts', "export const print = () => import('./print.ts')\n")
    assert.deepEqual(earlyImports([later, sourceFile('server/src/print.ts', "import P from 'pdfkit'\n")]), [])
  })
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pdfText } from '#server/panel/finance/testing/pdf-text.ts'
import { buildPrograms, writePrograms } from './build-programs.ts'

const statement = {
  merchantId: '01a1e009-0000-7000-8000-000000000001',
  merchantTitle: 'Łódź Ναυπηγεία Їжак',
  id: '01a1e009-0000-7000-8000-000000000002',
  currency: 'EUR',
  decimals: 2,
  firstDay: '2026-01-01',
  lastDay: '2026-01-31',
  madeBy: 'finance@operator.example',
}
const statementAmounts =
  'opening sales refunds chargebacks payouts fees held released corrections paidOut closing reserve'
    .split(' ')
    .map((name) => `${name}Minor`)

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('a release', () => {
  const release = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  const folder = join(release, 'programs')
  before(() => writePrograms(release))
  after(() => rmSync(release, { recursive: true }))

  test('has every program as a file that runs wherever the release lies', () => {
    // What a program reads beside its sources, and its packages.
    for (const name of ['node_modules', 'package.json', 'server', 'docs', 'web']) {
      symlinkSync(join(root, name), join(release, name))
    }
    const files = readdirSync(folder)
    for (const name of ['gateway.mjs', 'gatehouse.mjs', 'sandbox.mjs', 'stand-in.mjs']) {
      assert.ok(files.includes(name), name)
    }
    const run = (name: string): string =>
      execFileSync(process.execPath, [join(folder, name), '--help'], { encoding: 'utf8' })
    assert.match(run('gateway.mjs'), /^Usage: npm start/)
    assert.match(run('gatehouse.mjs'), /^Gatehouse \d/)
  })

  test('prints a statement in the letters of its merchant: the fonts are found beside the programs', () => {
    const part = readdirSync(folder).find((name) =>
      readFileSync(join(folder, name), 'utf8').includes('\n// server/src/panel/finance/statement-pdf.ts\n'),
    )
    assert.ok(part)
    // A part exports only what other parts take from it.
    const printing = join(folder, 'printing.mjs')
    writeFileSync(printing, `${readFileSync(join(folder, part), 'utf8')}\nexport { createStatementPdf }\n`)
    try {
      const script = `const { createStatementPdf } = await import(${JSON.stringify(printing)})
        const amounts = Object.fromEntries(${JSON.stringify(statementAmounts)}.map((name) => [name, 5n]))
        const { content } = await createStatementPdf({ ...${JSON.stringify(statement)}, ...amounts, madeAt: new Date('2026-02-01T00:00:00Z') })
        process.stdout.write(content)`
      const content = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: tmpdir(),
        encoding: 'utf8',
      })
      const lines = pdfText(Buffer.from(content, 'base64'))
      assert.deepEqual(lines.slice(0, 2), ['Statement', statement.merchantTitle])
      assert.ok(lines.includes('0.05 EUR'))
    } finally {
      rmSync(printing)
    }
  })

  test('names no folder of the machine that built it, and has only characters that V8 keeps in one byte', () => {
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name))
      assert.ok(
        bytes.every((byte) => byte < 128),
        name,
      )
      assert.ok(!bytes.includes(root), `${name} names ${root}`)
    }
  })

  test('has the same bytes, whichever folder the checkout lies in', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'gatehouse-checkout-'))
    try {
      const checkout = join(elsewhere, 'checkout')
      const skipped = /^(?:node_modules|fixtures|\.built.*|\.data.*)$/
      const parts = [
        'cli',
        'client/typescript',
        'domain',
        'sandbox',
        'server/src',
        'tools/programs',
        'package.json',
        'tsconfig.json',
      ]
      for (const part of parts)
        cpSync(join(root, part), join(checkout, part), {
          recursive: true,
          filter: (path) => !skipped.test(basename(path)),
        })
      // Copied, because the bundler follows links back to where they lead. Other packages stay outside of the programs.
      for (const name of ['esbuild', '@esbuild', 'undici', 'zod'])
        cpSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name), { recursive: true })
      const script = `(await import('./tools/programs/build-programs.ts')).writePrograms('${join(elsewhere, 'release')}')`
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: checkout, stdio: 'pipe' })
      const there = join(elsewhere, 'release/programs')
      assert.deepEqual(readdirSync(there), readdirSync(folder))
      for (const name of readdirSync(folder))
        assert.ok(readFileSync(join(there, name)).equals(readFileSync(join(folder, name))), name)
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })

  test('a gateway begins without the API of the panel and without workers', () => {
    const text = (name: string): string => readFileSync(join(folder, name), 'utf8')
    const sourcesOf = (name: string): readonly string[] =>
      [...text(name).matchAll(/^\/\/ (\S+\.ts)$/gm)].map(([, source]) => source ?? '')
    const wiring = readdirSync(folder).filter((name) => sourcesOf(name).includes('server/src/wiring.ts'))
    const loaded = new Set(['gateway.mjs', ...wiring])
    for (const name of loaded)
      for (const [, part] of text(name).matchAll(/(?:from|^import) "\.\/([^"]+)";$/gm))
        if (part !== undefined) loaded.add(part)
    const sources = [...loaded].flatMap(sourcesOf)
    assert.ok(sources.includes('server/src/app.ts'))
    const late = /^server\/src\/(?:protocols\/admin\/api\/(?!panel-host)|assembly\/workers)/
    assert.deepEqual(
      sources.filter((source) => late.test(source)),
      [],
    )
  })
})

test('programs are built again only if a source has changed', async () => {
  const folder = await buildPrograms()
  const before = statSync(join(folder, 'stamp')).ino
  assert.equal(await buildPrograms(), folder)
  assert.equal(statSync(join(folder, 'stamp')).ino, before)
})

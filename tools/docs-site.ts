/** `npm run docs:site`: writes the documentation site as files that any web server or a browser alone can show. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltPage, documentOf } from '#server/protocols/documentation/document.ts'
import { readOptions, runProgram } from './command-line.ts'
import { openApiFolder } from './openapi/documents.ts'
import { root } from './tidy/source-files.ts'

const usage = `Usage: npm run docs:site [-- --out FOLDER]

Writes the documentation site as static files, by default to web/.built-docs-static.`

interface Manifest {
  readonly [name: string]: { readonly file: string; readonly integrity: string }
}

process.exitCode = await runProgram(usage, () => {
  const { values } = readOptions({ options: { out: { type: 'string' } } })
  const out = values.out ?? join(root, 'web/.built-docs-static')
  mkdirSync(out, { recursive: true })
  const manifest: Manifest = JSON.parse(readFileSync(`${root}web/.built/manifest.json`, 'utf8'))
  const fileOf = (name: string) => {
    const built = manifest[name]
    if (!built) throw new Error(`${name} is not built.`)
    copyFileSync(`${root}web/.built/${built.file}`, join(out, built.file))
    return { path: built.file, integrity: built.integrity }
  }
  const addresses = {
    root: '',
    suffix: '.html',
    home: 'index.html',
    search: 'search.json',
    reader: null,
    style: fileOf('docs.css'),
    script: fileOf('docs.js'),
  }
  const pages: Readonly<Record<string, BuiltPage>> = JSON.parse(
    readFileSync(`${root}web/.built-docs/pages.json`, 'utf8'),
  )
  for (const [slug, page] of Object.entries(pages))
    writeFileSync(join(out, `${slug === '' ? 'index' : slug}.html`), documentOf(page, addresses))
  copyFileSync(`${root}web/.built-docs/search.json`, join(out, 'search.json'))
  for (const name of ['checkout', 's2s-card', 's2s-apm', 'admin'])
    copyFileSync(`${root}${openApiFolder}/${name}.json`, join(out, `openapi-${name}.json`))
  process.stdout.write(`Wrote ${Object.keys(pages).length} pages to ${out}.\n`)
  return 0
})

/** `npm run docs`: rewrites the generated regions of the documents from the tables of the code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readOptions, runProgram } from './command-line.ts'
import { contract, contractFile } from './docs/answers/contract.ts'
import { languageTables } from './docs/language-tables.ts'
import { reference } from './docs/reference.ts'
import { fillRegions } from './docs/regions.ts'
import { documents } from './tidy/links.ts'
import { root } from './tidy/source-files.ts'

const usage = `Usage: npm run docs

Writes the generated parts of the documents.`

process.exitCode = await runProgram(usage, () => {
  readOptions({})
  const changedDocuments = documents().filter((path) => {
    const before = readFileSync(`${root}${path}`, 'utf8')
    const after = fillRegions(before, reference)
    if (after !== before) writeFileSync(`${root}${path}`, after)
    return after !== before
  })

  for (const [path, content] of [[contractFile, contract()], ...languageTables()] as const) {
    const file = `${root}${path}`
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    changedDocuments.push(path)
  }

  process.stdout.write(
    changedDocuments.length === 0
      ? 'All documents are up to date.\n'
      : `Updated:\n${changedDocuments.map((path) => `  ${path}\n`).join('')}`,
  )
  return 0
})

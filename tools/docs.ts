/** `npm run docs`: rewrites the generated regions of the documents from the tables of the code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parameterTypes, parameterTypesFile } from './client/parameter-types.ts'
import { clientVectors, vectorsFile } from './client/vectors.ts'
import { collectionFiles } from './collections/collection-files.ts'
import { readOptions, runProgram } from './command-line.ts'
import { adminOpenApi, adminOpenApiFile } from './docs/admin-openapi.ts'
import { apiTypes, apiTypesFile } from './docs/api-types.ts'
import { languageTables } from './docs/language-tables.ts'
import { reference } from './docs/reference.ts'
import { fillRegions } from './docs/regions.ts'
import { openApiFiles } from './openapi/documents.ts'
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

  for (const [path, content] of [
    [adminOpenApiFile, adminOpenApi()],
    [apiTypesFile, apiTypes()],
    [vectorsFile, clientVectors()],
    [parameterTypesFile, parameterTypes()],
    ...languageTables(),
    ...openApiFiles(),
    ...collectionFiles(),
  ] as const) {
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

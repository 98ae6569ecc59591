/** `npm run docs`: writes the generated regions of the documents anew, from the tables of the code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { adminOpenApi, adminOpenApiFile } from './docs/admin-openapi.ts'
import { reference } from './docs/reference.ts'
import { filled } from './docs/regions.ts'
import { documents } from './tidy/links.ts'
import { root } from './tidy/source-files.ts'

const changed = documents().filter((path) => {
  const before = readFileSync(`${root}${path}`, 'utf8')
  const after = filled(before, reference)
  if (after !== before) writeFileSync(`${root}${path}`, after)
  return after !== before
})

const openApi = `${root}${adminOpenApiFile}`
if (!existsSync(openApi) || readFileSync(openApi, 'utf8') !== adminOpenApi()) {
  writeFileSync(openApi, adminOpenApi())
  changed.push(adminOpenApiFile)
}

process.stdout.write(
  changed.length === 0
    ? 'Every document is fresh.\n'
    : `Written anew:\n${changed.map((path) => `  ${path}\n`).join('')}`,
)

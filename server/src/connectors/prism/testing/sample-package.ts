/** Installs `sample-library.ts` where the package would be: each file of the package that the helper loads is the library. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prismFolder, prismPackage } from '../installation.ts'
import { FLOWS, SINGLE_FLOWS, types, UniffiClient, util } from './sample-library.ts'

const library = fileURLToPath(new URL('./sample-library.ts', import.meta.url))
/** What the helper process takes from the package. */
const names = Object.keys({ FLOWS, SINGLE_FLOWS, types, UniffiClient, util }).join(', ')
const module = `const { ${names} } = require(${JSON.stringify(library)})\nmodule.exports = { ${names} }\n`
const parts = ['generated/proto.js', '_generated_flows.js', 'uniffi_client.js']

export async function installSamplePackage(dataDir: string): Promise<void> {
  const modules = join(prismFolder({ dataDir }), 'node_modules')
  const { name, version } = prismPackage
  const files = [...parts.map((part) => join(name, 'dist/src/payments', part)), 'protobufjs/minimal.js']
  for (const file of files) await write(join(modules, file), module)
  await write(join(modules, name, 'package.json'), JSON.stringify({ version }))
  await write(join(prismFolder({ dataDir }), 'package.json'), '{"private":true}\n')
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

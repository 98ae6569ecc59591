/** The bill of materials of a release in CycloneDX, and the licences of the packages in it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from '../tidy/source-files.ts'
import { runNpm } from './npm.ts'

const component = z.looseObject({ name: z.string(), version: z.string() })
const bill = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ timestamp: z.string().optional() }),
  components: z.array(component),
})

/**
 * Without its serial number and time, so that two builds of one commit have the same bill. Node is listed beside the packages, because a
 * release contains it.
 */
export async function sbom(): Promise<string> {
  const scope = ['--omit=dev', '--omit=optional', '--package-lock-only', '--sbom-type=application']
  const printed = await runNpm(root, ['sbom', '--sbom-format=cyclonedx', ...scope])
  const { serialNumber: _number, ...read } = bill.parse(JSON.parse(printed))
  const { timestamp: _time, ...metadata } = read.metadata
  const node = { type: 'platform', name: 'node', version: process.versions.node, purl: nodeAddress() }
  const components = [...read.components.toSorted(byName), node]
  return `${JSON.stringify({ ...read, metadata, components }, null, 2)}\n`
}

const nodeAddress = (): string => `pkg:generic/node@${process.versions.node}`

const byName = (a: z.infer<typeof component>, b: z.infer<typeof component>): number =>
  `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1

const described = z.object({ name: z.string(), version: z.string(), license: z.string().default('not stated') })

/** The licence text of every package in the folder `node_modules` of a release; a package without a text is listed by name. */
export async function licences(modules: string): Promise<string> {
  const sections: string[] = []
  for (const folder of await packageFolders(modules)) {
    const { name, version, license } = described.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
    const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[._-]|$)/i.test(file))
    const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')))
    sections.push([`${name} ${version}: ${license}`, ...texts.map((text) => text.trim())].join('\n\n'))
  }
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** Also of packages within packages. */
async function packageFolders(modules: string): Promise<readonly string[]> {
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name === 'package.json')
    .map(({ parentPath }) => parentPath)
    .filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path))
    .toSorted()
}

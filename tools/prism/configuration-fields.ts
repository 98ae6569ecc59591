/** The credentials of each acquirer, from the package's own types of its configuration. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ConfigurationField {
  readonly name: string
  readonly type: string
}

export async function configurationFields(folder: string): Promise<ReadonlyMap<string, readonly ConfigurationField[]>> {
  const file = join(folder, 'node_modules/hyperswitch-prism/dist/src/payments/generated/proto.d.ts')
  const types = await readFile(file, 'utf8')
  const all = membersOf(types, 'IConnectorSpecificConfig').filter(({ type }) => /^types\.I\w+\|null$/.test(type))
  return new Map(
    all.map(({ name, type }) => [
      name,
      membersOf(types, type.slice('types.'.length, -'|null'.length)).filter(isCredential),
    ]),
  )
}

/** Addresses are the table's, never the operator's. */
const isCredential = ({ name }: ConfigurationField): boolean => !/baseUrl/i.test(name)

function membersOf(types: string, name: string): readonly ConfigurationField[] {
  const start = types.indexOf(`interface ${name} {`)
  const body = start < 0 ? '' : types.slice(start, types.indexOf('\n    }', start))
  return [...body.matchAll(/(\w+)\?: \(([^;]*)\);/g)].map(([, member = '', type = '']) => ({ name: member, type }))
}

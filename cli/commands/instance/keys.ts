/** Key-encryption keys. If they are lost, every stored card and secret is lost. Chapter 50 §9 (Keys). */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { dataKeyRows } from '#server/store/instance/data-keys.ts'
import { type KeyRing, readKeyRing } from '#server/vault/key-ring.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { readRing } from '../../kit/configured-ring.ts'
import { printJson } from '../../kit/context.ts'
import { openCurrentDatabase } from '../../kit/instance.ts'
import { argument, flag } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { rotateKeys } from './keys-rotate.ts'
import { rotateSessionKey } from './keys-sessions.ts'

export const keysCommands: readonly Command[] = [
  command({
    name: 'keys create',
    summary: 'Creates a key file for a new instance.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run({ output }, args) {
      const file = resolve(args.file)
      if (existsSync(file))
        throw new CommandError(`${file} already exists.`, 'Choose another name; a key file is never overwritten.')
      const { ring } = await readKeyRing({ file, create: true })
      output.out(`${file} contains the key ${ring.current}.`)
      output.err(
        `Store a copy in another place: without this file encrypted data cannot be recovered. Start with GATEHOUSE_KEY_FILE=${file}.`,
      )
    },
  }),

  command({
    name: 'keys list',
    summary: 'Lists the keys and how many data keys each protects.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      await using database = await openCurrentDatabase(context)
      const ring = await readRing(database.config)
      const counts = await dataKeyRows(database.pool).countByKek()
      const ids = [...new Set([...ring.keys.keys(), ...counts.keys()])]
      const rows = ids.map((id) => ({
        key: id,
        data_keys: counts.get(id) ?? 0,
        use: useOf(id, ring, counts.get(id) ?? 0),
      }))
      if (json) printJson(context.output, rows)
      else
        context.output.out(
          table(
            ['key', 'data keys', 'use'],
            rows.map((row) => [row.key, row.data_keys, row.use]),
          ),
        )
      return rows.some(({ key }) => !ring.keys.has(key)) ? 1 : 0
    },
  }),

  rotateKeys,
  rotateSessionKey,
]

function useOf(id: string, { current, keys }: KeyRing, dataKeys: number): string {
  if (!keys.has(id)) return 'MISSING: restore it; the data it protects cannot be read'
  if (id === current) return 'current: encrypts new data'
  return dataKeys > 0 ? 'in use; "gatehouse keys rotate" replaces it' : 'unused, except to read older backups'
}

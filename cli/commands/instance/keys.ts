/** Key-encryption keys. If they are lost, every stored card and secret is lost. Chapter 50 §9 (Keys). */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { accept, refuse } from '#domain/reading.ts'
import { dataKeyRows } from '#server/store/instance/data-keys.ts'
import { createKeyFile } from '#server/vault/key-file.ts'
import { addKey, type KeyRing, readKeyRing } from '#server/vault/key-ring.ts'
import { joinShares, mostShares, splitText } from '#server/vault/key-shares.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { readRing } from '../../kit/configured-ring.ts'
import { printJson } from '../../kit/context.ts'
import { openCurrentDatabase } from '../../kit/instance.ts'
import { argument, flag, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'
import { formatShare, readShare } from './key-share-text.ts'
import { rotateKeys } from './keys-rotate.ts'
import { rotateSessionKey } from './keys-sessions.ts'

const shareCounts: readers.Reader<{ readonly threshold: number; readonly count: number }> = (text) => {
  const [, n = '', m = ''] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []
  const [threshold, count] = [Number(n), Number(m)]
  return threshold >= 2 && threshold <= count && count <= mostShares
    ? accept({ threshold, count })
    : refuse(`two numbers such as 3/5, from 2 to ${mostShares}`)
}

export const keysCommands: readonly Command[] = [
  command({
    name: 'keys create',
    summary: 'Creates a key file for a new instance.',
    details:
      'With --shares N/M it also splits the keys into M shares and prints one per line. Any N of them restore the file with\n' +
      '"keys join"; fewer reveal nothing. Give each share to a different person.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: { shares: value('N/M', 'Also prints M shares, of which any N restore the file.', shareCounts) },
    examples: ['gatehouse keys create keys.json', 'gatehouse keys create keys.json --shares 3/5'],
    async run({ output }, args, { shares }) {
      const file = resolve(args.file)
      refuseExisting(file)
      const { ring } = await readKeyRing({ file, create: true })
      if (shares) {
        const text = await readFile(file, 'utf8')
        for (const share of splitText(text, shares.threshold, shares.count)) output.out(formatShare(share))
        output.err(
          `${file} contains the key ${ring.current}. ${shares.threshold} of these ${shares.count} shares restore it.`,
        )
      } else {
        output.out(`${file} contains the key ${ring.current}.`)
      }
      output.err(
        `${shares ? 'Keep the shares' : 'Store a copy'} in another place: without this file encrypted data cannot be recovered. Start with GATEHOUSE_KEY_FILE=${file}.`,
      )
    },
  }),

  command({
    name: 'keys add',
    summary: 'Adds a new current key to a key file, before the file is wrapped by a key service.',
    details: 'For GATEHOUSE_KEY_COMMAND. With GATEHOUSE_KEY_FILE alone, "keys rotate" does it.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run({ output }, args) {
      output.out(`The key ${await addKey(resolve(args.file))} is current.`)
    },
  }),

  command({
    name: 'keys join',
    summary: 'Restores a key file from shares, read from standard input, one per line.',
    args: { file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run({ readInput, output }, args) {
      const file = resolve(args.file)
      refuseExisting(file)
      const lines = (await readInput())
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
      const shares = lines.map((line, index) => {
        const share = readShare(line.trim())
        if (share === null)
          throw new CommandError(
            `Line ${index + 1} is not a share.`,
            'Compare it with the original; nothing was written.',
          )
        return share
      })
      const text = joinShares(shares)
      if (text === null)
        throw new CommandError(
          'These shares do not restore a key file.',
          `They must be of one set, and at least ${shares[0]?.threshold ?? 'as many as "keys create" named'} different ones. Nothing was written.`,
        )
      await createKeyFile(file, () => text)
      const { ring } = await readKeyRing({ file, create: false })
      output.out(`${file} contains the key ${ring.current}.`)
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

function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new CommandError(`${file} already exists.`, 'Choose another name; a key file is never overwritten.')
}

function useOf(id: string, { current, keys }: KeyRing, dataKeys: number): string {
  if (!keys.has(id)) return 'MISSING: restore it; the data it protects cannot be read'
  if (id === current) return 'current: encrypts new data'
  return dataKeys > 0 ? 'in use; "gatehouse keys rotate" replaces it' : 'unused, except to read older backups'
}

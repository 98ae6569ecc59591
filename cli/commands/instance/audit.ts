/** Exports the audit log, and verifies that no entry was changed, in the database or in an export. Chapter 50 §8. */
import { entryOf, verifyAudit } from '#server/panel/audit/audit.ts'
import { type ChainVerifier, chainVerifier } from '#server/panel/audit/audit-chain.ts'
import { entryIn, lineOf } from '#server/panel/audit/audit-export.ts'
import { readAuditEntries } from '#server/store/people/audit-log.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { flag, optionalArgument, value } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { readBytes } from '../../kit/text-source.ts'

const shownFaults = 20

export const auditCommands: readonly Command[] = [
  command({
    name: 'audit verify',
    summary: 'Verifies the hash chain of the audit log, in the database or in an exported file.',
    details:
      'Prints the hash of the last entry. Store it outside this instance: a later run with --contains HASH then also detects\n' +
      'that entries were cut off at the end, which the chain alone cannot show.',
    args: { file: optionalArgument('FILE', readers.nonEmpty) },
    options: {
      contains: value(
        'HASH',
        'The hash of an entry that must still exist.',
        readers.textMatching(/^[0-9a-f]{64}$/, '64 hexadecimal digits'),
      ),
      json: flag('Prints JSON.'),
    },
    examples: ['gatehouse audit verify', 'gatehouse audit verify audit.jsonl'],
    async run(context, { file }, { contains, json }) {
      const verifier =
        file === null ? await verifyDatabase(context, contains) : await verifyExport(context, file, contains)
      const { count, head, faults } = verifier
      const isThere = contains === undefined || verifier.has(contains)
      if (json) {
        printJson(context.output, { entries: count, head, contains: isThere, faults })
      } else {
        context.output.out(`${count} entries; hash of the last entry: ${head}.`)
        for (const { text } of faults.slice(0, shownFaults)) context.output.out(text)
        if (faults.length > shownFaults) context.output.out(`… and ${faults.length - shownFaults} more.`)
        if (!isThere) context.output.out(`The entry with the hash ${contains} is missing.`)
      }
      if (faults.length === 0 && isThere) return 0
      context.output.err('The audit log has been changed since it was written.')
      return 1
    },
  }),
  command({
    name: 'audit export',
    changes: true,
    summary: 'Prints the audit log, oldest first, one JSON object per line.',
    args: {},
    options: {},
    examples: ['gatehouse audit export > audit.jsonl'],
    async run(context) {
      await using instance = await openInstance(context)
      const entry = { action: 'audit.export', subject: 'audit log', merchantId: null }
      await instance.change(async (change) => change.note(entry))
      for await (const row of readAuditEntries(instance.pool)) context.output.out(lineOf(entryOf(row)))
    },
  }),
]

async function verifyDatabase(context: CommandContext, contains: string | undefined): Promise<ChainVerifier> {
  await using instance = await openInstance(context)
  return await verifyAudit(instance.pool, contains)
}

async function verifyExport(
  context: CommandContext,
  file: string,
  contains: string | undefined,
): Promise<ChainVerifier> {
  const verifier = chainVerifier(contains)
  const lines = (await readBytes(file, context)).toString('utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '' && index === lines.length - 1) break
    const entry = entryIn(line)
    if (entry === null)
      throw new CommandError(
        `Line ${index + 1} of ${file} is not an audit log entry.`,
        'Use a file created by "gatehouse audit export".',
      )
    verifier.add(entry)
  }
  if (verifier.count === 0)
    throw new CommandError(
      `${file} has no entry.`,
      'An export has at least the entry of the export itself. Export it again.',
    )
  return verifier
}

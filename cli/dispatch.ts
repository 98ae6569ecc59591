/** Finds the command for the first words, runs it, and reports its faults. */

import { commandName } from '#server/process/command-name.ts'
import { release } from '#server/process/release.ts'
import { explainError } from './explain-error.ts'
import { asksForHelp, type Command } from './kit/command.ts'
import { CommandError, UsageError } from './kit/command-error.ts'
import type { CommandContext } from './kit/context.ts'
import { suggestion } from './kit/nearest.ts'
import { indent, record } from './kit/table.ts'

interface Noun {
  readonly noun: string
  readonly about: string
  /** Loaded on demand: `sign` should not wait for the database driver. */
  readonly load: () => Promise<readonly Command[]>
}

// biome-ignore format: a table is read in columns.
const nouns: readonly Noun[] = [
  { noun: 'merchant',  about: 'merchants: keys, passwords, callback addresses',                  load: async () => (await import('./commands/merchant/merchant.ts')).merchantCommands },
  { noun: 'mid',       about: 'merchant accounts at acquirers, and the merchants that use them', load: async () => (await import('./commands/mid/mid.ts')).midCommands },
  { noun: 'connectors', about: 'connectors and what their acquirers can do',                     load: async () => (await import('./commands/mid/connectors.ts')).connectorsCommands },
  { noun: 'acquirer',  about: 'what acquirers report: notifications',                            load: async () => (await import('./commands/mid/acquirer.ts')).acquirerCommands },
  { noun: 'connector', about: 'trials of acquirers’ connectors',                                load: async () => (await import('./commands/mid/connector.ts')).connectorCommands },
  { noun: 'unresolved', about: 'unknown outcomes that people decide',                            load: async () => (await import('./commands/finance/unresolved.ts')).unresolvedCommands },
  { noun: 'settlement', about: 'settlement files of acquirers, and their differences',           load: async () => (await import('./commands/finance/settlement.ts')).settlementCommands },
  { noun: 'report',    about: 'approval rates, margin, and days compared with the acquirer',     load: async () => (await import('./commands/finance/report.ts')).reportCommands },
  { noun: 'export',    about: 'exports of payments by a schedule, to mail or HTTPS',              load: async () => (await import('./commands/finance/export.ts')).exportCommands },
  { noun: 'dispute',   about: 'disputes: evidence, answers and deadlines',                       load: async () => (await import('./commands/finance/dispute.ts')).disputeCommands },
  { noun: 'link',      about: 'payment links that merchants share with payers',                  load: async () => (await import('./commands/merchant/link.ts')).linkCommands },
  { noun: 'mapping',   about: 'protocol options of merchants',                                   load: async () => (await import('./commands/merchant/mapping.ts')).mappingCommands },
  { noun: 'brand',     about: 'brands of alternative payment methods, and card networks',        load: async () => (await import('./commands/mid/brand.ts')).brandCommands },
  { noun: 'routing',   about: 'routing rules: drafts, simulation, publishing',                   load: async () => (await import('./commands/routing/routing.ts')).routingCommands },
  { noun: 'list',      about: 'risk lists: what rules block, allow or have reviewed',             load: async () => (await import('./commands/routing/risk-list.ts')).riskListCommands },
  { noun: 'wallet',    about: 'wallets: settings, tokens and their checks',                      load: async () => (await import('./commands/wallet/wallet.ts')).walletCommands },
  { noun: 'form',      about: 'merchants’ own forms for the hosted page',                        load: async () => (await import('./commands/merchant/form.ts')).formCommands },
  { noun: 'consent',   about: 'payers’ consents to later payments',                              load: async () => (await import('./commands/merchant/consent.ts')).consentCommands },
  { noun: 'payer',     about: 'payers: erasing personal data',                                   load: async () => (await import('./commands/merchant/payer.ts')).payerCommands },
  { noun: 'user',      about: 'users of the admin panel',                                        load: async () => (await import('./commands/instance/user.ts')).userCommands },
  { noun: 'service-account', about: 'programs that call the admin API, and their keys',          load: async () => (await import('./commands/instance/service-account.ts')).serviceAccountCommands },
  { noun: 'alert-channel', about: 'channels to which alerts are sent',                           load: async () => (await import('./commands/instance/alert-channel.ts')).alertChannelCommands },
  { noun: 'audit',     about: 'audit log: export and verify',                                    load: async () => (await import('./commands/instance/audit.ts')).auditCommands },
  { noun: 'callbacks', about: 'callbacks: list, resend, blocked addresses',                      load: async () => (await import('./commands/callbacks/callbacks.ts')).callbacksCommands },
  { noun: 'sign',      about: 'computes the hash of a request',                                  load: async () => (await import('./commands/callbacks/sign.ts')).signCommands },
  { noun: 'verify',    about: 'verifies the hash or signature of a request or callback',         load: async () => (await import('./commands/callbacks/verify.ts')).verifyCommands },
  { noun: 'listen',    about: 'receives callbacks on this machine, verifies and prints them',    load: async () => (await import('./commands/callbacks/listen.ts')).listenCommands },
  { noun: 'logs',      about: 'explains refused requests, and what happened to a payment',       load: async () => (await import('./commands/requests/logs.ts')).logsCommands },
  { noun: 'config',    about: 'current configuration and its sources',                           load: async () => (await import('./commands/instance/config.ts')).configCommands },
  { noun: 'doctor',    about: 'checks the instance and says how to fix each problem',            load: async () => (await import('./commands/instance/doctor.ts')).doctorCommands },
  { noun: 'migrate',   about: 'migrates the database to the schema of this release',             load: async () => (await import('./commands/instance/migrate.ts')).migrateCommands },
  { noun: 'backup',    about: 'encrypted backups: create, verify, archive the log',                 load: async () => (await import('./commands/instance/backup.ts')).backupCommands },
  { noun: 'restore',   about: 'recovery after a database restore',                               load: async () => (await import('./commands/instance/restore.ts')).restoreCommands },
  { noun: 'keys',      about: 'key-encryption keys: create, list, rotate',                       load: async () => (await import('./commands/instance/keys.ts')).keysCommands },
  { noun: 'clock',     about: 'test clock of a sandbox instance',                                load: async () => (await import('./commands/sandbox/clock.ts')).clockCommands },
  { noun: 'trigger',   about: 'makes a sandbox payment in a state, or acts as its payer',         load: async () => (await import('./commands/sandbox/trigger.ts')).triggerCommands },
  { noun: 'sandbox',   about: 'behaviour of the sandbox acquirer’s MIDs',                        load: async () => (await import('./commands/sandbox/sandbox.ts')).sandboxCommands },
]

/** Returns the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(argv: readonly string[], context: CommandContext): Promise<number> {
  try {
    return await dispatch(argv, context)
  } catch (error) {
    context.output.err(explainError(error))
    return error instanceof CommandError ? error.exitCode : 1
  }
}

async function dispatch(argv: readonly string[], context: CommandContext): Promise<number> {
  const [first = 'help', ...rest] = argv
  if (first === '--version' || first === 'version') {
    context.output.out(release)
    return 0
  }
  if (first === 'help' || first === '--help' || first === '-h') {
    context.output.out(await composeHelp(rest.filter((word) => !word.startsWith('-'))))
    return 0
  }
  const { commands, noun } = await findNoun(first)
  const chosen = choose(commands, argv)
  if (chosen) return chosen.command.run(chosen.rest, context)

  if (asksForHelp(rest)) {
    context.output.out(nounHelp(noun, commands))
    return 0
  }
  const [verb, ...words] = rest
  if (verb === 'help') {
    context.output.out(await composeHelp([first, ...words]))
    return 0
  }
  const known = commands.map(({ name }) => name.split(' ')[1] ?? '')
  const message =
    verb === undefined ? `"gatehouse ${first}" needs a subcommand.` : `There is no command "${first} ${verb}".`
  throw new UsageError(`${message}${verb === undefined ? '' : suggestion(verb, known)}`, nounHelp(noun, commands))
}

/** Every command by its full name, for documentation and tests. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  return (await Promise.all(nouns.map(({ load }) => load()))).flat()
}

async function findNoun(word: string): Promise<{ readonly noun: Noun; readonly commands: readonly Command[] }> {
  const noun = nouns.find((one) => one.noun === word)
  if (noun) return { noun, commands: await noun.load() }
  const known = [...nouns.map((one) => one.noun), 'help']
  throw new UsageError(
    `There is no command "${word}".${suggestion(word, known)}`,
    '"gatehouse help" lists all commands; "npm start" starts the service.',
  )
}

/** A command with more matching words wins over one with fewer. */
function choose(
  commands: readonly Command[],
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  for (const words of [3, 2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, words).join(' '))
    if (command) return { command, rest: argv.slice(words) }
  }
  return null
}

async function composeHelp(words: readonly string[]): Promise<string> {
  const [word] = words
  if (word === undefined) return composeOverview()
  const { noun, commands } = await findNoun(word)
  const chosen = choose(commands, words)
  return chosen ? chosen.command.help() : nounHelp(noun, commands)
}

const nounHelp = ({ noun, about }: Noun, commands: readonly Command[]): string =>
  [
    `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    indent(record(commands.map(({ name, summary }) => [name, summary]))),
    `"gatehouse ${noun} <command> --help" explains a command.`,
  ].join('\n\n')

async function composeOverview(): Promise<string> {
  const sections = await Promise.all(nouns.map(async ({ load }) => load()))
  const rows = sections.flat().map(({ name, summary }) => [name, summary] as const)
  return [
    commandName === 'gatehouse'
      ? `Gatehouse ${release}.`
      : `Gatehouse ${release}. Here "gatehouse" stands for "${commandName}".`,
    indent(record(rows)),
    [
      '"gatehouse <command> --help" explains a command, "gatehouse --version" prints the version.',
      'Commands use the instance set by DATABASE_URL or DATA_DIR, like the service.',
    ].join('\n'),
  ].join('\n\n')
}

/**
 * The configuration in effect. The command also works with an invalid configuration, because that is when it is needed: it shows every
 * setting as given, and then the faults.
 */
import { readFileSync } from 'node:fs'
import { isObject } from '#domain/json.ts'
import type { Config } from '#server/process/config.ts'
import { secretSettings, settings } from '#server/process/settings.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { readConfigInForce, readInstanceConfig } from '../../kit/instance.ts'
import { suggestion } from '../../kit/nearest.ts'
import { flag } from '../../kit/options.ts'
import { type CellValue, table } from '../../kit/table.ts'

export const configCommands: readonly Command[] = [
  command({
    name: 'config',
    summary: 'Shows every setting with its value, source and purpose.',
    details: 'Secrets are hidden. Exits with code 1 if the configuration has an error.',
    args: {},
    options: { json: flag('Prints JSON.') },
    async run(context, _args, { json }) {
      const { config, fault } = await tryConfig(context)
      const rows = rowsOf(context, config)
      if (json) printJson(context.output, { settings: rows, fault: fault?.message ?? null })
      else
        context.output.out(
          table(
            ['setting', 'value', 'from', 'description'],
            rows.map((row) => [row.setting, row.value, row.from, row.description]),
          ),
        )

      for (const stray of findUnknownSettings(context.environment)) context.output.err(`Note: ${stray}`)
      if (fault) context.output.err(`\n${fault.message}\n${fault.remedy}`)
      return fault ? 1 : 0
    },
  }),
]

interface Row {
  readonly setting: string
  readonly value: CellValue
  readonly from: 'environment' | 'file' | 'database' | 'default'
  readonly description: string
}

function rowsOf({ environment }: CommandContext, config: Config | null): readonly Row[] {
  const inFile = fileSettings(environment)
  return Object.entries(settings).map(([name, schema]) => {
    const fromEnvironment = environment[name] || undefined
    const setValue = fromEnvironment ?? inFile.get(name)
    const standard = schema.safeParse(undefined).data ?? null
    const value = (config && effectiveValues(config).get(name)) ?? setValue ?? standard
    return {
      setting: name,
      value: value !== null && secretSettings.has(name) ? '***' : value,
      from: sourceOf(name, config, { fromEnvironment, setValue }),
      description: schema.description ?? '',
    }
  })
}

function sourceOf(
  name: string,
  config: Config | null,
  {
    fromEnvironment,
    setValue,
  }: { readonly fromEnvironment: string | undefined; readonly setValue: string | undefined },
): Row['from'] {
  if (name === 'GATEHOUSE_MODE' && config?.modeFrom === 'database') return 'database'
  if (fromEnvironment !== undefined) return 'environment'
  return setValue !== undefined ? 'file' : 'default'
}

/** The effective value of settings that depend on others. */
// biome-ignore format: a table is read in columns.
const effectiveValues = (config: Config): ReadonlyMap<string, CellValue> => new Map<string, CellValue>([
  ['PORT',                    config.port],
  ['HOST',                    config.host],
  ['BASE_URL',                config.baseUrl],
  ['DATA_DIR',                config.dataDir],
  ['DATABASE_POOL',           config.databasePool],
  ['GATEHOUSE_MODE',          config.instanceMode],
  ['GATEHOUSE_KEY_FILE',      config.keyFile],
  ['ALLOW_PRIVATE_CALLBACKS', config.allowPrivateCallbacks],
  ['FORMS_DOMAIN',            config.formsDomain],
  ['REQUIRE_SECOND_FACTOR',   requiredFactor(config)],
])

function requiredFactor({ signIn: { secondFactor } }: Config): string {
  if (secondFactor === 'all') return 'true'
  return secondFactor.size === 0 ? 'false' : [...secondFactor].join(',')
}

/** An unknown setting is probably a misspelling, which would otherwise be ignored silently. */
function findUnknownSettings(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = Object.keys(settings)
  const inEnvironment = Object.keys(environment).filter(
    (name) => name.startsWith('GATEHOUSE_') && !settingsReadElsewhere.has(name),
  )
  return [...inEnvironment, ...fileSettings(environment).keys()]
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not a setting.${suggestion(name, known)}`)
}

/** Settings that other code reads: the path of the file itself, and the database server of the tests. */
const settingsReadElsewhere: ReadonlySet<string> = new Set(['GATEHOUSE_CONFIG', 'GATEHOUSE_TEST_DATABASE'])

/** Empty if there is no such file or it cannot be read; reading the configuration reports that fault. */
function fileSettings(environment: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const path = environment['GATEHOUSE_CONFIG']
  if (!path) return new Map()
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const entries = isObject(parsed) ? Object.entries(parsed) : []
    return new Map(entries.map(([name, value]) => [name, String(value)]))
  } catch {
    return new Map()
  }
}

interface Attempt {
  readonly config: Config | null
  readonly fault: StartupError | null
}

/** In the mode of the database if it can be reached; the command `doctor` reports a database that cannot. */
async function tryConfig(context: CommandContext): Promise<Attempt> {
  try {
    const environmentConfig = readInstanceConfig(context)
    const config = await readConfigInForce(context).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      context.output.err(`Note: the mode of the database could not be read. ${error.message}`)
      return environmentConfig
    })
    return { config, fault: null }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return { config: null, fault: error }
  }
}

/**
 * Functions with many parameters. A call with five values in a row cannot be read without the declaration; an options object gives each
 * value a name at the call.
 */
import { functionsIn } from './functions.ts'
import { lineAt, type SourceFile } from './source-files.ts'

const mostParameters = 4

/** `path name` of functions that may have more. */
// biome-ignore format: a table is read in columns.
const exceptions: Readonly<Record<string, string>> = {
  'campaigns/crash/crash-plan.ts row':               'a row of a table, which is read in columns',
  'domain/src/payment/rules.ts row':                 'a row of a table, which is read in columns',
  'domain/src/payment/rules.ts end':                 'a row of a table, which is read in columns',
  'domain/src/report-fields.ts row':                 'a row of a table, which is read in columns',
  'domain/src/routing/filters.ts row':               'a row of a table, which is read in columns',
  'domain/src/sign-in/sign-in-rules.ts limit':       'a row of a table, which is read in columns',
  'domain/src/schedule/day.test.ts =>':              'fast-check hands over each value by itself',
  'domain/src/schedule/schedule.test.ts =>':         'fast-check hands over each value by itself',
  'sandbox/kit/money-texts.ts row':                  'a row of a table, which is read in columns',
  'sandbox/wallet/cards.ts card':                    'a row of a table, which is read in columns',
  'sandbox/wallet/mint/faults.ts row':               'a row of a table, which is read in columns',
  'server/src/wallets/setup/wallet-fields.ts rule':  'a row of a table, which is read in columns',
  'web/admin/pages/page-table.ts row':               'a row of a table, which is read in columns',
}

/** As `path:line: sentence`. */
export function wideFunctions({ path, code }: SourceFile): readonly string[] {
  return functionsIn(code)
    .filter(
      ({ name, parameters }) => parameters.length > mostParameters && !Object.hasOwn(exceptions, `${path} ${name}`),
    )
    .map(
      ({ name, parameters, index }) =>
        `${path}:${lineAt(code, index)}: ${name} has ${parameters.length} parameters; take an options object.`,
    )
}

/** Exceptions for functions that are gone, or have fewer parameters by now. */
export function idleParameterExceptions(files: readonly SourceFile[]): readonly string[] {
  const wide = new Set(
    files
      .filter(({ path }) => Object.keys(exceptions).some((entry) => entry.startsWith(`${path} `)))
      .flatMap(({ path, code }) =>
        functionsIn(code).flatMap(({ name, parameters }) =>
          parameters.length > mostParameters ? [`${path} ${name}`] : [],
        ),
      ),
  )
  return Object.keys(exceptions)
    .filter((entry) => !wide.has(entry))
    .map((entry) => `${entry}: take it off the list of exceptions.`)
}

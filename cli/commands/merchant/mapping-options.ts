/** The options of a mapping, generated from the tables that parse them, so the list cannot be out of date. */

import { mappingOptions } from '#domain/mapping.ts'
import { type Protocol, protocols } from '#domain/merchant.ts'
import type { Reading } from '#domain/reading.ts'
import { type Place, places, reportFields } from '#domain/report-fields.ts'
import { command } from '../../kit/command.ts'
import { printJson } from '../../kit/context.ts'
import { flag, optionalArgument } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { table } from '../../kit/table.ts'

export const listMappingOptions = command({
  name: 'mapping options',
  summary: 'Lists all options, and the fields that can be added to callbacks, status responses and redirects.',
  args: { protocol: optionalArgument('PROTOCOL', readers.oneOf(protocols)) },
  options: { json: flag('Prints JSON.') },
  async run({ output }, { protocol }, { json }) {
    const shownProtocols = protocol === null ? protocols : [protocol]
    const options = optionRows(shownProtocols)
    const fields = fieldRows(shownProtocols)
    if (json) {
      printJson(output, { options, fields })
      return
    }

    const optionTable = options.map((row) => [
      row.name,
      row.title,
      row.protocols,
      JSON.stringify(row.default),
      row.allowed,
    ])
    output.out(table(['option', 'title', 'protocols', 'default', 'allowed'], optionTable))
    output.out('\nFields for addToCallback (C), addToStatus (S) and addToRedirect (R):\n')
    const fieldTable = fields.map(({ name, group, places: where }) => [
      name,
      group,
      ...shownProtocols.map((one) => where[one]?.map((place) => placeCodes[place]).join('') ?? null),
    ])
    output.out(table(['field', 'group', ...shownProtocols], fieldTable))
  },
})

const placeCodes: Readonly<Record<Place, string>> = { callback: 'C', status: 'S', redirect: 'R' }

function optionRows(shown: readonly Protocol[]) {
  return Object.entries(mappingOptions)
    .filter(([, option]) => option.protocols.some((protocol) => shown.includes(protocol)))
    .map(([name, option]) => ({
      name,
      title: option.title,
      protocols: option.protocols,
      default: option.standard,
      allowed: name.startsWith('addTo')
        ? 'a list of the fields below'
        : readAllowed(option.read, shown[0] ?? 'CHECKOUT'),
    }))
}

/** A reader lists the values it accepts in the error for an invalid value; so one is passed to it. */
function readAllowed(read: (value: unknown, protocol: Protocol) => Reading<unknown>, protocol: Protocol): string {
  const reading = read(undefined, protocol)
  return reading.ok ? '' : reading.allowed
}

function fieldRows(shown: readonly Protocol[]) {
  return reportFields
    .map(({ name, group, appearsIn }) => ({
      name,
      group,
      places: Object.fromEntries(
        shown.map((protocol) => [protocol, places.filter((place) => appearsIn[protocol].includes(place))]),
      ),
    }))
    .filter((field) => Object.values(field.places).some((where) => where.length > 0))
}

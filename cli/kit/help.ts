/** Help texts, generated from the tables of the commands. */
import type { Definition } from './definition.ts'
import { type Arguments, flagOf, type Option, type Options } from './options.ts'
import { indent, record } from './table.ts'

export function commandHelp<A extends Arguments, O extends Options>(definition: Definition<A, O>): string {
  const { name, summary, details, args, options, examples = [] } = definition
  const rows = Object.entries(options).map(([key, option]) => [formatFlag(key, option), option.help] as const)
  return [
    `Usage: gatehouse ${[name, ...Object.values(args).map(placeholderOf), rows.length > 0 ? '[options]' : ''].join(' ').trim()}`,
    summary,
    ...(details ? [details] : []),
    ...(rows.length > 0 ? [`Options:\n${indent(record(rows))}`] : []),
    ...(examples.length > 0 ? [`Examples:\n${indent(examples.join('\n'))}`] : []),
  ].join('\n\n')
}

function placeholderOf({ placeholder, takes }: Arguments[string]): string {
  if (takes === 'one') return placeholder
  return takes === 'any' ? `[${placeholder} …]` : `[${placeholder}]`
}

function formatFlag(key: string, option: Option<unknown>): string {
  const flag = flagOf(key, option)
  const several = option.takes === 'several' ? ' …' : ''
  const usage = option.takes === 'nothing' ? `--${flag}` : `--${flag} ${option.placeholder}${several}`
  return option.negated ? `${usage}, --no-${flag}` : usage
}

/** The settings of a process, as docs/operations/settings.md lists them. */
import { settings } from '#server/process/settings.ts'
import { code, table } from './markdown.ts'

export function settingTable(): string {
  return table(
    ['Setting', 'Default', 'Meaning'],
    Object.entries(settings).map(([name, setting]) => [code(name), defaultOf(setting), setting.description ?? '']),
  )
}

/** The default value; empty if the description has to state it. */
function defaultOf(setting: (typeof settings)[keyof typeof settings]): string {
  const { data } = setting.safeParse(undefined)
  return data === undefined || data === '' ? '' : code(String(data))
}

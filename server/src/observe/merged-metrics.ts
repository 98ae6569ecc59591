/**
 * The metrics of several processes as one text. A collector that reads one address reaches any of the processes, and would see counters
 * jump. Each line therefore gets the label `process`; sums would be wrong for figures that every process reads from the database.
 */

export interface ProcessMetrics {
  /** The number of the process, or `worker`. */
  readonly process: string
  readonly text: string
}

interface Family {
  readonly head: string[]
  readonly lines: string[]
}

export function mergeMetrics(all: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>()
  for (const { process, text } of all) {
    let family: Family = { head: [], lines: [] }
    for (const line of text.split('\n')) {
      const [, kind, name] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (name !== undefined) {
        family = families.get(name) ?? { head: [], lines: [] }
        families.set(name, family)
        if (!family.head.some((known) => known.startsWith(`# ${kind} `))) family.head.push(line)
      } else if (line !== '' && !line.startsWith('#')) family.lines.push(withProcess(line, process))
    }
  }
  return `${[...families.values()].flatMap(({ head, lines }) => [...head, ...lines]).join('\n')}\n`
}

function withProcess(line: string, process: string): string {
  const label = `process="${process}"`
  const [, name = '', rest = ''] = /^([^\s{]+)(.*)$/.exec(line) ?? []
  return rest.startsWith('{}') || !rest.startsWith('{')
    ? `${name}{${label}}${rest.replace(/^\{\}/, '')}`
    : `${name}{${label},${rest.slice(1)}`
}

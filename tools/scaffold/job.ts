/** `npm run new:job NAME`: a job that workers do without a request, started with the others, to be filled. */
import { UsageError } from '../command-line.ts'
import { afterLast, isName, type Plan, scaffold, titleOf, typeNameOf } from './scaffold.ts'

const wiring = 'server/src/assembly/payment-workers.ts'

function jobPlan(names: readonly string[]): Plan | string {
  const [name] = names
  if (name === undefined || names.length > 1) throw new UsageError('Give one name.')
  if (!isName(name)) return `"${name}" is not a valid name of a job. Use lower-case words joined by hyphens.`
  const file = `server/src/due/${name}.ts`
  return {
    files: { [file]: codeOf(name) },
    lists: { [wiring]: (text) => withStart(text, name) },
    next: [
      `${file}: what is due, and how often it looks; work that takes long claims rows under a lease, as in watches.ts`,
      `${wiring}: the function of the store that does it, in place of the empty one`,
      'npm test -- due/started-jobs && npm run check',
    ],
  }
}

/** The import in its place, and the call after that of the last job. */
function withStart(text: string, name: string): string | undefined {
  const line = `import { run${typeNameOf(name)} } from '../due/${name}.ts'`
  const lines = text.split('\n')
  const next = lines.findIndex((one) => /^import .* from '\.\.?\//.test(one) && pathOf(one) > pathOf(line))
  if (next === -1) return undefined
  return afterLast(
    lines.toSpliced(next, 0, line).join('\n'),
    /^ {4}run\w+\(deps\b.*\),$/,
    `    run${typeNameOf(name)}(deps, async () => {}),`,
  )
}

const pathOf = (line: string): string => line.slice(line.indexOf("'"))

const codeOf = (name: string): string => `/** ${titleOf(name)}: what is due, and why. */
import type { Deps } from '../payments/request/deps.ts'
import { type DueWork, runDueWork } from './due-work.ts'

const pollMs = 60_000

/** \`work\` does everything that is due in one statement, so there are no items to run. */
export function run${typeNameOf(name)}({ clock, ids, log }: JobDeps, work: (now: Date) => Promise<void>): DueWork {
  return runDueWork<never>({
    name: '${name}',
    claim: async () => {
      await work(clock.now())
      return []
    },
    run: () => Promise.resolve(),
    concurrency: 1,
    pollMs,
    ids,
    log,
  })
}

type JobDeps = Pick<Deps, 'clock' | 'ids' | 'log'>
`

const usage = `Usage: npm run new:job NAME, for example: npm run new:job old-reports

Creates a job that workers do without a request, started with the others, to be filled.`

await scaffold(usage, jobPlan)

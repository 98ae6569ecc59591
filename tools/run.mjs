/**
 * The only entry point: `node tools/run.mjs <task> [arguments…]`, which every npm script calls. Ensures packages and a suitable Node, then
 * runs the task, forwards signals to it, and returns its exit code.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotPrepare, ensureDependencies, ensureRuntime } from './install.mjs'

const programs = 'node_modules/.cache/programs'
/** What is measured and tried is what an installation runs. */
const ofInstallation = { GATEHOUSE_BUILT_PROGRAMS: programs }

// biome-ignore format: a table is read in columns.
const tasks = {
  // task             program with its first arguments                                    what it does
  'start':         { run: [`${programs}/gateway.mjs`], first: ['tools/programs/build-start.ts'],     does: 'runs the gateway', flags: ['--max-semi-space-size=8', '--heap-growing-percent=50'], env: { MALLOC_ARENA_MAX: '1' } },
  'cli':           { run: ['cli/main.ts'],                                                does: 'runs a gatehouse command' },
  'test':          { run: ['tools/test.ts'],       first: ['tools/build-web.ts'],         does: 'runs the tests' },
  'test:full':     { run: ['tools/test.ts', '--full'], first: ['tools/build-web.ts'],     does: 'runs the tests with every page in every language, theme and width' },
  'test:prism':    { run: ['tools/prism/test-prism.ts'], first: ['tools/build-web.ts'],   does: 'runs the acquirers of the family prism with its package' },
  'check':         { run: ['tools/check.ts'],      first: ['tools/build-interface.ts'],   does: 'checks format, lint, types and tidiness' },
  'format':        { run: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write'],  does: 'formats the code' },
  'campaign':      { run: ['campaigns/main.ts'],   first: ['tools/programs/build-start.ts'],       does: 'runs the campaigns (long tests)', env: ofInstallation },
  'mutants':       { run: ['tools/mutants/main.ts'],                                      does: 'runs mutation tests' },
  'evidence':      { run: ['campaigns/evidence/evidence.ts'], first: ['tools/programs/build-start.ts'], does: 'runs every campaign and writes a report', env: ofInstallation },
  'bench':         { run: ['bench/main.ts'],       first: ['tools/programs/build-start.ts'],       does: 'measures speed', env: ofInstallation },
  'docs':          { run: ['tools/docs.ts'],                                              does: 'writes the generated parts of the documents' },
  'docs:site':     { run: ['tools/docs-site.ts'],  first: ['tools/build-web.ts'],         does: 'writes the documentation site as static files' },
  'db:dump':       { run: ['tools/dump-schema.ts'],                                       does: 'writes schema.sql' },
  'web':           { run: ['tools/build-web.ts'],                                         does: 'builds the browser files' },
  'sdk':           { run: ['tools/build-sdk.ts'],                                         does: 'builds the npm package of the SDK' },
  'client':        { run: ['tools/build-client.ts'],                                      does: 'builds the npm package of the client, or its test vectors' },
  'sbom':          { run: ['tools/package/print-sbom.ts'],                                does: 'prints the bill of materials of a release' },
  'chart':         { run: ['tools/package/write-chart.ts'],                               does: 'renders the chart for reviews and tests' },
  'package:tree':  { run: ['tools/package/tree.ts'],                                      does: 'writes the program as it is installed' },
  'package:deb':   { run: ['tools/package/deb.ts'],                                       does: 'builds the Debian package' },
  'new:command':   { run: ['tools/scaffold/command.ts'],                                  does: 'creates a noun of the command line' },
  'new:job':       { run: ['tools/scaffold/job.ts'],                                      does: 'creates a job of the workers' },
  'new:language':  { run: ['tools/scaffold/language.ts'],                                 does: 'creates a language of payers’ pages, to be translated' },
  'new:page':      { run: ['tools/scaffold/page.ts'],                                     does: 'creates a page of the panel' },
  'new:connector': { run: ['tools/new-connector.ts'],                                     does: 'creates the skeleton of a connector' },
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = '', ...args] = process.argv.slice(2)
const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined

if (task === undefined) {
  const lines = Object.entries(tasks).map(([known, { does }]) => `  ${known.padEnd(14)}${does}`)
  stop(2, `${name === '' ? 'A task is missing.' : `There is no task ${name}.`} Tasks:\n${lines.join('\n')}`)
}

try {
  const node = await ensureRuntime(root)
  await ensureDependencies(root)
  if (task.first) await runFirst(node, task.first)
  const [program, ...own] = task.run
  handOver(node, [...(task.flags ?? []), join(root, program), ...own, ...args])
} catch (error) {
  if (!(error instanceof CannotPrepare)) throw error
  stop(1, error.message)
}

/** A step that the task needs; it prints nothing if it succeeds. */
function runFirst(node, [program, ...own]) {
  return new Promise((resolve) => {
    const child = spawn(node, [join(root, program), ...own], { stdio: 'inherit', env: environment(node) })
    child.on('error', (error) => stop(1, `${node} could not be started: ${error.message}`))
    child.on('close', (status, signal) =>
      status === 0 ? resolve() : stop(status ?? 128 + constants.signals[signal], `${program} failed.`),
    )
  })
}

/** Compiled code is cached between runs: a process starts in a third of the time, and the tests start hundreds. */
function environment(node) {
  return {
    ...process.env,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled'),
  }
}

function handOver(node, nodeArguments) {
  const child = spawn(node, nodeArguments, { stdio: 'inherit', env: { ...task.env, ...environment(node) } })
  child.on('error', (error) => stop(1, `${node} could not be started: ${error.message}`))
  child.on('close', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]))

  // A terminal sends Ctrl-C and hang-up to the task as well; forwarded by us, they would arrive twice.
  const inTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => inTerminal || child.kill(signal))
}

function stop(status, message) {
  process.stderr.write(`${message}\n`)
  process.exit(status)
}

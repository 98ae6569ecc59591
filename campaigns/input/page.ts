/**
 * The pages that payers see, in a real browser: accessibility of every state, payment by keyboard alone, every language and both writing
 * directions, policies and integrity of scripts, and the amount loaded. Runs the tests of these in their full form and counts them.
 */
import { run as runTests } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Campaign, type Figure, type Findings, sizeOf, type Terms } from '../campaign.ts'
import { inheritedPatches } from '../patch.ts'

export const page: Campaign = {
  name: 'page',
  asserts: 'pages pass the checker, work by keyboard and in every language, within policy, integrity and byte budget.',
  sizes: { full: 1 },
  quick: { full: 0 },
  longestMinutes: 40,
  run,
  plantedFault: {
    what: 'The hosted page does not declare its language.',
    seenIn: 'accessibility and languages, failed',
    sizes: { full: 0 },
    patches: [
      {
        file: 'server/src/protocols/hosted-page/shell.ts',
        find: `<html lang="\${tag}" dir="\${direction}">`,
        replace: '<html>',
      },
    ],
  },
}

interface Part {
  readonly name: string
  readonly title: RegExp
}

/** By the titles of their tests. */
const parts: readonly Part[] = [
  { name: 'accessibility and languages', title: /accessibility violations|44 px|language|Arabic|writing direction/ },
  { name: 'keyboard', title: /keyboard/ },
  { name: 'policy and integrity', title: /policy|inventory|inline script|integrity/ },
  { name: 'bytes', title: /at most 40 kB|1\.6 Mbit/ },
]

const files = [
  'server/test/browser/pages/checkout-states.test.ts',
  'server/test/browser/pages/checkout-payment.test.ts',
  'server/test/browser/pages/checkout-layout.test.ts',
  'server/test/browser/pages/payer-pages.test.ts',
  'server/test/flows/hosted-page/hosted-page-shell.test.ts',
]
const root = fileURLToPath(new URL('../..', import.meta.url))

async function run(terms: Terms): Promise<Findings> {
  if (sizeOf(terms, 'full') > 0) process.env['GATEHOUSE_FULL'] = '1'
  const passed: string[] = []
  const failed: string[] = []
  const paths = new Set(files.map((file) => `${root}${file}`))
  const stream = runTests({ files: [...paths], cwd: root, concurrency: 1, execArgv: [...inheritedPatches()] })
  for await (const { type, data } of stream) {
    // A file is reported as a test around its tests.
    if (type === 'test:pass' && !paths.has(data.name)) passed.push(data.name)
    if (type === 'test:fail' && !files.some((file) => data.name.endsWith(file))) failed.push(data.name)
  }
  const figures = parts.flatMap(({ name, title }): readonly Figure[] => [
    { name: `${name}, tests`, value: count(passed, title) + count(failed, title) },
    { name: `${name}, failed`, value: count(failed, title), must: 0 },
  ])
  return {
    figures: [
      { name: 'tests', value: passed.length + failed.length },
      ...figures,
      { name: 'failed in total', value: failed.length, must: 0 },
      { name: 'parts without a test', value: parts.filter(({ title }) => count(passed, title) === 0).length, must: 0 },
    ],
    faults: failed,
  }
}

const count = (names: readonly string[], title: RegExp): number => names.filter((name) => title.test(name)).length

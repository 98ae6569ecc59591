/** The reference matches the code: every generated region is up to date and used, and nothing is missing. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { mappingOptions } from '#domain/mapping.ts'
import { statuses } from '#domain/payment/payment.ts'
import { beginRules, endRules, firstRules } from '#domain/payment/rules.ts'
import { reportFields } from '#domain/report-fields.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { settings } from '#server/process/settings.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { actionErrors } from './docs/answers/action-errors.ts'
import { apmColumns } from './docs/answers/apm-answers.ts'
import { apmErrors } from './docs/answers/apm-errors.ts'
import { cardColumns } from './docs/answers/card-answers.ts'
import { contract, contractFile } from './docs/answers/contract.ts'
import { table } from './docs/markdown.ts'
import { reference } from './docs/reference.ts'
import { fillRegions, regionsIn } from './docs/regions.ts'
import { documents } from './tidy/links.ts'
import { root } from './tidy/source-files.ts'

const numbers = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const readDocument = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const regions = documents().flatMap((path) => regionsIn(readDocument(path)).map((region) => ({ path, region })))

for (const path of new Set(regions.map((one) => one.path))) {
  test(`${path} is up to date`, () => {
    assert.ok(
      fillRegions(readDocument(path), reference) === readDocument(path),
      `${path} is stale: run "npm run docs" and look at the change.`,
    )
  })
}

test(`${contractFile} is up to date`, () => {
  assert.ok(
    readDocument(contractFile) === contract(),
    `${contractFile} is stale: run "npm run docs" and review what changes for merchants.`,
  )
})

test('every generated region is in exactly one document', () => {
  const places = Object.keys(reference).map((region) => ({
    region,
    where: regions.filter((one) => one.region === region),
  }))
  for (const { region, where } of places) {
    assert.equal(
      where.length,
      1,
      `The region "${region}" stands in ${where.length} documents. Put <!-- generated:${region} --> and <!-- /generated:${region} --> where it belongs and run "npm run docs".`,
    )
  }
})

describe('nothing is missing:', () => {
  const rowsOf = (page: string): readonly string[] =>
    readDocument(page)
      .split('\n')
      .filter((line) => line.startsWith('|'))
  const someRow = (page: string, ...cells: readonly string[]): void =>
    assert.ok(
      rowsOf(page).some((row) => cells.every((cell) => row.includes(`| ${cell} |`))),
      `${page} has no row with ${cells.join(' and ')}.`,
    )

  test('every error has its row', () => {
    for (const { http, code, message } of Object.values(errors))
      someRow('docs/interface/errors.md', String(http), `${code} | \`${message}\``)
  })

  const sectionOf = (page: string, action: string): string =>
    new RegExp(`^### ${action}\\n([\\s\\S]*?)(?=^##)`, 'm').exec(readDocument(page))?.[1] ?? ''

  // biome-ignore format: a table is read in columns.
  const pages = [
    { page: 'docs/interface/s2s-card.md', prefix: '',     actions: cardActions, columns: cardColumns,    refused: actionErrors },
    { page: 'docs/interface/s2s-apm.md',  prefix: 'apm-', actions: apmActions,  columns: apmColumns, refused: apmErrors },
  ]

  for (const { page, prefix, actions, columns, refused } of pages) {
    test(`every action has its section in ${page}, and every parameter its row there`, () => {
      for (const {
        names: [name = ''],
        params,
      } of actions) {
        for (const param of Object.keys(params))
          assert.ok(sectionOf(page, name).includes(`| \`${param}\` |`), `${name} lacks ${param}.`)
      }
    })

    test(`every field of its answers and callbacks has a row in the section of the action in ${page}, and so has every error`, () => {
      for (const { action, answer, callback } of columns) {
        const [answers = '', callbacks = ''] = ['answer', 'callback'].map(
          (what) =>
            new RegExp(`generated:${prefix}${what}-[\\s\\S]*?/generated:${prefix}${what}-`).exec(
              sectionOf(page, action),
            )?.[0],
        )
        for (const field of answer.flatMap(({ fields }) => [...fields.keys()]))
          assert.ok(answers.includes(`| \`${field}\` |`), `The answer of ${action} lacks ${field}.`)
        for (const field of callback.flatMap(({ fields }) => [...fields.keys()]))
          assert.ok(callbacks.includes(`| \`${field}\` |`), `The callback of ${action} lacks ${field}.`)
      }
      for (const [action, names] of refused) {
        for (const { code, message } of names.map((name) => errors[name]))
          assert.ok(
            sectionOf(page, action).includes(`| ${code} | \`${message}\` |`),
            `${action} lacks ${code} ${message}`,
          )
      }
    })
  }

  test('every built-in brand has its row, and so has every parameter of it', () => {
    for (const { code, parameters } of builtInBrands) {
      someRow('docs/interface/brands.md', `\`${code}\``)
      for (const { name } of Object.values(parameters).flat())
        someRow('docs/interface/brands.md', `\`${code}\``, `\`parameters[${name}]\``)
    }
  })

  test('every status and every transition has its row', () => {
    const page = 'docs/interface/states.md'
    for (const status of statuses) someRow(page, `\`${status}\``)
    for (const command of Object.keys(firstRules)) someRow(page, `\`${command}\``)
    for (const { command, from, kinds, records } of beginRules)
      someRow(page, `\`${command}\` | \`${from}\` | ${kinds.join(', ')}`, `\`${records}\``)
    for (const { type, from } of endRules) someRow(page, `\`${type}\` | ${from.map((one) => `\`${one}\``).join(', ')}`)
  })

  test('every report field, mapping option and setting has its row', () => {
    for (const { name } of reportFields) someRow('docs/interface/report-fields.md', `\`${name}\``)
    for (const name of Object.keys(mappingOptions)) someRow('docs/interface/mapping-options.md', `\`${name}\``)
    for (const name of Object.keys(settings)) someRow('docs/operations/settings.md', `\`${name}\``)
  })

  test('every formula of S2S CARD has its row', () => {
    const rows = rowsOf('docs/interface/signatures.md').filter((row) => row.includes('`card.'))
    assert.equal(rows.length, Object.keys(cardFormulas).length)
  })
})

describe('numbers in the prose are those of limits.ts:', () => {
  const { request, rate, callback, reconcile, acquirer, idempotency } = limits
  const minutes = (ms: number): number => ms / 60_000
  const sentences = [
    [
      's2s-card',
      `body ${request.bodyBytes / 1024} KiB, depth ${request.nestingDepth}, ${request.parameters} parameters`,
    ],
    ['s2s-card', `${rate.perSecond} requests per second and merchant key, ${rate.burst} at once`],
    ['s2s-card', `up to ${acquirer.waitMs / 1000} s for the acquirer`],
    ['s2s-card', `up to ${idempotency.keyLength} characters`],
    ['s2s-card', `for ${minutes(idempotency.keptMs) / 60} hours`],
    ['s2s-card', `${callback.timeoutMs / 1000} s; redirects are not followed`],
    ['s2s-card', `after ${listDurations(callback.retrySeconds)}`],
    [
      'mapping-options',
      `plan of ${numbers[callback.retrySeconds.length + 1]} attempts: ${listDurations(callback.retrySeconds)}`,
    ],
    [
      's2s-card',
      `${numbers[callback.blockAfterTimeouts]} timeouts within ${numbers[minutes(callback.blockWindowMs)]} minutes`,
    ],
    ['states', `then after ${listDurations(reconcile.afterSeconds.slice(1))}`],
  ] as const

  for (const [page, sentence] of sentences) {
    test(`${page} says “${sentence}”`, () => {
      assert.ok(readDocument(`docs/interface/${page}.md`).replace(/\s+/g, ' ').includes(sentence))
    })
  }
})

describe('regions', () => {
  const document = 'Before.\n<!-- generated:one -->\nold\n<!-- /generated:one -->\nAfter.\n'

  test('are rewritten, and the text around them is unchanged', () => {
    const once = fillRegions(document, { one: () => 'new' })
    assert.equal(once, 'Before.\n<!-- generated:one -->\n\nnew\n\n<!-- /generated:one -->\nAfter.\n')
    assert.equal(fillRegions(once, { one: () => 'new' }), once)
  })

  test('without a generator are refused', () => {
    assert.throws(() => fillRegions(document, {}), /No program writes the region "one"/)
  })

  test('escape a bar inside a cell', () => {
    assert.equal(table(['a'], [['b|c\nd']]), '| a |\n|---|\n| b\\|c d |')
  })
})

/** `1 min, 5 min and 1 h`. */
function listDurations(seconds: readonly number[]): string {
  const spans = seconds.map((span) => {
    if (span % 3600 === 0) return `${span / 3600} h`
    return span % 60 === 0 ? `${span / 60} min` : `${span} s`
  })
  return `${spans.slice(0, -1).join(', ')} and ${spans.at(-1)}`
}

/** Dashboards, alert rules and the runbook name what exists, and the runbook names everything that an operator can meet. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { alertKinds } from '#domain/alert/alert-kinds.ts'
import { createMetrics } from '#server/observe/metrics.ts'
import { healthProblems } from '#server/protocols/service/problems.ts'
import { isTest, root } from '../tidy/source-files.ts'

const readText = (path: string): string => readFileSync(join(root, path), 'utf8')
const runbook = readText('docs/operations/runbook.md')
const ruleGroups: readonly { readonly rules: readonly Rule[] }[] = parse(
  readText('deploy/prometheus/rules.yaml'),
).groups
const rules = ruleGroups.flatMap((group) => group.rules)

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface Dashboard {
  readonly uid: string
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const dashboards = globSync('deploy/grafana/*.json', { cwd: root }).map((path) => {
  const dashboard: Dashboard = JSON.parse(readText(path))
  return { path, dashboard }
})

describe('dashboards and alert rules', () => {
  test('query only metrics and labels that a process exports', async () => {
    const exported = await exportedMetrics()
    const queries = [
      ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
      ...dashboards.flatMap(({ path, dashboard }) =>
        dashboard.panels.flatMap(({ title, targets }) =>
          targets.map(({ expr }) => ({ where: `${path}: ${title}`, expr })),
        ),
      ),
    ]
    assert.ok(queries.length > 40)
    for (const { where, expr } of queries)
      for (const { metric, labels } of selectorsIn(expr)) {
        const known = exported.get(metric)
        assert.ok(known, `${where}: there is no metric ${metric}`)
        for (const label of labels) assert.ok(known.has(label), `${where}: ${metric} has no label ${label}`)
      }
  })

  test('metrics.md lists every metric with its labels', async () => {
    const rows = [...readText('docs/operations/metrics.md').matchAll(/^\| `(gatehouse_\w+)` \| (.*?) ?\| /gm)]
    const documented = rows.map(([, name = '', labels = '']) => `${name} ${labels.replaceAll('`', '')}`.trim())
    const added = new Set(['job', 'instance', 'le'])
    const families = [...(await exportedMetrics())].flatMap(([name, labels]) =>
      name.startsWith('gatehouse_') && !/_(?:sum|count)$/.test(name)
        ? [`${name.replace(/_bucket$/, '')} ${[...labels].filter((label) => !added.has(label)).join(', ')}`.trim()]
        : [],
    )
    assert.deepEqual(documented.toSorted(), families.toSorted())
  })

  test('there is a dashboard for payments, acquirers, callbacks, database and wallets, each with its own id', () => {
    const ids = dashboards.map(({ dashboard }) => dashboard.uid).toSorted()
    assert.deepEqual(
      ids,
      ['acquirers', 'callbacks', 'database', 'payments', 'wallets'].map((name) => `gatehouse-${name}`),
    )
  })

  test('every rule has a case in rules.test.yaml, a severity, and its heading in the runbook', () => {
    const cases = readText('deploy/prometheus/rules.test.yaml')
    for (const { alert, labels, annotations } of rules) {
      assert.ok(cases.includes(`alertname="${alert}"`), `${alert} has no case`)
      assert.match(labels.severity, /^(?:critical|warning)$/, alert)
      assert.equal(annotations.runbook, `docs/operations/runbook.md#${alert.toLowerCase()}`)
      const [, section = ''] = runbook.split(`### ${alert}\n`)
      assert.match(
        section.trim(),
        new RegExp(`^${labels.severity}\\b`, 'i'),
        `${alert}: the runbook states its severity first`,
      )
    }
    const headings = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    assert.deepEqual(
      headings,
      rules.map(({ alert }) => alert),
    )
  })
})

describe('the runbook', () => {
  test('has a row for every kind of alert', () =>
    assert.deepEqual(codesIn('Alerts of the instance'), [...alertKinds].toSorted()))

  test('has a row for every health problem', () =>
    assert.deepEqual(codesIn('Health problems'), Object.keys(healthProblems).toSorted()))

  test('has a row for every reason to refuse a start', () => {
    const texts = startErrors()
    assert.ok(texts.length > 55)
    assert.deepEqual(
      texts.filter((text) => !rowTexts().some((row) => row.includes(text))),
      [],
    )
  })

  test('has no row for a start error that does not exist', () => {
    const sources = sourceTexts().join('\n')
    const invented = rowTexts().filter((row) =>
      row.split('…').some((part) => part.trim() !== '' && !sources.includes(part.trim())),
    )
    assert.deepEqual(invented, [])
  })
})

/** Metric name → its labels, of a process with every source of metrics. */
async function exportedMetrics(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = createMetrics({
    actions: ['SALE'],
    connectors: ['sandbox'],
    readCallbackBacklog: async () => 0,
    countUnresolvedTransactions: async () => 0,
    readCertificates: async () => [{ wallet: 'walletapay', role: 'merchant', daysLeft: 1 }],
    countWalletAlerts: async () => [{ kind: 'wallet root expiry', count: 0 }],
    readClockAheadSeconds: async () => 0,
    countMonthsAhead: async () => 2,
    readBackups: async () => ({ archive: { failures: 0, secondsSince: 0 }, newestAgeSeconds: { dump: 0, base: 0 } }),
    condition: () => ({ checks: { writes: async () => undefined }, notices: {} }),
    databaseConnections: () => ({ total: 0, idle: 0, waiting: 0 }),
    gate: () => ({ inside: 0, waiting: 0, limit: 0 }),
    midHealth: () => [{ mid: 'main', health: 'closed' }],
  })
  metrics.request({ protocol: 's2s-card', action: 'SALE', result: 'SUCCESS', seconds: 1 })
  metrics.exchange({ connector: 'sandbox', operation: 'sale', outcome: 'approved', seconds: 1 })
  metrics.refusedToken({ wallet: 'walletapay', check: 'A1', merchant: 'm' })
  metrics.missingButton({ wallet: 'walletapay', reason: 'frame', merchant: 'm' })
  metrics.notification({ mid: 'main', result: 'taken' })
  metrics.breakerOpened('main')
  metrics.gate.countAdmitted(1)
  const exported = new Map<string, Set<string>>([['up', new Set()]])
  for (const [, name = '', labels = ''] of (await metrics.composeText()).matchAll(/^([a-z]\w*)(?:\{(.*)\})? /gm)) {
    const known = exported.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    exported.set(name, known)
  }
  // Prometheus adds these to every series.
  for (const labels of exported.values()) labels.add('job').add('instance')
  return exported
}

/** The labels of `by (…)` count for every metric of the query. */
function selectorsIn(expr: string): readonly { readonly metric: string; readonly labels: readonly string[] }[] {
  const grouping = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )
  const names = /\b(up|(?:gatehouse|process|nodejs)_\w+)(?:\{([^}]*)\})?/g
  return [...expr.matchAll(names)].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...grouping, ...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)],
  }))
}

const sectionOf = (heading: string): string => runbook.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? ''

const codesIn = (heading: string): readonly string[] =>
  [...sectionOf(heading).matchAll(/^\| `([^`]+)` \|/gm)].map(([, code = '']) => code).toSorted()

/** The first cells of the tables of start errors. */
const rowTexts = (): readonly string[] =>
  [...sectionOf('Refused starts').matchAll(/^\| (.+?) \| /gm)]
    .map(([, text = '']) => text)
    .filter((text) => text !== 'Text')

const sourceTexts = (): readonly string[] =>
  globSync('server/src/**/*.ts', { cwd: root })
    .filter((path) => !isTest(path))
    .map(readText)

/** The longest fixed part of each message. */
function startErrors(): readonly string[] {
  const message = /new StartupError\(\s*(['`"])((?:(?!\1)[\s\S])*?)\1/g
  const guards = ['server/src/process/origin-guard.ts', 'server/src/health/clock-guard.ts'].map(readText).join('\n')
  const inGuards =
    /(?:text: |sharedHostFault\(\s*|return )([`'])((?:ADMIN_URL|BASE_URL|FORMS_DOMAIN|The (?:panel|clock))(?:(?!\1).)*)\1/g
  const causes = readText('server/src/store/database/connection/connection-fault.ts').matchAll(/sentence: (')([^']+)'/g)
  return [...sourceTexts().join('\n').matchAll(message), ...guards.matchAll(inGuards), ...causes].map(
    ([, , text = '']) =>
      text
        .replaceAll('\\n', '')
        .split(/\$\{[^}]*\}?/)
        .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
        .replace(/^[\s,:)]+/, '')
        .trim(),
  )
}

/** How the checks of money find their rows: the dashboard runs them over 15,000 payments at a time. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { testDatabase } from '../../../test/database.ts'
import type { Queryable } from '../database/pool.ts'
import { findMoneyFaults } from './money-checks.ts'

const database = await testDatabase()
after(() => database.drop())

interface PlanNode {
  readonly 'Node Type': string
  readonly Plans?: readonly PlanNode[] | undefined
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({ 'Node Type': z.string(), Plans: z.array(planNode).optional() }),
)
const planRow = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: planNode })) })

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const isJoin = (node: PlanNode): boolean => ['Nested Loop', 'Hash Join', 'Merge Join'].includes(node['Node Type'])
/** An index or a table below it. */
const readsTable = (node: PlanNode): boolean =>
  nodesOf(node).some((one) => /^(?:Index|Seq|Bitmap)/.test(one['Node Type']))

test('no check joins two lists that only the statement has: every payment would be compared with every other', async () => {
  const joins: PlanNode[] = []
  const planning = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await database.pool.query(`explain (format json) ${text}`, values)
      const [plan] = planRow.parse(rows[0])['QUERY PLAN']
      joins.push(...nodesOf(plan?.Plan ?? { 'Node Type': 'none' }).filter(isJoin))
      return { rows: [] }
    },
  } as unknown as Queryable // The driver's signature has a dozen overloads; only this one is used.
  const range = { from: new Date('2026-01-01'), to: new Date('2026-02-01'), merchantIds: null, mode: 'live' as const }
  await findMoneyFaults(planning, range)
  assert.ok(joins.length > 2, 'transactions and entries are joined')
  const ofLists = joins.filter(({ Plans = [] }) => Plans.length > 1 && !Plans.some(readsTable))
  assert.deepEqual(
    ofLists.filter((node) => nodesOf(node).every((one) => !/Aggregate/.test(one['Node Type']))),
    [],
  )
})

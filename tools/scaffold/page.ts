/** `npm run new:page NAME PERMISSION GROUP`: a page of the panel that opens from the navigation, to be filled. */
import { permissions } from '#server/panel/access/permissions.ts'
import { UsageError } from '../command-line.ts'
import { afterLast, identifierOf, isName, type Plan, scaffold, titleOf, typeNameOf } from './scaffold.ts'

function pagePlan(names: readonly string[]): Plan | string {
  const [name, permission, group] = names
  if (name === undefined || permission === undefined || group === undefined || names.length > 3) {
    throw new UsageError('Give a name, a permission and a group.')
  }
  if (!isName(name)) return `"${name}" is not a valid page name. Use lower-case words joined by hyphens.`
  const known = permissions.map((row) => row.name)
  if (!known.some((one) => one === permission)) {
    return `There is no permission ${permission}. Permissions: ${known.join(', ')}.`
  }
  return planOf(name, permission, group)
}

const folder = 'web/admin/pages'

function planOf(name: string, permission: string, group: string): Plan {
  const page = `${folder}/${name}/page.tsx`
  return {
    files: { [page]: codeOf(name) },
    lists: {
      [`${folder}/page-table.ts`]: (table) => afterLast(table, rowIn(group), rowOf(name, permission, group)),
      [`${folder}/index.ts`]: (loaders) => afterLast(loaders, /^ {2}\w+: +async \(\) => /, loaderOf(name)),
    },
    next: [
      `${page}: read with useReading or usePages; the head of page-table.ts says how a page is written`,
      `${folder}/page-table.ts: the icon, and the place in the navigation`,
      `npm start, then open /admin/${name}`,
      'npm test -- panel/panel-pages && npm run check',
    ],
  }
}

/** A row of the group that is not wrapped in another call. */
const rowIn = (group: string): RegExp => new RegExp(`^ {2}row\\(.*'${group.replace(/\W/g, '')}',.*\\),$`)

function rowOf(name: string, permission: string, group: string): string {
  const columns = [
    [`'/${name}',`, 44],
    [`'${titleOf(name)}',`, 21],
    [`'${permission}',`, 20],
    [`'${group}',`, 13],
    [`'form',`, 14],
  ] as const
  return `  row(${columns.map(([text, width]) => text.padEnd(width - 1)).join(' ')}'${identifierOf(name)}'),`
}

const loaderOf = (name: string): string =>
  `  ${`${identifierOf(name)}:`.padEnd(16)} async () => (await import('./${name}/page.tsx')).${typeNameOf(name)}Page,`

const codeOf = (name: string): string => `/** ${titleOf(name)}: what the page shows, and to whom. */
import type { JSX } from 'preact'
import { Page } from '../../kit/page.tsx'
import { Empty } from '../../kit/states.tsx'

export const ${typeNameOf(name)}Page = (): JSX.Element => (
  <Page title="${titleOf(name)}">
    <Empty title="There is nothing here yet." />
  </Page>
)
`

const usage = `Usage: npm run new:page NAME PERMISSION GROUP, for example: npm run new:page refused-tokens wallets.read Payments

Creates a page of the panel that opens from the navigation, to be filled.`

await scaffold(usage, pagePlan)

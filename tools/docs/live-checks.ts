/** The checks of a live instance, and where each is enforced. */
import { liveChecks } from '#server/live-guard/checks.ts'
import { code, table } from './markdown.ts'

export const liveCheckTable = (): string =>
  table(
    ['Check', 'What is wrong', 'Where it is stopped', 'What to do'],
    liveChecks.map(({ id, problem, enforced, remedy }) => [code(id), problem, enforced, remedy]),
  )

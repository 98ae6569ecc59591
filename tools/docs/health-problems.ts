/** The problems that health can report. */
import { healthProblems } from '#server/protocols/service/problems.ts'
import { code, table } from './markdown.ts'

export const healthProblemTable = (): string =>
  table(
    ['Code', 'Meaning'],
    Object.entries(healthProblems).map(([name, text]) => [code(name), text]),
  )

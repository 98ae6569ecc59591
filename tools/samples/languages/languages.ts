/** The languages of the examples, in the order of their tabs. */
import type { ProgramPlan } from '../program-plan.ts'
import { curlProgram } from './curl.ts'
import { goProgram } from './go.ts'
import { javaProgram } from './java.ts'
import { nodeProgram } from './node.ts'
import { phpProgram } from './php.ts'
import { pythonProgram } from './python.ts'

interface Language {
  readonly id: string
  readonly title: string
  readonly write: (plan: ProgramPlan) => string
}

// biome-ignore format: a table is read in columns.
export const languages: readonly Language[] = [
  { id: 'curl',   title: 'curl',   write: curlProgram },
  { id: 'node',   title: 'Node',   write: nodeProgram },
  { id: 'php',    title: 'PHP',    write: phpProgram },
  { id: 'python', title: 'Python', write: pythonProgram },
  { id: 'go',     title: 'Go',     write: goProgram },
  { id: 'java',   title: 'Java',   write: javaProgram },
]

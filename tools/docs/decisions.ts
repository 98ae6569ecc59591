/** The list of decisions, from the titles of their files. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { root } from '../tidy/source-files.ts'
import { table } from './markdown.ts'

export function decisionTable(): string {
  const files = globSync('docs/decisions/[0-9]*.md', { cwd: root }).toSorted()
  return table(
    ['Number', 'Decision'],
    files.map((file) => {
      const [, number = '', title = ''] = /^# (\d{4}): (.+)$/m.exec(readFileSync(`${root}${file}`, 'utf8')) ?? []
      if (title === '') throw new Error(`${file} has no heading of the form "# 0000: Title".`)
      return [number, `[${title}](${basename(file)})`]
    }),
  )
}

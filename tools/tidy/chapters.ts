/** The chapters of docs/spec as citations find them: by number, with their sections by number. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

interface Chapter {
  /** The file's name without its folder. */
  readonly file: string
  readonly sections: ReadonlyMap<string, Section>
}

export interface Section {
  /** From its heading to the next heading of the same or a higher rank, so that it contains its subsections. */
  readonly text: string
  /** Of items of ordered lists, and of tables whose first column numbers their rows. */
  readonly numbers: ReadonlySet<string>
}

export type Chapters = ReadonlyMap<string, Chapter>

export function chaptersIn(folder: string): Chapters {
  const paths = globSync(`${folder}/[0-9][0-9]-*.md`).toSorted()
  return new Map(
    paths.map((path) => {
      const file = basename(path)
      return [file.slice(0, 2), { file, sections: sectionsOf(readFileSync(path, 'utf8')) }]
    }),
  )
}

const heading = /^(#{2,}) (\d+(?:\.\d+)*)\.? \S.*$/gm

export function sectionsOf(markdown: string): ReadonlyMap<string, Section> {
  const headings = [...markdown.matchAll(heading)]
  return new Map(
    headings.map(({ 1: rank = '', 2: number = '', index }, position) => {
      const next = headings.slice(position + 1).find((other) => (other[1]?.length ?? 0) <= rank.length)
      const text = markdown.slice(index, next?.index)
      return [number, { text, numbers: numbersIn(text) }]
    }),
  )
}

function numbersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^(?:\s*(\d+)\. |\| (\d+) \|)/gm)].map(([, item, row]) => item ?? row ?? ''))
}

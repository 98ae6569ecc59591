/**
 * Citations of the chapters in docs/spec: "chapter 10 §7.1.9", "Chapter 50 §3, rule 5", "chapters 10 and 20". Each must lead to a
 * heading. A section without a chapter belongs to the chapter named before it in the same passage; in a chapter it is that
 * chapter's own.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import type { Chapters, Section } from './chapters.ts'
import { passagesOf } from './passages.ts'
import { lineAt, root } from './source-files.ts'

interface Citation {
  readonly line: number
  /** As it stands there. */
  readonly said: string
  /** Null when the passage names none. */
  readonly chapter: string | null
  /** Null when the chapter as a whole is meant. */
  readonly section: string | null
  /** Numbers of rules, steps or rows in that section, as "rule 5". */
  readonly numbers: readonly string[]
  /** Names of rows or paragraphs in that section. */
  readonly names: readonly string[]
}

const folders = '{docs,domain,server,sandbox,web,client,cli,bench,campaigns,tools,deploy}'

/** Its cases are citations that lead nowhere. */
const exempt = 'tools/tidy/citations.test.ts'

export function citingFiles(): readonly string[] {
  const paths = globSync(['*.md', `${folders}/**/*.{ts,tsx,mjs,js,css,html,md,sql,json,yaml}`], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/.*/**'],
  })
  return paths.filter((path) => path !== exempt).toSorted()
}

/** `path:line: sentence` for every citation that leads nowhere. */
export function deadCitations(path: string, text: string, chapters: Chapters): readonly string[] {
  return citationsOf(path, text).flatMap((citation) => {
    const fault = faultOf(citation, chapters)
    return fault === null ? [] : [`${path}:${citation.line}: "${citation.said}": ${fault}`]
  })
}

const outside = String.raw`(?<outside>\b(?:RFC|ISO(?:/IEC)?|NIST|FIPS|PCI DSS)\s[\d.-]+(?=,?\s+§))`
const chapter = String.raw`\bchapters?\s+(?<chapter>\d+)`
// "chapters 10 and 20", "chapters 10 §7 and 20 §3", "chapters 10–40".
const further = String.raw`(?:,|\band|\bor|\bto|–)\s*(?<further>\d\d)\b(?!\.\d)(?<=\bchapters\s+(?:[\d§.,–\s]|and|or|to)*)`
const numbersPattern = String.raw`(?:,?\s+\(?(?:rule|step|filter|row|example)s?\s+(?<numbers>\d+(?:(?:,?\s+(?:to|and)\s+|,\s+|–)\d+)*))?`
const namesPattern = String.raw`(?<names>(?:,?\s+(?:and\s+)?\(?"[^"]+")+)?`
const section = String.raw`§(?<section>\d+(?:\.\d+)*)(?:–(?<until>\d+(?:\.\d+)*))?${numbersPattern}${namesPattern}`
const pattern = new RegExp([outside, chapter, further, section].join('|'), 'gi')
/** A chapter also speaks of "section 7" and means its own. */
const ownPattern = new RegExp(String.raw`${pattern.source}|\bsections?\s+(?<own>\d+(?:\.\d+)*)`, 'gi')

export function citationsOf(path: string, text: string): readonly Citation[] {
  const home = /^docs\/spec\/\d\d-/.test(path) ? basename(path).slice(0, 2) : null
  return passagesOf(path, text, /§|\b(?:chapter|section)s?\s/i).flatMap((passage) => {
    let current: string | null = home
    let elsewhere = false
    return [...passage.text.matchAll(home === null ? pattern : ownPattern)].flatMap(
      ({ 0: said, index, groups = {} }) => {
        const line = passage.line + lineAt(passage.text, index) - 1
        const cite = (chapterCited: string | null, sectionCited: string | null): Citation => ({
          line,
          said: said.replace(/\s+/g, ' '),
          chapter: chapterCited,
          section: sectionCited,
          numbers: groups['numbers']?.match(/\d+/g) ?? [],
          names: (groups['names']?.match(/"[^"]+"/g) ?? []).map((name) => name.slice(1, -1)),
        })
        const chapterNamed = groups['chapter'] ?? groups['further']
        elsewhere = groups['outside'] !== undefined || (elsewhere && chapterNamed === undefined)
        if (elsewhere) return []
        if (chapterNamed !== undefined) {
          current = chapterNamed
          return [cite(current, null)]
        }
        if (groups['own'] !== undefined) return [cite(home, groups['own'])]
        const until = groups['until']
        return [cite(current, groups['section'] ?? null), ...(until === undefined ? [] : [cite(current, until)])]
      },
    )
  })
}

function faultOf(citation: Citation, chapters: Chapters): string | null {
  if (citation.chapter === null) return `names no chapter; write "chapter NN ${citation.said}".`
  const found = chapters.get(citation.chapter)
  // Said once, where the chapter is named.
  if (found === undefined)
    return citation.section === null ? `there is no chapter ${citation.chapter} in docs/spec.` : null
  if (citation.section === null) return null
  const cited = found.sections.get(citation.section)
  if (cited === undefined) return `docs/spec/${found.file} has no heading ${citation.section}.`
  return partFault(citation, cited, `docs/spec/${found.file} §${citation.section}`)
}

function partFault({ numbers, names }: Citation, { numbers: there, text }: Section, place: string): string | null {
  const number = numbers.find((each) => !there.has(each))
  if (number !== undefined) return `${place} has no item or row ${number}.`
  const plain = plainOf(text)
  const name = names.find((each) => !plain.includes(plainOf(each)))
  return name === undefined ? null : `${place} does not say "${name}".`
}

/** `path:line: sentence` for every citation of a decision by page and heading that leads nowhere, or by a number. */
export function deadDecisions(
  path: string,
  text: string,
  headingsOf: (page: string) => ReadonlySet<string> | null,
): readonly string[] {
  return [...text.matchAll(/(?<![\w/])decisions\/([a-z0-9-]+)#([a-z0-9-]+)|\bdecisions? \d{4}\b/gi)].flatMap(
    ({ 0: said, 1: page, 2: heading = '', index }) => {
      const place = `${path}:${lineAt(text, index)}: "${said}":`
      // A migration that was applied is never edited.
      if (page === undefined) return path.endsWith('.sql') ? [] : [`${place} cite page and heading of docs/decisions.`]
      const headings = headingsOf(page)
      if (headings === null) return [`${place} there is no docs/decisions/${page}.md.`]
      return headings.has(heading) ? [] : [`${place} docs/decisions/${page}.md has no heading #${heading}.`]
    },
  )
}

const plainOf = (text: string): string =>
  text.toLowerCase().replace(/[*`]/g, '').replace(/\s+/g, ' ').replace(/[.,]$/, '')

/** Links of the documents to files and headings of this project. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { root } from './source-files.ts'

export function documents(): readonly string[] {
  return globSync(['*.md', 'docs/**/*.md', 'client/**/*.md', 'examples/*.md'], { cwd: root }).toSorted()
}

/** `path: sentence` for every relative link that leads nowhere. */
export function deadLinks(document: string): readonly string[] {
  return linksOf(readFileSync(`${root}${document}`, 'utf8')).flatMap((link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : posix.join(dirname(document), path)
    if (!existsSync(`${root}${target}`)) return [`${document}: the link ${link} leads to no file.`]
    if (anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor)) return []
    return [`${document}: the link ${link} leads to no heading.`]
  })
}

/** The files that can be reached from a page by following links, itself included. */
export function reachablePages(start: string, read: (path: string) => string): ReadonlySet<string> {
  const reached = new Set([start])
  // A set is walked in the order of insertion, including what is added meanwhile.
  for (const page of reached) {
    if (!page.endsWith('.md')) continue
    for (const link of linksOf(read(page))) {
      const [path = ''] = link.split('#')
      if (path !== '' && !path.endsWith('/')) reached.add(posix.join(dirname(page), path))
    }
  }
  return reached
}

/** Targets of Markdown links outside code, without those that leave the project. */
export function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target))
}

export function anchorsOf(document: string): ReadonlySet<string> {
  const headings = readFileSync(`${root}${document}`, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm)
  return new Set([...headings].map(([, title = '']) => anchorOf(title)))
}

/** As the usual renderers make them: lower case, punctuation gone, spaces to hyphens. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

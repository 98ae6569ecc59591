/** A Markdown page as HTML with anchors, examples in every language, and links between the pages of the site. */
import { dirname, posix } from 'node:path'
import markdownIt, { type MarkdownIt } from 'markdown-it'
import { anchorOf } from '../tidy/links.ts'
import { codeBlock, escapeHtml, markFills, sampleExample } from './code-example.ts'
import { type SitePage, sitePages } from './page-table.ts'

interface Section {
  /** Empty for the beginning of the page. */
  readonly anchor: string
  readonly heading: string
  readonly text: string
}

export interface RenderedPage {
  readonly slug: string
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

/** Where a page of the site is; `root` and `suffix` are replaced when it is served or written. */
export const addressOf = (slug: string): string => (slug === '' ? '%HOME%' : `%ROOT%${slug}%SUFFIX%`)

export function renderPage(page: SitePage, markdown: string): RenderedPage {
  const examples: string[] = []
  const text = markdown.replace(
    /<!-- generated:sample-([a-z0-9-]+) -->[\s\S]*?<!-- \/generated:sample-\1 -->/g,
    (_, id: string) => {
      examples.push(sampleExample(id))
      return `\n\n%EXAMPLE-${examples.length - 1}%\n\n`
    },
  )
  const renderer = rendererFor(page)
  const html = renderer
    .render(text.replace(/<!--[\s\S]*?-->/g, ''))
    // A heading without a text tells a screen reader nothing.
    .replace(/<thead>\s*<tr>\s*(?:<th><\/th>\s*)+<\/tr>\s*<\/thead>/g, '')
    .replaceAll('<th></th>', '<td></td>')
    .replace(/<p>%EXAMPLE-(\d+)%<\/p>/g, (_, index: string) => examples[Number(index)] ?? '')
  return { slug: page.slug, title: titleIn(markdown) ?? page.title, html, sections: sectionsOf(text) }
}

const titleIn = (markdown: string): string | undefined => /^# (.+)$/m.exec(markdown)?.[1]

function rendererFor(page: SitePage): MarkdownIt {
  const renderer = markdownIt({ html: false, linkify: false })
  const { rules } = renderer.renderer
  rules['fence'] = (tokens, index) =>
    codeBlock(tokens[index]?.content ?? '', `Example, ${tokens[index]?.info || 'text'}`)
  rules['code_inline'] = (tokens, index) => `<code>${markFills(escapeHtml(tokens[index]?.content ?? ''))}</code>`
  rules['table_open'] = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
  rules['table_close'] = () => '</table></div>'
  renderer.core.ruler.push('site', (state) => {
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'heading_open') token.attrSet('id', anchorOf(state.tokens[index + 1]?.content ?? ''))
      for (const inner of token.children ?? []) {
        const target = inner.type === 'link_open' ? inner.attrGet('href') : null
        if (target !== null) inner.attrSet('href', siteLink(page, String(target)))
      }
    }
  })
  return renderer
}

/** A link to a document that is not part of the site is marked, and `withoutOutside` leaves only its text. */
function siteLink({ source }: SitePage, target: string): string {
  if (/^[a-z]+:/i.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (path === '') return hash
  const file = posix.join(dirname(source), path)
  const page = sitePages.find((one) => one.source === file)
  return page ? `${addressOf(page.slug)}${hash}` : outside
}

const outside = '#outside'

export const withoutOutside = (html: string): string => html.replace(/<a href="#outside">([\s\S]*?)<\/a>/g, '$1')

/** The text under each heading, for the search. */
function sectionsOf(markdown: string): readonly Section[] {
  const prose = markdown.replace(/<!--[\s\S]*?-->/g, '').replace(/%EXAMPLE-\d+%/g, '')
  const parts = prose.split(/^#{1,4} (.+)$/m)
  return parts.flatMap((part, index): readonly Section[] => {
    if (index % 2 === 0) return []
    const text = plain(parts[index + 1] ?? '')
    return [{ anchor: index === 1 ? '' : anchorOf(part), heading: plain(part), text }]
  })
}

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^```\w*$/gm, '')
    .replace(/[`*|]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

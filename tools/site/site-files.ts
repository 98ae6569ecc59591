/** The content of the built site: pages with their contents, and the search index. */
import { readFileSync } from 'node:fs'
import { root } from '../tidy/source-files.ts'
import { escapeHtml } from './code-example.ts'
import { type SitePage, siteGroups, sitePages } from './page-table.ts'
import { addressOf, type RenderedPage, renderPage, withoutOutside } from './render-page.ts'

export function siteFiles(): Readonly<Record<string, string>> {
  const rendered = sitePages.map((page) => renderPage(page, readFileSync(`${root}${page.source}`, 'utf8')))
  const pages = Object.fromEntries(
    rendered.map((page) => [page.slug, { title: page.title, body: withoutOutside(bodyOf(page)) }]),
  )
  return { 'pages.json': JSON.stringify(pages), 'search.json': JSON.stringify(searchIndex(rendered)) }
}

/** Header, text and contents; the server or the static build adds the head. */
function bodyOf({ slug, html }: RenderedPage): string {
  return `<a class="skip" href="#main">Skip to the text</a>
<header class="top"><a class="brand" href="%HOME%">Gatehouse <span>docs</span></a>
<form class="search" role="search"><label for="search">Search</label><input id="search" type="search" autocomplete="off" placeholder="Search" aria-describedby="search-state"><p id="search-state" role="status"></p><ul id="results" hidden></ul></form>
<a class="to-contents" href="#contents">Contents</a><p class="reader" id="reader" hidden></p></header>
<div class="layout"><main id="main">${html}${followingPage(slug)}</main><nav id="contents" aria-label="Documentation">${contents(slug)}</nav></div>`
}

const contents = (current: string): string =>
  siteGroups
    .map(
      ({ title, pages }) =>
        `<h2>${title}</h2><ul>${pages.map((page) => `<li>${contentsLink(page, page.slug === current)}</li>`).join('')}</ul>`,
    )
    .join('')

const contentsLink = ({ slug, title }: SitePage, isCurrent: boolean): string =>
  `<a href="${addressOf(slug)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`

function followingPage(slug: string): string {
  const next = sitePages[sitePages.findIndex((page) => page.slug === slug) + 1]
  return next ? `<p class="next"><a href="${addressOf(next.slug)}">Next: ${escapeHtml(next.title)}</a></p>` : ''
}

/** An entry per section: page, anchor, title of the page, heading, text. */
const searchIndex = (pages: readonly RenderedPage[]): readonly (readonly string[])[] =>
  pages.flatMap(({ slug, title, sections }) =>
    sections.map(({ anchor, heading, text }) => [slug, anchor, title, heading, text]),
  )

/** The built documentation, read on the first request: most processes never serve it. */
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import type { WebFile, WebFiles } from '../assets/web-files.ts'
import { type BuiltPage, documentOf } from './document.ts'

export interface BuiltSite {
  /** Null for an unknown page. */
  readPage(slug: string): Promise<SitePage | null>
  search(): Promise<SitePage>
  /** A page of the service itself in the style of the documentation. */
  document(page: BuiltPage): string
}

export interface SitePage {
  readonly content: Buffer
  readonly gzipped: Buffer
}

const folder = new URL('../../../../web/.built-docs/', import.meta.url)
const pagesShape = z.record(z.string(), z.object({ title: z.string(), body: z.string() }))
const compress = promisify(gzip)

/** Null if it was not built. */
export function builtSite(files: WebFiles): BuiltSite | null {
  const [style, script] = [files.find('docs.css'), files.find('docs.js')]
  return style && script ? siteWith(style, script) : null
}

function siteWith(style: WebFile, script: WebFile): BuiltSite {
  let pages: z.output<typeof pagesShape> | null = null
  const ready = new Map<string, Promise<SitePage>>()
  const addresses = {
    root: '/docs/',
    suffix: '',
    home: '/docs',
    search: '/docs/search.json',
    reader: '/docs/reader.json',
    style,
    script,
  }
  const preparePage = (name: string, write: () => string): Promise<SitePage> => {
    const known = ready.get(name) ?? compressPage(write())
    ready.set(name, known)
    return known
  }
  return {
    readPage: async (slug) => {
      pages ??= pagesShape.parse(JSON.parse(readBuilt('pages.json')))
      const page = Object.hasOwn(pages, slug) ? pages[slug] : undefined
      return page ? preparePage(`page ${slug}`, () => documentOf(page, addresses)) : null
    },
    search: () => preparePage('search', () => readBuilt('search.json')),
    document: (page) => documentOf(page, addresses),
  }
}

const readBuilt = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

async function compressPage(text: string): Promise<SitePage> {
  const content = Buffer.from(text)
  return { content, gzipped: await compress(content) }
}

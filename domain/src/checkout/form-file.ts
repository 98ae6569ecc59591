/** The kinds of files that a merchant's form may have. Chapter 30 §9.4. */
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
}

/** Null for a kind of file that is not served. */
export const formFileType = (path: string): string | null =>
  types[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null

/** The head and the addresses of a page of the documentation, for an instance and for the static files alike. */

interface PageAddresses {
  /** Before the name of a page, and after it. */
  readonly root: string
  readonly suffix: string
  readonly home: string
  readonly search: string
  /** Where the page finds the reader's own values; null in static files. */
  readonly reader: string | null
  readonly style: PageFile
  readonly script: PageFile
}

interface PageFile {
  readonly path: string
  readonly integrity: string
}

export interface BuiltPage {
  readonly title: string
  readonly body: string
}

export function documentOf({ title, body }: BuiltPage, addresses: PageAddresses): string {
  const { root, suffix, home, search, reader, style, script } = addresses
  const data = { root, suffix, home, search, ...(reader === null ? {} : { reader }) }
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  return `<!doctype html>
<html lang="en"${attributes.join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Gatehouse</title>
<link rel="stylesheet" href="${escapeHtml(style.path)}" integrity="${style.integrity}">
<script type="module" src="${escapeHtml(script.path)}" integrity="${script.integrity}"></script>
</head>
<body>
${body.replaceAll('%HOME%', home).replaceAll('%ROOT%', root).replaceAll('%SUFFIX%', suffix)}
</body>
</html>
`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

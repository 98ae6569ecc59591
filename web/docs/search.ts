/** The search of the documentation: every word must occur, and a heading counts more than the text. */

/** Page, anchor, title of the page, heading, text. */
export type SearchEntry = readonly [slug: string, anchor: string, title: string, heading: string, text: string]

export interface SearchResult {
  readonly slug: string
  readonly anchor: string
  readonly title: string
  readonly heading: string
  readonly excerpt: string
}

const atMost = 12
const excerptLength = 120
const charactersBefore = 30

export function search(entries: readonly SearchEntry[], query: string): readonly SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, words)
      return score === 0 ? [] : [{ entry, score }]
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, atMost)
    .map(({ entry: [slug, anchor, title, heading, text] }) => ({
      slug,
      anchor,
      title,
      heading,
      excerpt: excerptOf(text, words),
    }))
}

/** 0 if a word is missing. Guides have no prefix and come before the reference. */
function scoreOf([slug, anchor, title, heading, text]: SearchEntry, words: readonly string[]): number {
  const [titleText, headingText, body] = [title.toLowerCase(), heading.toLowerCase(), text.toLowerCase()]
  let score = slug.startsWith('reference-') ? 0 : slug === 'changelog' ? -4 : 2
  for (const word of words) {
    const found =
      (headingText === word ? 20 : headingText.includes(word) ? 10 : 0) +
      (titleText.includes(word) ? (anchor === '' ? 8 : 3) : 0) +
      (body.includes(word) ? 2 : 0)
    if (found === 0) return 0
    score += found
  }
  return Math.max(score, 1)
}

/** Whole words around the first place, or the beginning of a section of which only the heading has the words. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const from = places.length === 0 ? 0 : wordBefore(text, Math.min(...places))
  const rest = text.slice(from)
  const piece = rest.length <= excerptLength ? rest : rest.slice(0, excerptLength).replace(/ \S*$/, '')
  return `${from > 0 ? '…' : ''}${piece}${piece.length < rest.length ? '…' : ''}`
}

function wordBefore(text: string, place: number): number {
  if (place <= charactersBefore) return 0
  const space = text.indexOf(' ', place - charactersBefore)
  return space < place ? space + 1 : place
}

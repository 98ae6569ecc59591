/** The text of a file that pdfkit has written, as a reader copies it, line by line. A letter that its font lacks is `\ufffd`, although it is copied. */
import { inflateSync } from 'node:zlib'

export function pdfText(file: Buffer): readonly string[] {
  const text = file.toString('latin1')
  const fonts = new Map(
    [...text.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', object = '']) => [name, alphabetOf(text, object)]),
  )
  const lines: string[] = []
  for (const page of streams(text).filter((stream) => stream.includes('\nBT\n'))) {
    let alphabet = new Map<string, string>()
    for (const [, font, glyphs] of page.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*)\] TJ/g)) {
      if (font !== undefined) alphabet = fonts.get(font) ?? new Map()
      else lines.push(lineOf(glyphs ?? '', alphabet))
    }
  }
  return lines
}

const noGlyph = '0000'

const lineOf = (glyphs: string, alphabet: ReadonlyMap<string, string>): string =>
  [...glyphs.matchAll(/<([0-9a-f]*)>/g)]
    .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
    .map((glyph) => (glyph === noGlyph ? '\ufffd' : (alphabet.get(glyph) ?? '\ufffd')))
    .join('')

/** From the numbers of glyphs to letters, as the font of a file has them for those who copy its text. */
function alphabetOf(text: string, font: string): Map<string, string> {
  const [, map] = new RegExp(`\\n${font} 0 obj\\n<<[^>]*/ToUnicode (\\d+) 0 R`).exec(text) ?? []
  const at = text.indexOf(`\n${map} 0 obj\n`)
  const [stream = ''] = streams(text.slice(at))
  const alphabet = new Map<string, string>()
  for (const [, first = '', list = ''] of stream.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*)\]/g))
    for (const [index, [, codes = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const units = codes.replaceAll(' ', '').match(/.{4}/g) ?? []
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
      alphabet.set(glyph, units.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join(''))
    }
  return alphabet
}

const streams = (text: string): readonly string[] =>
  [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, content = '']) =>
    inflateSync(Buffer.from(content, 'latin1')).toString('latin1'),
  )

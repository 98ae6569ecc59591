/** The letters of what is printed: Latin, Greek and Cyrillic, in a font that every file contains. See decisions/statements#font. */
import { fileURLToPath } from 'node:url'

/** Paths, so that the files are read only when something is printed. */
export const pdfFonts = {
  regular: () => fontFile('400Regular/OpenSans_400Regular.ttf'),
  bold: () => fontFile('700Bold/OpenSans_700Bold.ttf'),
} as const

const fontFile = (name: string): string => fileURLToPath(import.meta.resolve(`@expo-google-fonts/open-sans/${name}`))

/** Letters of other scripts become question marks: the fonts lack most of them, and pdfkit does not write from right to left. */
export const printable = (text: string): string => text.normalize('NFC').replaceAll(unprintable, '?')

/** What both fonts have of the three scripts, with the punctuation of their languages. */
const unprintable = new RegExp(
  `[^${[
    '\\u0020-\\u007e\\u00a0-\\u017f\\u0192\\u01a0\\u01a1\\u01af\\u01b0\\u01fa-\\u01ff\\u0218-\\u021b',
    '\\u1e80-\\u1e85\\u1e9e\\u1ea0-\\u1ef9',
    '\\u0384-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce',
    '\\u0400-\\u0486\\u0488-\\u0513',
    '\\u2013-\\u2015\\u2017-\\u201e\\u2020-\\u2022\\u2026\\u2030\\u2032\\u2033\\u2039\\u203a\\u20ac\\u2116\\u2122',
  ].join('')}]`,
  'gu',
)

/** A title that cannot be read is followed by what identifies its owner anyway. */
export function printableTitle(title: string, id: string): string {
  const printed = printable(title)
  return printed === title.normalize('NFC') ? printed : `${printed} (${id})`
}

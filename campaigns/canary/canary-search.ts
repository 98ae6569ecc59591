/** Searches everything that a program leaves behind for canaries. */
import { type Canary, formsOf } from './canary.ts'

export interface Sink {
  readonly name: string
  readonly bytes: Buffer
}

interface Search {
  /** Each canary's number or code in the sink, with the sink's name. */
  hits(sink: Sink): readonly string[]
  /** The same in separate texts, such as those of a heap. */
  among(texts: readonly string[]): { readonly numbers: readonly string[]; readonly codes: readonly string[] }
}

export function searchFor(canaries: readonly Canary[]): Search {
  const numbers = beginningsOf(canaries)
  const codes = new Set(canaries.map(({ code }) => code))
  return {
    hits: ({ name, bytes }) => [
      ...numbersIn(bytes, numbers).map((pan) => `${pan} in ${name}`),
      ...codesIn(bytes.toString('latin1'), codes).map((code) => `code ${code} in ${name}`),
    ],
    among: (texts) => ({
      numbers: numbersIn(Buffer.from(texts.join('\n')), numbers),
      codes: [...codes].filter((code) => texts.includes(code)).concat(texts.flatMap((text) => codesIn(text, codes))),
    }),
  }
}

interface Needle {
  readonly form: Buffer
  readonly pan: string
}

const beginningLength = 6

function beginningsOf(canaries: readonly Canary[]): ReadonlyMap<string, readonly Needle[]> {
  const needles = canaries.flatMap(({ pan }) => formsOf(pan).map((form) => ({ form, pan })))
  return Map.groupBy(needles, ({ form }) => form.toString('latin1', 0, beginningLength))
}

function numbersIn(bytes: Buffer, beginnings: ReadonlyMap<string, readonly Needle[]>): readonly string[] {
  const found = new Set<string>()
  for (const [beginning, needles] of beginnings) {
    for (let at = bytes.indexOf(beginning, 0, 'latin1'); at !== -1; at = bytes.indexOf(beginning, at + 1, 'latin1')) {
      for (const { form, pan } of needles) {
        if (bytes.subarray(at, at + form.length).equals(form)) found.add(pan)
      }
    }
  }
  return [...found]
}

// Four digits occur everywhere by chance; a code counts if it is in quotation marks, or is the value of a name in a form or an object.
const codePattern = /(["'=:\t]|=%22)([0-9]{4})(?=["'&\r\n\t}]|%22|$)/g

function codesIn(text: string, codes: ReadonlySet<string>): readonly string[] {
  return [...text.matchAll(codePattern)].flatMap(([, before, code = '']) =>
    // A number after a colon is a JSON number, such as a duration; codes are sent as texts.
    before !== ':' && codes.has(code) ? [code] : [],
  )
}

/** The functions of a source text with their parameters, as far as the tidy test needs them. Not a parser: it reads formatted code. */
interface FunctionHead {
  readonly name: string
  /** As written, with their types and defaults. */
  readonly parameters: readonly string[]
  /** Where the parameters begin. */
  readonly index: number
}

/** Declarations, methods, arrow functions and types of functions. `code` is without comments and quoted texts. */
export function functionsIn(code: string): readonly FunctionHead[] {
  return [...code.matchAll(/\((?!\))/g)].flatMap(({ index }) => {
    const end = closingOf(code, index)
    const name = nameOf(code.slice(Math.max(0, index - 200), index), code.slice(end + 1, end + 400))
    return name === null ? [] : [{ name, parameters: partsOf(code.slice(index + 1, end)), index }]
  })
}

const declaration = /\bfunction\*?(?:\s+(?<name>[\w$]+))?\s*(?:<[^()]*>)?$/
const assignment =
  /(?:\b(?<name>[\w$]+)\s*[:=]\s*(?:async\s*)?|[(,=>?:[&|]\s*(?:async\s*)?|\breturn\s+(?:async\s*)?)(?:<[^()]*>)?$/
const method =
  /(?:^|\n)\s*(?:(?:static|async|private|protected|public|override|get|set)\s+)*(?<name>#?[\w$]+)\s*(?:<[^()]*>)?$/
const isStatement = /^(?:if|for|while|switch|catch|return|await|with|function)$/
const arrowFollows = /^\s*(?::[^;{]*?)?\s*=>|^[ ]*:[^;\n]*?=>[ ]*[^;\n]/
const bodyFollows = /^\s*(?::[^;\n]*?)?\s*\{/

/** The name of the function whose parameters stand between the two texts; null if they are no parameters. */
function nameOf(before: string, after: string): string | null {
  const declared = declaration.exec(before)
  if (declared) return declared.groups?.['name'] ?? 'function'
  const assigned = arrowFollows.test(after) ? assignment.exec(before) : null
  if (assigned) return assigned.groups?.['name'] ?? '=>'
  const name = bodyFollows.test(after) ? method.exec(before)?.groups?.['name'] : undefined
  return name === undefined || isStatement.test(name) ? null : name
}

/** Of the brace at `open`. */
export const closingBrace = (code: string, open: number): number => closingOf(code, open, '{}')

/** Of the parenthesis at `open`. */
export const parametersEnd = (code: string, open: number): number => closingOf(code, open)

function closingOf(code: string, open: number, pair = '()'): number {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === pair[0]) depth += 1
    if (code[at] === pair[1]) depth -= 1
    if (depth === 0) return at
  }
  return code.length
}

/** Of `a: Map<B, C>, d` two. The arrow of a type closes nothing. */
function partsOf(list: string): readonly string[] {
  if (!list.includes(',')) return [list.trim()]
  const ends: number[] = []
  let depth = 0
  for (let at = 0; at < list.length; at += 1) {
    const sign = list[at] ?? ''
    if ('([{<'.includes(sign)) depth += 1
    if (')]}'.includes(sign) || (sign === '>' && list[at - 1] !== '=')) depth -= 1
    if (sign === ',' && depth === 0) ends.push(at)
  }
  return [...ends, list.length].map((end, index) => list.slice((ends[index - 1] ?? -1) + 1, end).trim()).filter(Boolean)
}

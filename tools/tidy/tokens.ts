/**
 * Tells code, comments and literals of a source text apart, as far as the tidy test needs it: a word that is forbidden in code may
 * stand in a comment or in a quoted text.
 *
 * Not a parser. Whether a slash begins a regular expression is judged by what stands before it, which is right for all code that
 * the formatter has been over.
 */
export interface Token {
  readonly kind: 'code' | 'comment' | 'literal'
  readonly text: string
}

export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  // One entry per template literal that is open around the current code: how many braces are open inside its `${`.
  const templates: number[] = []
  let at = 0
  let before = ''
  while (at < source.length) {
    const token = literalAt(source, at, before) ?? { kind: 'code', text: codeAt(source, at) }
    tokens.push(token)
    at += token.text.length
    if (token.kind === 'comment') continue
    if (token.kind === 'code') at = closeTemplates(source, at, { templates, tokens })
    else if (token.text.endsWith('${')) templates.push(0)
    before = (before + tokens.at(-1)?.text).slice(-20)
  }
  return tokens
}

/**
 * The source with everything but the given kinds blanked out, so that lines and columns stay where they were. Of a literal
 * dots are left, because `f('x')` is not `f()`.
 */
export function keepKinds(tokens: readonly Token[], ...kinds: readonly Token['kind'][]): string {
  return tokens
    .map(({ kind, text }) => (kinds.includes(kind) ? text : text.replace(/[^\n]/g, kind === 'literal' ? '·' : ' ')))
    .join('')
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const quotedText = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y
// Up to the end of the literal or to the code inside it, whichever comes first.
const template = /`(?:\\[\s\S]|(?!\$\{)[^`\\])*(?:`|\$\{)/y
const restOfTemplate = /(?:\\[\s\S]|(?!\$\{)[^`\\])*(?:`|\$\{)/y
const expression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const word = /[\w$]+|\s+|[\s\S]/y

function literalAt(source: string, at: number, before: string): Token | null {
  const isComment = matchAt(comment, source, at)
  if (isComment !== null) return { kind: 'comment', text: isComment }
  const isLiteral =
    matchAt(quotedText, source, at) ??
    matchAt(template, source, at) ??
    (beginsExpression(before) ? matchAt(expression, source, at) : null)
  return isLiteral === null ? null : { kind: 'literal', text: isLiteral }
}

const beginsExpression = (before: string): boolean =>
  /(?:^|[-(,=:[!&|?{};+*%~^<>]|\b(?:return|typeof|case))\s*$/.test(before)

const codeAt = (source: string, at: number): string => matchAt(word, source, at) ?? ''

interface Scan {
  /** Open braces in each template literal that is not yet closed. */
  readonly templates: number[]
  readonly tokens: Token[]
}

/** A brace that closes a `${` goes on with the text of its template. */
function closeTemplates(source: string, at: number, { templates, tokens }: Scan): number {
  const code = tokens.at(-1)?.text
  const open = templates.at(-1)
  if (open === undefined) return at
  if (code === '{') templates[templates.length - 1] = open + 1
  if (code !== '}') return at
  if (open > 0) {
    templates[templates.length - 1] = open - 1
    return at
  }
  const rest = matchAt(restOfTemplate, source, at) ?? source.slice(at)
  tokens.push({ kind: 'literal', text: rest })
  if (!rest.endsWith('${')) templates.pop()
  return at + rest.length
}

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

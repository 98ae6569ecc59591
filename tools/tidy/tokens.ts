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
  while (at < source.length) {
    const token = literalAt(source, at, tokens) ?? { kind: 'code', text: codeAt(source, at) }
    tokens.push(token)
    at += token.text.length
    if (token.kind === 'code') at = closeTemplates(source, at, { templates, tokens })
    else if (token.kind === 'literal' && token.text.endsWith('${')) templates.push(0)
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
// Only these characters begin a literal or a comment, or open and close the code inside a template.
const code = /[^'"`/{}]+|[\s\S]/y

function literalAt(source: string, at: number, before: readonly Token[]): Token | null {
  switch (source[at]) {
    case "'":
    case '"':
      return tokenAt('literal', quotedText, source, at)
    case '`':
      return tokenAt('literal', template, source, at)
    case '/':
      return (
        tokenAt('comment', comment, source, at) ??
        (beginsExpression(before) ? tokenAt('literal', expression, source, at) : null)
      )
    default:
      return null
  }
}

function tokenAt(kind: Token['kind'], pattern: RegExp, source: string, at: number): Token | null {
  const text = matchAt(pattern, source, at)
  return text === null ? null : { kind, text }
}

function beginsExpression(before: readonly Token[]): boolean {
  let end = ''
  for (let index = before.length - 1; index >= 0 && end.length < 20; index -= 1) {
    const token = before[index]
    if (token !== undefined && token.kind !== 'comment') end = token.text + end
  }
  return /(?:^|[-(,=:[!&|?{};+*%~^<>]|\b(?:return|typeof|case))\s*$/.test(end.slice(-20))
}

const codeAt = (source: string, at: number): string => matchAt(code, source, at) ?? ''

interface Scan {
  /** Open braces in each template literal that is not yet closed. */
  readonly templates: number[]
  readonly tokens: Token[]
}

/** A brace that closes a `${` goes on with the text of its template. */
function closeTemplates(source: string, at: number, { templates, tokens }: Scan): number {
  const last = tokens.at(-1)?.text
  const open = templates.at(-1)
  if (open === undefined) return at
  if (last === '{') templates[templates.length - 1] = open + 1
  if (last !== '}') return at
  if (open > 0) {
    templates[templates.length - 1] = open - 1
    return at
  }
  const rest = matchAt(restOfTemplate, source, at) ?? source.slice(at)
  // The brace belongs to the literal, like the `${` that it closes: the braces that remain as code are balanced.
  tokens.splice(-1, 1, { kind: 'literal', text: `}${rest}` })
  if (!rest.endsWith('${')) templates.pop()
  return at + rest.length
}

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

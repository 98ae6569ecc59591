/**
 * Lines of a merchant's form that a reviewer should look at. Findings do not prevent approval: the form's content security policy forbids
 * most of them anyway, and a script that wants to hide something will find a spelling that no list has.
 */
import { linesOf } from '#domain/line-diff.ts'
import { hasInvisible } from '#domain/visible-text.ts'

export interface FormFinding {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

// biome-ignore format: a table is read in columns.
const patterns: readonly (readonly [RegExp, string])[] = [
  // in a line                                                          what the reviewer sees
  [/\/admin\b/i,                                                        'refers to the panel'],
  [/(?:https?:|wss?:|["'`(]\s*)\/\/(?!www\.w3\.org\/)[a-z0-9[]/i,       'names another address'],
  [/\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(/,                    'runs text as code'],
  [/\bset(?:Timeout|Interval)\s*\(\s*["'`]/,                            'runs text as code'],
  [/\bfetch\s*\(|\bXMLHttpRequest\b|\bsendBeacon\b|\bEventSource\b/,    'sends a request'],
  [/\bWebSocket\b|\bRTCPeerConnection\b|\bWebTransport\b/,              'opens a connection'],
  [/\bdocument\s*\.\s*cookie\b|\bcookieStore\b/,                        'reads or writes cookies'],
  [/\b(?:localStorage|sessionStorage|indexedDB|caches)\b/,              'stores data in the browser'],
  [/\bserviceWorker\b|\bnew\s+(?:Shared)?Worker\b|\bimportScripts\b/,   'starts a worker'],
  [/\bpostMessage\b|\bopener\b|\bwindow\s*\.\s*(?:top|parent)\b/,       'communicates with other windows'],
  [/\bwindow\s*\.\s*open\b/,                                            'opens a window'],
  [/\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\s*\.\s*write)\b/, 'writes text as HTML'],
  [/\bimport\s*\(/,                                                     'loads code dynamically'],
  [/\bcreateElement\s*\(\s*["'`](?:script|iframe|form|link)\b/i,        'makes a script, frame, form or link'],
  [/\batob\s*\(|\bfromCharCode\b|\bunescape\s*\(|(?:\\x[0-9a-f]{2}){4}|(?:\\u[0-9a-f]{4}){4}/i, 'contains encoded text'],
  [/\[\s*["'`](?:constructor|cookie|eval|fetch|location|open)["'`]\s*\]/, 'hides a name'],
  [/\bpayer_(?:card|cvv|expiryDate)\b.*\bvalue\b|\bvalue\b.*\bpayer_(?:card|cvv|expiryDate)\b/, 'reads card data'],
  [/@import\b|url\(\s*["']?(?:https?:)?\/\//i,                          'loads a style or picture from elsewhere'],
]

const longLine = 1_000

export function findingsIn(path: string, text: string): readonly FormFinding[] {
  return linesOf(text).flatMap((content, at) => {
    const problems = new Set(patterns.filter(([pattern]) => pattern.test(content)).map(([, what]) => what))
    if (hasInvisible(content)) problems.add('contains invisible characters')
    if (content.length > longLine) problems.add('is too long to review')
    return problems.size === 0 ? [] : [{ path, line: at + 1, text: [...problems].join('; ') }]
  })
}

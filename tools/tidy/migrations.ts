/**
 * Migrations that the program which serves meanwhile may not bear. Such a file says which programs do, by a line of its own:
 * `-- oldest program: 0021`, that is to say those that know migration 0021 or a later one.
 */

/** Migrations up to this one were applied before programs could serve a schema newer than their own. */
const lastWithoutWindow = 20

const breakingPatterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops a column', /\bdrop\s+column\b/i],
  ['drops a table', /\bdrop\s+table\b/i],
  ['renames', /\brename\b/i],
  ['changes a type', /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i],
  ['forbids null', /\bset\s+not\s+null\b/i],
  ['drops a default', /\bdrop\s+default\b/i],
  [
    'adds a column that is neither null nor has a default',
    /\badd\s+(?:column\s+)?[^,]*\bnot\s+null\b(?![^,]*\bdefault\b)/i,
  ],
  ['adds a constraint', /\badd\s+(?:constraint|check|unique|foreign|exclude)\b/i],
  ['forbids duplicates', /\bcreate\s+unique\s+index\b/i],
]

const declaration = /^-- oldest program: \d{4}$/m

/** As `path: sentence`. */
export function undeclaredBreaks(path: string, text: string): readonly string[] {
  const number = Number(/(\d{4})_[^/]*$/.exec(path)?.[1] ?? 0)
  if (number <= lastWithoutWindow || declaration.test(text)) return []
  const statements = text.replaceAll(/--.*$/gm, '').split(';')
  const own = new Set(
    statements.flatMap((statement) => /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(statement)?.[1] ?? []),
  )
  return statements
    .filter((statement) => !/\bcreate\s+table\b/i.test(statement) && !own.has(tableOf(statement) ?? ''))
    .flatMap((statement) => breakingPatterns.filter(([, pattern]) => pattern.test(statement)))
    .map(
      ([what]) =>
        `${path} ${what}: say which programs bear it, by a line "-- oldest program: NNNN". See docs/engineering/recipes.md.`,
    )
}

/** What a migration made itself no program knows yet. */
const tableOf = (statement: string): string | undefined =>
  /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)/i.exec(statement)?.[1] ??
  /\bcreate\s+unique\s+index\b.*?\bon\s+(\w+)/is.exec(statement)?.[1]

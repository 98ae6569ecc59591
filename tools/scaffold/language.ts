/** `npm run new:language CODE TAG NAME NATIVE-NAME`: a language of payers' pages with the English texts, to be translated. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../command-line.ts'
import { type Plan, scaffold } from './scaffold.ts'

const folder = 'domain/src/place/languages'

function languagePlan(names: readonly string[], root: string): Plan | string {
  const [code, tag, name, nativeName] = names
  if (code === undefined || tag === undefined || name === undefined || nativeName === undefined || names.length > 4) {
    throw new UsageError('Give a code, a tag, a name and a native name.')
  }
  if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(code)) return `"${code}" is not a code. Use two letters, for example uk or pt-BR.`
  if (!isTag(tag)) return `"${tag}" is not a language tag (BCP 47), for example uk or zh-Hant.`
  const { language, ...texts } = JSON.parse(readFileSync(join(root, folder, 'en.json'), 'utf8'))
  const row = { ...language, position: lastPosition(root) + 1, name, nativeName, tag, direction: directionOf(tag) }
  const path = `${folder}/${code}.json`
  return {
    files: { [path]: `${JSON.stringify({ language: row, ...withPlurals(texts, tag) }, null, 2)}\n` },
    lists: {},
    next: [
      `${path}: translate every text; placeholders such as {amount} stay`,
      'npm run docs && npm run check',
      'npm test -- place/language checkout/languages hosted-page/texts payer-pages/texts fields/texts built-in-titles',
      `npm start, then open a payment link and choose ${nativeName}`,
    ],
  }
}

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag && Intl.PluralRules.supportedLocalesOf(tag).length === 1
  } catch {
    return false
  }
}

const lastPosition = (root: string): number =>
  Math.max(
    ...globSync(`${folder}/*.json`, { cwd: root }).map((path) =>
      Number(JSON.parse(readFileSync(join(root, path), 'utf8')).language.position),
    ),
  )

const rightToLeft = ['Arab', 'Hebr', 'Syrc', 'Thaa']
const directionOf = (tag: string): string =>
  rightToLeft.includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'

const pluralSchema = z.looseObject({ other: z.string() })

/** A text that depends on a number has a form for each plural of the language. */
function withPlurals(texts: Readonly<Record<string, unknown>>, tag: string): Readonly<Record<string, unknown>> {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      if (typeof text !== 'object' || text === null) return [key, text]
      const { data: plural } = pluralSchema.safeParse(text)
      if (plural === undefined) return [key, withPlurals({ ...text }, tag)]
      return [key, Object.fromEntries(pluralCategories.map((form) => [form, plural[form] ?? plural.other]))]
    }),
  )
}

const usage = `Usage: npm run new:language CODE TAG NAME NATIVE-NAME, for example: npm run new:language uk uk Ukrainian Українська

Creates a language of payers' pages with the English texts, to be translated.`

await scaffold(usage, languagePlan)

/** A rule as a sentence. */
import { type DraftRule, type Part, wordAt } from './draft-rule.ts'
import { actionKinds, conditionKinds, type Kind, kindOf } from './kinds.ts'

export function ruleSentence({ conditions, action, maximumAttempts, final }: DraftRule): string {
  const [clauses, does] = [conditions.map((part) => sentenceOf(conditionKinds, part)), sentenceOf(actionKinds, action)]
  const attempts = wordAt({ maximumAttempts }, 'maximumAttempts')
  return [
    endSentence(clauses.length === 0 ? `For every payment: ${does}` : `If ${clauses.join(', and ')}, then ${does}`),
    attempts === '1' && 'Try only one MID.',
    attempts !== '' && attempts !== '1' && `Try at most ${attempts} MIDs.`,
    final && 'Stop after this rule.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** An incomplete sentence gets no full stop. */
const endSentence = (text: string): string => (text.endsWith('…') ? text : `${text}.`)

const sentenceOf = (table: Readonly<Record<string, Kind>>, part: Part): string =>
  kindOf(table, part)?.says(part) ?? JSON.stringify(part)

/** The protocol of a trial as text: what an operator sends to the acquirer. */
import type { TrialStep } from './trial-terms.ts'

interface TrialHead {
  readonly mid: string
  readonly connector: string
  readonly mode: 'live' | 'test'
  readonly addresses: readonly string[]
  readonly at: Date
  readonly release: string
}

export function toMarkdown(
  { mid, connector, mode, addresses, at, release }: TrialHead,
  steps: readonly TrialStep[],
): string {
  const head = [
    `# Trial of ${connector}, MID ${mid}`,
    '',
    `Gatehouse ${release}, ${at.toISOString()}, mode ${mode}, ${addresses.join(', ')}`,
    '',
    '| Step | Sent | Reference | Outcome | Expected | Result |',
    '|---|---|---|---|---|---|',
  ]
  const rows = steps.map(
    ({ step, sent, reference, outcome, expected, result }) =>
      `| ${[step, sent, reference ?? '', outcome, expected, result].map(cellOf).join(' | ')} |`,
  )
  return [...head, ...rows, '', summaryOf(steps)].join('\n')
}

/** The acquirer chooses these texts. */
const cellOf = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')

export function summaryOf(steps: readonly TrialStep[]): string {
  const count = (wanted: TrialStep['result']): number => steps.filter(({ result }) => result === wanted).length
  return `${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped.`
}

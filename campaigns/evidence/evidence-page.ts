/** The page of evidence: requirement → campaign → sample → figures → result → whether its planted fault was found. */
import { type Findings, isAsItMust, passes, type Sizes } from '../campaign.ts'
import type { Proof } from '../judge.ts'
import type { Requirement } from '../requirements.ts'

export interface Evidence {
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly state: 'complete' | 'running' | 'interrupted'
  readonly chosen: readonly string[]
  readonly done: readonly CampaignRun[]
}

/** A campaign that was run, or the run of the mutants. */
export interface CampaignRun {
  readonly name: string
  readonly seed: number | null
  readonly sizes: Sizes
  readonly findings: Findings
  readonly proof: Proof | null
  readonly seconds: number
}

export const hasSucceeded = ({ findings, proof }: CampaignRun): boolean =>
  passes(findings) && (proof === null || proof.verdict === 'found')

export function evidencePage(evidence: Evidence, requirements: readonly Requirement[]): string {
  const { facts, state, chosen, done } = evidence
  const failed = done.filter((one) => !hasSucceeded(one)).map(({ name }) => name)
  const waiting = chosen.filter((name) => !done.some((one) => one.name === name))
  return [
    '# Evidence',
    '',
    ...facts.map(([name, value]) => `- ${name}: ${value}`),
    `- ${summaryOf(state, done.length, chosen.length)}`,
    `- ${failed.length === 0 ? 'Failed: none' : `**Failed: ${failed.join(', ')}**`}`,
    ...(waiting.length === 0 ? [] : [`- Not run: ${waiting.join(', ')}`]),
    '',
    '| # | Requirement | Campaign | Sample | Seed | Figures | Result | Planted fault found | Seconds |',
    '|---|---|---|---|---|---|---|---|---|',
    ...requirements.flatMap((requirement, index) => rowsOf(requirement, index + 1, evidence)),
    '',
    ...done.flatMap(faultsOf),
  ].join('\n')
}

function summaryOf(state: Evidence['state'], done: number, of: number): string {
  if (state === 'complete') return `Complete: ${done} of ${of} run`
  return state === 'running' ? `Still running: ${done} of ${of} run so far` : `**Interrupted** after ${done} of ${of}`
}

function rowsOf({ must, shownBy }: Requirement, number: number, { chosen, done }: Evidence): readonly string[] {
  return shownBy.map((name) => {
    const one = done.find((candidate) => candidate.name === name)
    const start = `| ${number} | ${must} | \`${name}\` |`
    if (!one) return `${start} | | | ${chosen.includes(name) ? 'not run yet' : 'not part of this run'} | | |`
    const sample = Object.entries(one.sizes).map(([size, value]) => `${size} ${value}`)
    const figures = one.findings.figures.map((figure) => {
      const text = cell(`${figure.name} ${figure.value}`)
      return isAsItMust(figure) ? text : `**${text}, must be ${figure.must}**`
    })
    const result = passes(one.findings) ? 'pass' : '**FAIL**'
    const cells = [sample.join(', '), one.seed ?? '', figures.join('; '), result, proofCell(one.proof), one.seconds]
    return `${start} ${cells.join(' | ')} |`
  })
}

function proofCell(proof: Proof | null): string {
  if (proof === null) return ''
  if (proof.verdict === 'found') return `yes: ${cell(proof.reason)}`
  return proof.verdict === 'not proven' ? '**not proven**' : `**no**: ${cell(proof.reason)}`
}

const faultsShown = 20

function faultsOf({ name, findings }: CampaignRun): readonly string[] {
  if (findings.faults.length === 0 || passes(findings)) return []
  const shown = findings.faults.slice(0, faultsShown)
  const more = findings.faults.length - shown.length
  const lines = [...shown, ...(more > 0 ? [`and ${more} more`] : [])]
  return [`## Findings of ${name}`, '', ...lines.map((line) => `- ${line.replaceAll('\n', ' ')}`), '']
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/**
 * `npm run test:campaign [-- <name>… --seed=<n> --<size>=<n> --quick --prove]`: runs the campaigns and prints their figures, one per line.
 * Ends with status 1 if a figure does not have its required value; with `--prove`, if a planted fault was not found.
 */
import { runProgram } from '../tools/command-line.ts'
import { campaignUsage, type Request, readArguments } from './arguments.ts'
import { type Campaign, type Figure, isAsItMust, passes } from './campaign.ts'
import { judgeCampaign, proveCampaign } from './judge.ts'
import { campaigns } from './list.ts'
import { progressLine } from './progress-line.ts'

const faultsShown = 20

const write = (line: string): void => void process.stdout.write(`${line}\n`)

process.exitCode = await runProgram(campaignUsage(campaigns), (args) => main(readArguments(args, campaigns)))

async function main(request: Request): Promise<number> {
  let failed = 0
  for (const campaign of request.campaigns) {
    const line = (text: string): void => write(`${campaign.name.padEnd(17)}${text}`)
    line(`seed ${request.seed}`)
    const ok = request.prove ? await prove(campaign, request, line) : await run(campaign, request, line)
    if (!ok) failed += 1
  }
  return failed === 0 ? 0 : 1
}

type Line = (text: string) => void

async function run(campaign: Campaign, request: Request, line: Line): Promise<boolean> {
  const shown = new Set<Figure>()
  const show = (figures: readonly Figure[]): void => {
    for (const figure of figures) {
      const { name, value, must } = figure
      if (!shown.has(figure)) line(`${name.padEnd(37)} ${value}${isAsItMust(figure) ? '' : `   must be ${must}`}`)
      shown.add(figure)
    }
  }
  const findings = await judgeCampaign(campaign, {
    ...request,
    onPart: ({ figures }) => show(figures),
    onProgress: progressLine(line),
  })
  process.send?.(findings)
  show(findings.figures)
  for (const fault of findings.faults.slice(0, faultsShown)) line(`  ${fault}`)
  line(passes(findings) ? 'PASS' : 'FAIL')
  return passes(findings)
}

async function prove(campaign: Campaign, request: Request, line: Line): Promise<boolean> {
  line(`planted: ${campaign.plantedFault?.what ?? 'nothing'}`)
  const { verdict, reason } = await proveCampaign(campaign, request.seed)
  line(`  ${reason}`)
  line(verdict === 'found' ? 'FOUND' : verdict.toUpperCase())
  return verdict === 'found'
}

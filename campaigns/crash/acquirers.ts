/**
 * crash-load, lost-reply and races over the stand-ins of all real acquirers at once: each merchant pays over one of them. In the end our record
 * agrees with that of every acquirer. Chapter 60 §4.
 */
import { chosenStandIns } from '#server/demo/acquirer-stand-ins.ts'
import { lostReply } from '../callbacks/lost-reply.ts'
import {
  type Campaign,
  campaignOver,
  type Findings,
  joinFindings,
  type PlantedFault,
  type Sizes,
  sizeOf,
  type Terms,
} from '../campaign.ts'
import { races } from '../races/races.ts'
import { crashLoad } from './crash-load.ts'

const declinedWithoutAnswer = lostReply.overStandIns?.plantedFault

export const acquirers: Campaign = {
  name: 'acquirers',
  asserts: 'crashes under load, lost answers and races over every stand-in: our record = each acquirer’s.',
  sizes: { payments: 2000, kills: 40, lost: 420, races: 240 },
  quick: { payments: 36, kills: 0, lost: 36, races: 6 },
  longestMinutes: 120,
  run,
  ...(declinedWithoutAnswer && { plantedFault: inLostReply(declinedWithoutAnswer) }),
}

function inLostReply({ what, seenIn, patches = [] }: PlantedFault): PlantedFault {
  return { what, seenIn: `lost-reply: ${seenIn}`, patches, sizes: { payments: 6, races: 6 } }
}

async function run(terms: Terms): Promise<Findings> {
  const count = (name: string): number => sizeOf(terms, name)
  const third = Math.ceil(count('races') / 3)
  return joinFindings(
    await runPart(crashLoad, terms, { payments: count('payments'), kills: count('kills') }),
    await runPart(lostReply, terms, { payments: count('lost') }),
    await runPart(races, terms, { rounds: third, crowds: third, mixes: third }),
  )
}

/** Its figures carry its name, since all parts end with the same audit. */
async function runPart(campaign: Campaign, terms: Terms, sizes: Sizes): Promise<Findings> {
  const over = campaignOver(campaign, chosenStandIns('all'))
  if (!over) throw new Error(`${campaign.name} has no form over stand-ins.`)
  const { figures, faults } = await over.run({ ...terms, sizes: { ...over.sizes, ...sizes } })
  const parseNamed = (text: string): string => `${campaign.name}: ${text}`
  const findings = {
    figures: figures.map((one) => ({ ...one, name: parseNamed(one.name) })),
    faults: faults.map(parseNamed),
  }
  terms.report?.(findings)
  return findings
}

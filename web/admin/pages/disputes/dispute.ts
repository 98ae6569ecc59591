/** Disputes, as the API returns them, and the words for their stages and answers. */
import type { DisputeStage } from '#domain/dispute/dispute.ts'
import type { Answer } from '../../api/call.ts'
import type { Tone } from '../../kit/states.tsx'

export type Dispute = Answer<'GET /disputes'>['disputes'][number]
export type DisputeDetails = Answer<'GET /merchants/:merchantId/disputes/:disputeId'>

// biome-ignore format: a table is read in columns.
export const stageTexts: Readonly<Record<DisputeStage, readonly [words: string, tone: Tone]>> = {
  'inquiry':         ['Inquiry',         'warn'],
  'chargeback':      ['Chargeback',      'warn'],
  'pre-arbitration': ['Pre-arbitration', 'warn'],
  'won':             ['Won',             'good'],
  'lost':            ['Lost',            'bad'],
}

const answerTexts: Readonly<Record<NonNullable<Dispute['answer']>, string>> = {
  accepted: 'Accepted',
  contested: 'Contested',
}

export const answerText = (answer: Dispute['answer']): string =>
  answer === null ? 'Not answered' : answerTexts[answer]

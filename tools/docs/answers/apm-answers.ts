/** Answers and callbacks of S2S APM, field by field. */
import { callbackFields } from '#server/protocols/s2s-apm/callback.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import type { Regions } from '../regions.ts'
import { apmConditions } from './answer-conditions.ts'
import { regionsOfTellings, tellingsIn } from './answers.ts'
import { apmLookUpCases, apmOutcomeCases } from './apm-cases.ts'

export const apmTellings = await tellingsIn({
  protocol: 'S2S_APM',
  actions: apmActions,
  callbackFields,
  outcomes: apmOutcomeCases,
  lookUps: apmLookUpCases,
  conditions: apmConditions,
})

/** `apm-answer-sale` and `apm-callback-sale` for SALE. */
export const apmAnswerRegions: Regions = regionsOfTellings(apmTellings, 'apm-')

/** Answers and callbacks of S2S APM, field by field. */
import { apmCallbackFields } from '#server/protocols/s2s-apm/callback.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import type { Regions } from '../regions.ts'
import { apmConditions } from './answer-conditions.ts'
import { documentProtocol, regionsOf } from './answers.ts'
import { apmLookUpCases, apmOutcomeCases } from './apm-cases.ts'

export const apmColumns = await documentProtocol({
  protocol: 'S2S_APM',
  actions: apmActions,
  callbackFields: apmCallbackFields,
  outcomes: apmOutcomeCases,
  lookUps: apmLookUpCases,
  conditions: apmConditions,
})

/** `apm-answer-sale` and `apm-callback-sale` for SALE. */
export const apmAnswerRegions: Regions = regionsOf(apmColumns, 'apm-')

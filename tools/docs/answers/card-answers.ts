/** Answers and callbacks of S2S CARD, field by field. */
import { cardCallbackFields } from '#server/protocols/s2s-card/callback.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import type { Regions } from '../regions.ts'
import { lookUpCases, outcomeCases } from './answer-cases.ts'
import { conditions } from './answer-conditions.ts'
import { documentProtocol, regionsOf } from './answers.ts'

export const cardColumns = await documentProtocol({
  protocol: 'S2S_CARD',
  actions: cardActions,
  callbackFields: cardCallbackFields,
  outcomes: outcomeCases,
  lookUps: lookUpCases,
  conditions,
})

/** `answer-sale` and `callback-sale` for SALE; no region for what an action does not have. */
export const cardAnswerRegions: Regions = regionsOf(cardColumns)

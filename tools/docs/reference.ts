/** Every generated region by its name. A document shows one by having its markers. */
import { actionRegions } from './actions.ts'
import { actionErrorRegions } from './answers/action-errors.ts'
import { answerRegions } from './answers/answers.ts'
import { apmAnswerRegions } from './answers/apm-answers.ts'
import { apmErrorRegions } from './answers/apm-errors.ts'
import { errorsInUse, errorsToCome, violationTexts } from './answers/errors.ts'
import { brandParameterTable, brandTable } from './brands.ts'
import { checkoutRegions } from './checkout.ts'
import { decisionTable } from './decisions.ts'
import { healthProblemTable } from './health-problems.ts'
import { importRules } from './imports.ts'
import { liveCheckTable } from './live-checks.ts'
import { mappingOptionTable } from './mapping-options.ts'
import { permissionTable } from './permissions.ts'
import type { Regions } from './regions.ts'
import { reportFieldTable } from './report-fields.ts'
import { actionTable, conditionTable } from './routing.ts'
import { settingTable } from './settings.ts'
import { apmSignatures, cardSignatures, checkoutSignatures } from './signatures.ts'
import {
  commandsByStatus,
  firstCommands,
  followUpCommands,
  outcomes,
  refusals,
  results,
  statusTable,
} from './states.ts'

// biome-ignore format: a table is read in columns.
export const reference: Regions = {
  // region                written by
  'settings':             settingTable,
  'imports':              importRules,
  'errors':               errorsInUse,
  'errors-to-come':       errorsToCome,
  'violations':           violationTexts,
  'statuses':             statusTable,
  'commands-by-status':   commandsByStatus,
  'first-commands':       firstCommands,
  'follow-ups':           followUpCommands,
  'refusals':             refusals,
  'outcomes':             outcomes,
  'results':              results,
  'signatures-card':      cardSignatures,
  'signatures-apm':       apmSignatures,
  'signatures-checkout':  checkoutSignatures,
  'report-fields':        reportFieldTable,
  'mapping-options':      mappingOptionTable,
  'brands':               brandTable,
  'brand-parameters':     brandParameterTable,
  'routing-conditions':   conditionTable,
  'routing-actions':      actionTable,
  'permissions':          permissionTable,
  'health-problems':      healthProblemTable,
  'live-checks':          liveCheckTable,
  'decisions':            decisionTable,
  ...actionRegions,
  ...answerRegions,
  ...actionErrorRegions,
  ...apmAnswerRegions,
  ...apmErrorRegions,
  ...checkoutRegions,
}

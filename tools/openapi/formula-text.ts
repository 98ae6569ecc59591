/** Which formula signs an action or an endpoint, and the formula in words. */
import { writeFormula } from '#domain/signature/hash-explanation.ts'
import { apmFormulas, cardFormulas, checkoutFormulas, type Formula } from '#domain/signature/signature.ts'

export type CardFormulaName = keyof typeof cardFormulas
export type ApmFormulaName = keyof typeof apmFormulas
export type CheckoutFormulaName = keyof typeof checkoutFormulas

export type NamedFormula =
  | { readonly protocol: 'card'; readonly name: CardFormulaName }
  | { readonly protocol: 'apm'; readonly name: ApmFormulaName }
  | { readonly protocol: 'checkout'; readonly name: CheckoutFormulaName }

// biome-ignore format: a table is read in columns.
const cardActionFormulas: Readonly<Record<string, readonly CardFormulaName[]>> = {
  SALE:                      ['start', 'startWithToken', 'wallet'],
  DEBIT:                     ['start', 'startWithToken'],
  CARD2CARD:                 ['start'],
  RECURRING_SALE:            ['start'],
  RECURRING_DEBIT:           ['start'],
  RETRY:                     ['start', 'followUp'],
  CAPTURE:                   ['followUp'],
  CREDITVOID:                ['followUp'],
  VOID:                      ['followUp'],
  GET_TRANS_STATUS:          ['followUp', 'creditFollowUp'],
  GET_TRANS_DETAILS:         ['followUp', 'creditFollowUp'],
  GET_TRANS_STATUS_BY_ORDER: ['byOrder'],
  CREDIT2CARD:               ['credit', 'creditWithToken'],
  CREATE_SCHEDULE:           ['createSchedule'],
  UPDATE_SCHEDULE:           ['schedule'],
  PAUSE_SCHEDULE:            ['schedule'],
  RUN_SCHEDULE:              ['schedule'],
  DELETE_SCHEDULE:           ['schedule'],
  SCHEDULE_INFO:             ['schedule'],
  DESCHEDULE:                ['schedule'],
}

// biome-ignore format: a table is read in columns.
const apmActionFormulas: Readonly<Record<string, readonly ApmFormulaName[]>> = {
  SALE:                      ['start'],
  DEBIT2VIRTUAL:             ['start'],
  DEBIT2VIRTUAL_CALC:        ['start'],
  DEBIT2VIRTUAL_COMPLETE:    ['followUp'],
  CREDITVOID:                ['creditVoid'],
  CAPTURE:                   ['followUp'],
  VOID:                      ['followUp'],
  GET_TRANS_STATUS:          ['followUp'],
  GET_TRANS_STATUS_BY_ORDER: ['byOrder'],
  CREDIT2VIRTUAL:            ['payout'],
  CREDIT2CRYPTO:             ['payout'],
}

// biome-ignore format: a table is read in columns.
const endpointFormulas: Readonly<Record<string, readonly CheckoutFormulaName[]>> = {
  'session':       ['session'],
  'session-token': ['session'],
  'status':        ['payment', 'order'],
  'capture':       ['paymentAmount'],
  'refund':        ['paymentAmount'],
  'void':          ['payment'],
  'recurring':     ['recurring'],
  'retry':         ['payment'],
  'card-credit':   ['cardCredit'],
}

/** Throws for an action without a row, so that a new action cannot be forgotten. */
export function formulasOf(protocol: NamedFormula['protocol'], action: string): readonly NamedFormula[] {
  const found = namesOf(protocol, action)
  if (found.length === 0) throw new Error(`${action} has no formula in tools/openapi/formula-text.ts.`)
  return found
}

function namesOf(protocol: NamedFormula['protocol'], action: string): readonly NamedFormula[] {
  switch (protocol) {
    case 'card':
      return (cardActionFormulas[action] ?? []).map((name) => ({ protocol, name }))
    case 'apm':
      return (apmActionFormulas[action] ?? []).map((name) => ({ protocol, name }))
    case 'checkout':
      return (endpointFormulas[action] ?? []).map((name) => ({ protocol, name }))
  }
}

/** The terms of a formula; those of Checkout are joined, upper-cased and digested twice. */
export function termsOf(formula: NamedFormula): Formula {
  switch (formula.protocol) {
    case 'card':
      return cardFormulas[formula.name]
    case 'apm':
      return apmFormulas[formula.name]
    case 'checkout':
      return [{ step: 'up', parts: [...checkoutFormulas[formula.name], 'password'] }]
  }
}

/** `md5(up( rev(email) . PASSWORD . rev(pan10) ))`, and when it applies. */
export function formulaText(formula: NamedFormula): string {
  const text = writeFormula(termsOf(formula))
  const whole = formula.protocol === 'checkout' ? `sha1(md5(${text}))` : `md5(${text})`
  const when = formula.protocol === 'card' ? conditions[formula.name] : undefined
  return `\`${whole}\`${when === undefined ? '' : `, ${when}`}`
}

const conditions: Partial<Readonly<Record<CardFormulaName, string>>> = {
  startWithToken: 'with `card_token`',
  creditWithToken: 'with `card_token`',
  creditFollowUp: 'of a payout',
  wallet: 'with `payment_token`',
}

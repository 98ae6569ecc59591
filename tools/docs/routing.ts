/** The tables of routing rules: their conditions and actions. */
import { type Action, type Condition, type ListedKind, listedConditions } from '#domain/routing/rule.ts'
import { code, table } from './markdown.ts'

/** Conditions that are no list of values. */
// biome-ignore format: a table is read in columns.
const otherConditions: Readonly<Record<Exclude<Condition['kind'], ListedKind>, readonly [about: string, members: string]>> = {
  // kind                  asks for                                                         members
  'amount':               ['the amount, in one currency',                                   '`currency`, `fromMinor`, `toMinor`: minor units as text, both included, one may be null'],
  'bin':                  ['the first digits of the card',                                  '`ranges` of `from` and `to`, six to eight digits'],
  'time-of-day':          ['the time in a zone; a range may pass midnight',                 '`zone`, `from`, `to` as `HH:MM`'],
  'weekday':              ['the day of the week in a zone',                                 '`zone`, `days`: 1 for Monday to 7 for Sunday'],
  'custom-data':          ['a key of `custom_data`',                                        '`key`, `values`; an empty list asks whether the key is there'],
  'share':                ['so many of a hundred payments, drawn by the payment’s id',      '`percent`'],
  'mid-health':           ['the circuit of a MID',                                          '`mid`, `states`: `closed`, `open`, `half-open`'],
  'mid-approval-rate':    ['the approval rate of a MID over a window',                      '`mid`, `windowMinutes`, `fromPercent`, `belowPercent`, `minimumAnswers` (20)'],
  'risk-list':            ['an entry of a risk list that names the payment',                '`lists`: `block`, `allow`, `review`'],
  'velocity':             ['more payments or money of one subject than this within a window', '`per`: `card`, `email`, `ip`, `device`; `windowMinutes`, `moreThan` as text; `currency` adds up minor units, null counts payments'],
}

// biome-ignore format: a table is read in columns.
const actions: Readonly<Record<Action['kind'], readonly [question: string, about: string, members: string]>> = {
  // kind            question       decides                                                          members
  'use':            ['order',       'these MIDs in this order, then the others',                     '`mids`; `only` leaves the others out'],
  'split':          ['order',       'the first MID by weight, drawn by the payment’s id',            '`shares` of `mid` and `weight`'],
  'prefer':         ['order',       'the MID with the better approval rate for this network, issuer country and currency', '`mids` (empty: all), `method` `thompson` or `epsilon-greedy`, `windowMinutes` (1440), `exploration` (0.05)'],
  'exclude':        ['adds up',     'these MIDs take no part',                                       '`mids`'],
  'decline':        ['decline',     'the payment is declined, and no acquirer is asked',             '`reason`'],
  'review':         ['review',      'the amount is only authorised until a person accepts the payment', '`reason`'],
  'require-3ds':    ['3-D Secure',  'without proof of authentication the payment is declined',       ''],
  'skip-3ds':       ['3-D Secure',  'the MPI service is not started',                                ''],
  'show-methods':   ['methods',     'the hosted page offers these, in this order',                   '`methods`'],
  'hide-methods':   ['methods',     'the hosted page does not offer these',                          '`methods`'],
}

export const conditionTable = (): string =>
  table(
    ['`kind`', 'Asks for', 'Members'],
    [
      ...Object.entries(listedConditions).map(([kind, [about, values]]) => [
        code(kind),
        about,
        `\`values\`: ${values}`,
      ]),
      ...Object.entries(otherConditions).map(([kind, told]) => [code(kind), ...told]),
    ],
  )

export const actionTable = (): string =>
  table(
    ['`kind`', 'Question', 'Decides', 'Members'],
    Object.entries(actions).map(([kind, told]) => [code(kind), ...told]),
  )

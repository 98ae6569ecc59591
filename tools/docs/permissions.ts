/** The permissions of the panel's roles. */
import { builtInRoles, permissions } from '#server/panel/access/permissions.ts'
import { moneyDecisions } from '#server/panel/approvals/money-decisions.ts'
import { code, codes, table } from './markdown.ts'

export const permissionTable = (): string =>
  table(
    ['Permission', 'Reach', ...builtInRoles(), 'What it allows'],
    permissions.map(({ name, reach, roles, about }) => [
      code(name),
      reach,
      ...builtInRoles().map((role) => (roles.includes(role) ? '●' : '')),
      about,
    ]),
  )

/** What people decide about money, and what follows if the acquirer says something else. */
export const moneyDecisionTable = (): string =>
  table(
    ['Decision', 'Permission', 'People', 'The acquirer or the bank may say later', 'What is posted then', 'Proof'],
    Object.values(moneyDecisions).map(({ title, permission, people, later, posted, proof }) => [
      title,
      permission === null ? 'command line' : code(permission),
      people,
      later,
      posted,
      codes(proof.split(', ')),
    ]),
  )

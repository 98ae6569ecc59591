/** Users of the admin panel. The first owner of a live instance is created here. Chapter 50 §8. */

import { addressSubject } from '#server/panel/access/lock-out.ts'
import { builtInRoles, merchantRoles } from '#server/panel/access/permissions.ts'
import {
  changeUser,
  createUser,
  findLockOuts,
  type Grantor,
  resetFactors,
  resetPassword,
  unlockUser,
} from '#server/panel/access/users.ts'
import { machineTime } from '#server/process/clock.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { signInFailureStore } from '#server/store/people/sign-in-failures.ts'
import { type UserRow, userStore } from '#server/store/people/users.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { type CommandContext, printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, list, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, record, table } from '../../kit/table.ts'

const giverOf = ({ actor }: ChangeContext): Grantor => ({ actor, userId: null, grant: 'everything' })
const json = { json: flag('Prints JSON.') }
const email = { email: argument('EMAIL', readers.email) }

export const userCommands: readonly Command[] = [
  command({
    name: 'user create',
    changes: true,
    summary: 'Creates a panel user and shows the initial password once.',
    details:
      `Built-in roles: ${builtInRoles().join(', ')}.\n` +
      `Give --merchant for each merchant that the user sees, or --all-merchants; ${merchantRoles.join(' and ')} require --merchant.`,
    args: email,
    options: {
      name: value('TEXT', 'Display name; default: the e-mail address.', readers.nonEmpty),
      role: value('ROLE', 'Role; default owner.', readers.nonEmpty),
      merchant: list('NAME', 'Merchants that the user is restricted to.', readers.shortName),
      allMerchants: flag('The user sees all merchants, including new ones.'),
      requireSecondFactor: flag('Requires a second factor for this user, whatever the instance requires.'),
      ...json,
    },
    examples: [
      'gatehouse user create ann@example.com --name Ann --all-merchants',
      'gatehouse user create bob@shop.example --role merchant-admin --merchant shop',
    ],
    async run(context, args, options) {
      const { name, role = 'owner', merchant: names = [], allMerchants = false, requireSecondFactor } = options
      if (allMerchants === names.length > 0)
        throw new CommandError(
          'Give either --merchant or --all-merchants.',
          'It decides whose payments the user sees. An owner usually sees all merchants: --all-merchants.',
        )
      await using instance = await openInstance(context)
      const merchants = await Promise.all(names.map((one) => requireMerchant(instance.pool, one)))
      const wishes = {
        email: args.email,
        name: name ?? args.email,
        role,
        allMerchants,
        merchantIds: merchants.map(({ id }) => id),
        requireSecondFactor,
      }
      const { user, password } = await withPanelRefusals(
        instance.change((change) => createUser(change, giverOf(change), wishes)),
      )
      show(context, [...fieldsOf(user, names), ['password', password.reveal()]], options.json)
      context.output.err('Pass the password on now: it is not shown again and must be changed at the first sign-in.')
    },
  }),
  command({
    name: 'user list',
    summary: 'Lists the panel users.',
    args: {},
    options: json,
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const names = new Map((await merchantStore(instance.pool).list()).map(({ id, name }) => [id, name]))
      const users = await userStore(instance.pool).list()
      const lockOuts = await findLockOuts({ ...instance, machine: machineTime(instance.clock) }, users)
      const rows = users.map((user) => [
        ...fieldsOf(
          user,
          user.merchantIds.map((id) => names.get(id) ?? id),
        ),
        ['locked_until', lockOuts.get(user.id) ?? null] as const,
      ])
      if (asJson)
        printJson(
          context.output,
          rows.map((row) => Object.fromEntries(row)),
        )
      else
        context.output.out(
          table(
            rows[0]?.map(([heading]) => heading) ?? ['email'],
            rows.map((row) => row.map(([, shown]) => shown)),
          ),
        )
    },
  }),
  ...(['disable', 'enable'] as const).map((verb) =>
    command({
      name: `user ${verb}`,
      changes: true,
      summary: verb === 'disable' ? 'Disables a user; open sessions end at once.' : 'Enables a disabled user.',
      args: email,
      options: {},
      async run(context, args) {
        await using instance = await openInstance(context)
        const { id } = await requireUser(instance, args.email)
        const status = verb === 'disable' ? 'disabled' : 'active'
        await withPanelRefusals(instance.change((change) => changeUser(change, giverOf(change), id, { status })))
        context.output.out(`${args.email} is now ${status}.`)
      },
    }),
  ),
  command({
    name: 'user reset-password',
    changes: true,
    summary: 'Sets a new password and shows it once; open sessions end at once.',
    args: email,
    options: {
      withoutFactors: flag('Also removes the second factor and passkeys, for example after a phone was lost.'),
      ...json,
    },
    async run(context, args, { withoutFactors = false, json: asJson }) {
      await using instance = await openInstance(context)
      const { id } = await requireUser(instance, args.email)
      const { password } = await withPanelRefusals(
        instance.change((change) => resetPassword(change, giverOf(change), id, { withoutFactors })),
      )
      show(
        context,
        [
          ['email', args.email],
          ['password', password.reveal()],
        ],
        asJson,
      )
      context.output.err('Pass the password on now: it is not shown again and must be changed at the first sign-in.')
    },
  }),
  command({
    name: 'user reset-factor',
    changes: true,
    summary:
      'Removes a user’s second factor and passkeys, for example after a phone was lost; open sessions end at once.',
    details:
      'The password stays. If a second factor is required, the next sign-in sets up a new one.\n' +
      'In the panel a second person has to approve this; the command is for an instance with one administrator.',
    args: email,
    options: {},
    async run(context, args) {
      await using instance = await openInstance(context)
      const { id } = await requireUser(instance, args.email)
      await withPanelRefusals(instance.change((change) => resetFactors(change, giverOf(change), id)))
      context.output.out(`The second factor of ${args.email} is removed.`)
    },
  }),
  command({
    name: 'user unlock',
    changes: true,
    summary: 'Unlocks a user who is locked out after failed sign-ins.',
    args: email,
    options: {
      address: value('ADDRESS', 'Also unlocks this network address, written as in the audit log.', readers.nonEmpty),
    },
    async run(context, args, { address }) {
      await using instance = await openInstance(context)
      const { id } = await requireUser(instance, args.email)
      const wasLocked = await withPanelRefusals(
        instance.change(async (change) => {
          const isForgotten = address !== undefined && (await unlockAddress(change, address))
          return (await unlockUser(change, giverOf(change), id)) || isForgotten
        }),
      )
      context.output.out(wasLocked ? `${args.email} can sign in again.` : `${args.email} was not locked out.`)
    },
  }),
]

async function unlockAddress(change: ChangeContext, address: string): Promise<boolean> {
  const subject = addressSubject(address)
  const wasLocked = await signInFailureStore(change.pool).forget(subject)
  if (wasLocked) change.note({ action: 'session.unlock', subject, merchantId: null })
  return wasLocked
}

type Fields = readonly (readonly [string, CellValue])[]

const fieldsOf = (user: UserRow, merchants: readonly string[]): Fields => [
  ['email', user.email],
  ['name', user.name],
  ['role', user.role],
  ['merchants', user.allMerchants ? 'all' : merchants],
  ['status', user.disabledReason === null ? user.status : `${user.status} (${user.disabledReason})`],
  ['second_factor', user.totpEnabledAt !== null],
  ['passkeys', user.passkeys],
  ['recovery_codes', user.recoveryCodes],
  ['last_sign_in', user.lastSignInAt],
]

async function requireUser({ pool }: Instance, wanted: string): Promise<UserRow> {
  const user = await userStore(pool).findByEmail(wanted)
  if (user) return user
  throw new CommandError(`There is no user ${wanted}.`, '"gatehouse user list" shows the users.')
}

function show({ output }: CommandContext, fields: Fields, asJson = false): void {
  if (asJson) printJson(output, Object.fromEntries(fields))
  else output.out(record(fields))
}

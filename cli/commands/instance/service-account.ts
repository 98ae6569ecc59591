/** Service accounts: programs that call the admin API, and their keys. Chapter 70 §9. */
import { addServiceKey, createServiceAccount, removeServiceKey } from '#server/panel/access/service-accounts.ts'
import type { Grantor } from '#server/panel/access/users.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { serviceKeyStore } from '#server/store/people/service-keys.ts'
import { type UserRow, userStore } from '#server/store/people/users.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, list, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { type CellValue, record, table } from '../../kit/table.ts'

const usualDays = 90
const grantorOf = ({ actor }: ChangeContext): Grantor => ({ actor, userId: null, grant: 'everything' })
const json = flag('Prints JSON.')
const days = value('DAYS', `Days until the key expires; default ${usualDays}.`, readers.wholeNumber(1, 365))
const accountName = { name: argument('NAME', readers.nonEmpty) }
const notice = 'Store the key now: it is not shown again.'

export const serviceAccountCommands: readonly Command[] = [
  command({
    name: 'service-account create',
    changes: true,
    summary: 'Creates a service account and shows its key once.',
    args: accountName,
    options: {
      role: value('ROLE', 'Role; it decides what the program may do.', readers.nonEmpty),
      merchant: list('NAME', 'Merchants that the program is restricted to.', readers.shortName),
      allMerchants: flag('The program reaches all merchants, including new ones.'),
      days,
      json,
    },
    examples: ['gatehouse service-account create erp --role finance --merchant acme --days 30'],
    async run(context, { name }, { role, merchant: names = [], allMerchants = false, ...options }) {
      const { days: expiresInDays = usualDays, json: asJson } = options
      if (role === undefined) throw new CommandError('--role is missing.', 'Give a role such as finance.')
      if (allMerchants === names.length > 0)
        throw new CommandError('Give either --merchant or --all-merchants.', 'It decides what the program may reach.')
      await using instance = await openInstance(context)
      const merchants = await Promise.all(names.map((one) => requireMerchant(instance.pool, one)))
      const rights = { role, allMerchants, merchantIds: merchants.map(({ id }) => id) }
      const created = await withPanelRefusals(
        instance.change((change) =>
          createServiceAccount(change, grantorOf(change), { ...rights, name, expiresInDays }),
        ),
      )
      const key = { keyId: created.key.id, expiresAt: created.key.expiresAt, key: created.text.reveal() }
      if (asJson) printJson(context.output, { name, ...key })
      else context.output.out(record([['name', name], ['role', role], ...Object.entries(key)]))
      context.output.err(notice)
    },
  }),
  command({
    name: 'service-account list',
    summary: 'Lists service accounts and their keys.',
    args: {},
    options: { json },
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const users = (await userStore(instance.pool).list()).filter(({ isService }) => isService)
      const keys = await serviceKeyStore(instance.pool).list(users.map(({ id }) => id))
      const names = new Map((await merchantStore(instance.pool).list()).map((one) => [one.id, one.name]))
      const accounts = users.map(({ id, name, role, status, allMerchants, merchantIds }) => ({
        name,
        role,
        status,
        merchants: allMerchants ? 'all' : merchantIds.map((one) => names.get(one) ?? one).join(', '),
        keys: keys.filter(({ userId }) => userId === id),
      }))
      if (asJson) {
        printJson(context.output, accounts)
        return
      }
      const headings = ['name', 'role', 'status', 'merchants', 'key', 'expires', 'last used']
      const rows = accounts.flatMap(({ keys: own, ...account }) => {
        const about: readonly CellValue[] = [account.name, account.role, account.status, account.merchants]
        if (own.length === 0) return [[...about, null, null, null]]
        return own.map((key) => [...about, key.id, key.expiresAt, key.lastUsedAt])
      })
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'service-account rotate',
    changes: true,
    summary: 'Adds a key and shows it once; the other keys expire after --hours.',
    args: accountName,
    options: {
      days,
      hours: value('HOURS', 'Hours until the other keys expire; default 24.', readers.wholeNumber(0, 168)),
      json,
    },
    async run(context, { name }, { days: expiresInDays = usualDays, hours: othersEndInHours = 24, json: asJson }) {
      await using instance = await openInstance(context)
      const { id } = await requireAccount(instance, name)
      const added = await withPanelRefusals(
        instance.change((change) => addServiceKey(change, grantorOf(change), id, { expiresInDays, othersEndInHours })),
      )
      const key = { keyId: added.key.id, expiresAt: added.key.expiresAt, key: added.text.reveal() }
      if (asJson) printJson(context.output, key)
      else context.output.out(record(Object.entries(key)))
      context.output.err(notice)
    },
  }),
  command({
    name: 'service-account remove-key',
    changes: true,
    summary: 'Revokes a key at once.',
    args: { ...accountName, key: argument('KEY', readers.uuid) },
    options: {},
    async run(context, { name, key }) {
      await using instance = await openInstance(context)
      const { id } = await requireAccount(instance, name)
      await withPanelRefusals(instance.change((change) => removeServiceKey(change, grantorOf(change), id, key)))
      context.output.out('Removed.')
    },
  }),
]

async function requireAccount({ pool }: Instance, name: string): Promise<UserRow> {
  const found = (await userStore(pool).list()).find((user) => user.isService && user.name === name)
  if (!found)
    throw new CommandError(`There is no service account "${name}".`, '"gatehouse service-account list" shows them.')
  return found
}

/**
 * Whether a user is a second person for another: not if one person may control both accounts (`account-ties.ts`). See
 * decisions/people#second-person.
 */
import { dayMs, utcText } from '#domain/time.ts'
import { type AccountAct, listAccountActs } from '../../store/people/account-acts.ts'
import { type RoleRow, roleStore } from '../../store/people/roles.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { covers, type Grant, may } from '../access/permissions.ts'
import { grantOf } from '../access/sessions.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AdminContext } from '../context.ts'
import { findTie, type Hold, listControlled, listTied } from './account-ties.ts'

/** Long enough for colleagues to notice an account that they do not know. */
const heldDays = 7

type Rights = Pick<UserRow, 'role' | 'allMerchants' | 'merchantIds' | 'status'>
type Context = Pick<AdminContext, 'pool' | 'clock' | 'machine'>

export interface SecondPersons {
  /** Why a user is no second person for another, and until when; null if the user is one. */
  findObstacle(asker: string, decider: string): { readonly text: string; readonly until: Date } | null
  /** The user and everybody who is no second person for the user. */
  listTied(userId: string): readonly string[]
  /**
   * The users who may decide about rights, without the user and the accounts that the user made. One whom the user disabled or restricted counts, because a person
   * cannot get rid of the second one that way.
   */
  listOthers(userId: string, canDecide: (grant: Grant) => boolean): readonly string[]
}

export async function readSecondPersons({ pool, clock, machine }: Context): Promise<SecondPersons> {
  const since = new Date(clock.now().getTime() - heldDays * dayMs)
  const acts = await listAccountActs(pool, since, machine.now())
  const [users, roles] = await Promise.all([userStore(pool).list(), roleStore(pool).list()])
  const grantIn = grantReader(roles)
  const holds = acts.flatMap((act) => holdsOf(act, users, grantIn))
  return {
    findObstacle: (asker, decider) => {
      const tie = asker === decider ? null : findTie(holds, asker, decider)
      if (tie === null) return null
      const nameOf = (id: string): string => users.find((user) => user.id === id)?.name ?? 'a deleted user'
      const sentences = tie.holds.map((hold) => sentenceOf(hold, decider, nameOf)).join(', and ')
      const text =
        `${sentences}. One person may control both accounts, so you are no second person for ${nameOf(asker)} until ${utcText(tie.until)}. ` +
        'Ask another user to decide.'
      return { text: text.charAt(0).toUpperCase() + text.slice(1), until: tie.until }
    },
    listTied: (userId) => listTied(holds, userId),
    listOthers: (userId, canDecide) => {
      const controlled = listControlled(holds, userId)
      const isMade = (id: string): boolean =>
        holds.some((hold) => hold.userId === id && hold.how === 'created' && controlled.has(hold.giverId))
      const earlier = (user: UserRow): readonly Grant[] =>
        acts
          .filter(({ giverId }) => controlled.has(giverId))
          .flatMap((act) => changeIn(act, user, grantIn))
          .map(({ before }) => before)
      return users
        .filter((user) => user.id !== userId && !user.isService && !isMade(user.id))
        .filter((user) => [grantIn(user), ...earlier(user)].some(canDecide))
        .map(({ id }) => id)
    },
  }
}

export async function requireSecondPerson(context: Context, asker: string, decider: string): Promise<void> {
  const obstacle = (await readSecondPersons(context)).findObstacle(asker, decider)
  if (obstacle !== null) throw new AdminRefused('forbidden', { message: obstacle.text })
}

/** Approving a request about rights needs both. */
export const decidesAboutRights = (grant: Grant): boolean => may(grant, 'users.write') && may(grant, 'approvals.decide')

type GrantReader = (rights: Rights, role?: readonly string[] | null) => Grant

/** A disabled user has no rights. */
const grantReader =
  (roles: readonly RoleRow[]): GrantReader =>
  (rights, role = roles.find(({ name }) => name === rights.role)?.permissions ?? null) =>
    rights.status === 'active' ? grantOf(rights, role) : { permissions: new Set(), merchants: new Set() }

const hows: Readonly<Record<string, Hold['how']>> = {
  'user.create': 'created',
  'user.invite': 'invited',
  'user.reset-password': 'password',
  'user.reset-factor': 'factor',
  'approval.factor-reset': 'factor',
  'approval.user-rights': 'rights',
  'service-account.add-key': 'key',
}

function holdsOf(act: AccountAct, users: readonly UserRow[], grantIn: GrantReader): readonly Hold[] {
  const { giverId, action, subject, at, keyEndsAt } = act
  const until = keyEndsAt ?? new Date(at.getTime() + heldDays * dayMs)
  const how = hows[action]
  if (how !== undefined) return [{ giverId, userId: subject.slice('user '.length), how, at, until }]
  return users
    .flatMap((user) => changeIn(act, user, grantIn).map((change) => ({ ...change, user })))
    .filter(({ before, after }) => !covers(before, after))
    .map(({ user, isEnabled }) => ({ giverId, userId: user.id, how: isEnabled ? 'enabled' : 'rights', at, until }))
}

interface RightsChange {
  readonly before: Grant
  readonly after: Grant
  readonly isEnabled: boolean
}

/** Reads what an act changed about the rights of a user; mostly nothing. The log has only what differed, so that the rest is taken from the present. */
function changeIn(
  { action, subject, ...act }: AccountAct,
  user: UserRow,
  grantIn: GrantReader,
): readonly RightsChange[] {
  const [before, after] = [membersOf(act.before), membersOf(act.after)]
  if (action === 'user.change' && subject === `user ${user.id}`) {
    const [old, anew] = [
      { ...user, ...before },
      { ...user, ...after },
    ]
    return [{ before: grantIn(old), after: grantIn(anew), isEnabled: after.status === 'active' }]
  }
  if (action === 'role.save' && subject === `role ${user.role}`)
    return [
      {
        before: grantIn(user, before.permissions ?? []),
        after: grantIn(user, after.permissions ?? []),
        isEnabled: false,
      },
    ]
  return []
}

/** Written by this program: what a user or a role was before or after a change. */
const membersOf = (text: string | null): Partial<Rights> & { readonly permissions?: readonly string[] } =>
  JSON.parse(text ?? '{}')

// biome-ignore format: a table is read in columns.
const words: Readonly<Record<Hold['how'], readonly [verb: string, noun: string]>> = {
  created:  ['created',  'account'],
  invited:  ['sent',     'invitation'],
  password: ['reset',    'password'],
  factor:   ['reset',    'second factor'],
  enabled:  ['enabled',  'account'],
  rights:   ['extended', 'permissions'],
  key:      ['created',  'key'],
}

function sentenceOf({ giverId, userId, how, at }: Hold, reader: string, nameOf: (id: string) => string): string {
  const [verb, noun] = words[how]
  const giver = giverId === reader ? 'you' : nameOf(giverId)
  const what = userId === reader ? `your ${noun}` : `the ${noun} of ${nameOf(userId)}`
  return `${giver} ${verb} ${what} on ${utcText(at)}`
}

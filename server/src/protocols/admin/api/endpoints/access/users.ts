/** Users and roles. A caller who is restricted to some merchants sees and creates only users of those merchants. */
import { z } from 'zod'
import { askFactorReset } from '../../../../../panel/access/factor-reset.ts'
import { findInvitations, requireMail } from '../../../../../panel/access/invitations.ts'
import { permissions } from '../../../../../panel/access/permissions.ts'
import { listRoles, removeRole, saveRole } from '../../../../../panel/access/roles.ts'
import { factorDueAt, needsSecondFactor } from '../../../../../panel/access/second-factor.ts'
import { endSession, listSessions } from '../../../../../panel/access/sessions.ts'
import {
  findLockOuts,
  type Grantor,
  listUsersFor,
  resetPassword,
  unlockUser,
} from '../../../../../panel/access/users.ts'
import { notFound } from '../../../../../panel/admin-refused.ts'
import {
  changeUserOrAsk,
  createUserOrAsk,
  findWaitingRights,
  requireSharedRole,
} from '../../../../../panel/approvals/rights-approval.ts'
import type { PanelContext } from '../../../../../panel/panel-context.ts'
import type { UserRow } from '../../../../../store/people/users.ts'
import { type Caller, changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emailInput, emptyBody, id, instant, textInput } from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'

const shownUser = z.object({
  id,
  email: z.string(),
  name: z.string(),
  status: z.enum(['active', 'disabled']),
  role: z.string(),
  allMerchants: z.boolean(),
  merchantIds: z.array(id).readonly(),
  /** Comes from the identity provider. */
  isSso: z.boolean(),
  secondFactor: z.boolean(),
  passkeys: z.number(),
  requireSecondFactor: z.boolean(),
  /** Required by the user's own flag or by the rules of the instance. */
  needsSecondFactor: z.boolean(),
  /** When a missing second factor will be required; null if none is missing. */
  factorDueAt: instant.nullable(),
  recoveryCodes: z.number(),
  passwordTemporary: z.boolean(),
  passwordChangedAt: instant,
  /** Null if the account is active, or if a person disabled it. */
  disabledReason: z.enum(['unused']).nullable(),
  /** The end of a lockout after too many failed sign-ins. */
  lockedUntil: instant.nullable(),
  /** The end of an invitation that was not used yet. */
  invitedUntil: instant.nullable(),
  /** The request for approval that the rights of the user wait for. */
  waitingApproval: id.nullable(),
  createdAt: instant,
  lastSignInAt: instant.nullable(),
})

async function readShownUsers(context: PanelContext, users: readonly UserRow[]): Promise<z.input<typeof shownUser>[]> {
  const lockOuts = await findLockOuts(context, users)
  const invitations = await findInvitations(context, users)
  const waiting = await findWaitingRights(context, users)
  return users.map((user) => ({
    ...user,
    isSso: user.ssoSubject !== null,
    secondFactor: user.totpEnabledAt !== null,
    needsSecondFactor: needsSecondFactor(context.rules, user),
    factorDueAt: factorDueAt(context.rules, user, context.machine.now()),
    lockedUntil: lockOuts.get(user.id) ?? null,
    invitedUntil: invitations.get(user.id) ?? null,
    waitingApproval: waiting.get(user.id) ?? null,
  }))
}

async function composeUserAnswer(context: PanelContext, user: UserRow): Promise<z.input<typeof shownUser>> {
  const [only] = await readShownUsers(context, [user])
  if (only === undefined) throw notFound()
  return only
}

export const rights = {
  role: textInput(63),
  allMerchants: z.boolean(),
  merchantIds: z.array(z.uuid()).max(1000),
}

const shownSession = z.object({
  id,
  method: z.string(),
  createdAt: instant,
  seenAt: instant,
  expiresAt: instant,
  userAgent: z.string(),
  address: z.string(),
})

const shownRole = z.object({
  name: z.string(),
  title: z.string(),
  permissions: z.array(z.string()).readonly(),
  builtIn: z.boolean(),
  /** The instance requires a second factor of users with this role. */
  needsSecondFactor: z.boolean(),
})

export const userEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/users',
    summary: 'Lists users of the caller’s merchants.',
    access: 'users.read',
    output: z.object({ users: z.array(shownUser) }),
    run: async (_, { context, grant }) => ({
      users: await readShownUsers(context, await listUsersFor(context, grant)),
    }),
  }),
  queryEndpoint({
    path: '/users/:userId',
    summary: 'Returns a user with the user’s sessions.',
    access: 'users.read',
    output: z.object({ user: shownUser, sessions: z.array(shownSession).readonly() }),
    run: async ({ params: { userId } }, caller) => {
      const user = await requireVisibleUser(caller, userId)
      return {
        user: await composeUserAnswer(caller.context, user),
        sessions: await listSessions(caller.context, user.id),
      }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/users',
    summary:
      'Creates a user; the initial password is shown once. One who may approve requests is disabled until a second person approves.',
    access: 'users.write',
    stepUp: true,
    body: z.strictObject({
      email: emailInput,
      name: textInput(100),
      ...rights,
      requireSecondFactor: z.boolean().default(false),
      /** The user chooses the password with a link by mail. */
      invite: z.boolean().default(false),
    }),
    /** The initial password is null for an invited user. */
    output: z.object({ user: shownUser, password: z.string().nullable() }),
    run: async ({ body: { invite, ...wishes } }, caller) => {
      const { context } = caller
      requireKnown(caller, wishes.merchantIds)
      if (invite) requireMail(context)
      const { user, password } = await createUserOrAsk(context, caller, wishes, { invite })
      const shown = await composeUserAnswer(context, user)
      return { answer: { user: shown, password: invite ? null : password.reveal() }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'PATCH',
    path: '/users/:userId',
    summary:
      'Changes a user’s name, rights or status; a disabled user’s sessions end. More rights of one who may approve requests wait for a second person.',
    access: 'users.write',
    stepUp: true,
    body: z
      .strictObject({
        name: textInput(100),
        status: z.enum(['active', 'disabled']),
        requireSecondFactor: z.boolean(),
        ...rights,
      })
      .partial()
      .transform(withoutUndefined),
    output: shownUser,
    run: async ({ params: { userId }, body }, caller) => {
      requireKnown(caller, body.merchantIds ?? [])
      const user = await changeUserOrAsk(caller.context, caller, userId, body)
      return { answer: await composeUserAnswer(caller.context, user), audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/users/:userId/password',
    summary: 'Resets a user’s password; the new one is shown once and the user’s sessions end.',
    access: 'users.write',
    stepUp: true,
    body: emptyBody,
    output: z.object({ password: z.string() }),
    run: async ({ params: { userId } }, caller) => {
      const { password } = await resetPassword(caller.context, giverOf(caller), userId, { withoutFactors: false })
      return { answer: { password: password.reveal() }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/users/:userId/second-factor/reset',
    summary:
      'Asks to remove a user’s second factor and passkeys after the loss of a device; another person approves it, then the user’s sessions end.',
    access: 'users.write',
    stepUp: true,
    body: z.strictObject({ reason: textInput(500) }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { userId }, body: { reason } }, caller) => {
      const approval = await askFactorReset(caller.context, caller, caller, { userId, reason })
      return { answer: { approvalId: approval.id }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/users/:userId/lock-out',
    summary: 'Unlocks a user who is locked out after failed sign-ins.',
    access: 'users.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { userId } }, caller) => {
      await unlockUser(caller.context, giverOf(caller), userId)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/users/:userId/sessions/:sessionId',
    summary: 'Ends a session of a user.',
    access: 'users.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { userId, sessionId } }, caller) => {
      await requireVisibleUser(caller, userId)
      if (!(await endSession(caller.context, userId, sessionId))) throw notFound()
      const audit = { action: 'session.revoke', subject: `user ${userId}`, merchantId: null, before: { sessionId } }
      return { answer: doneAnswer, audit }
    },
  }),
  queryEndpoint({
    path: '/roles',
    summary: 'Lists roles with their permissions.',
    access: 'users.read',
    output: z.object({
      roles: z.array(shownRole).readonly(),
      permissions: z.array(z.object({ name: z.string(), reach: z.string(), about: z.string() })).readonly(),
    }),
    run: async (_, { context }) => ({
      roles: (await listRoles(context)).map((role) => ({ ...role, ...factorOf(context, role.name) })),
      permissions,
    }),
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/roles/:role',
    summary: 'Creates or changes a role.',
    access: 'roles.write',
    stepUp: true,
    body: z.strictObject({ title: textInput(100), permissions: z.array(z.string().max(64)).max(200) }),
    output: shownRole,
    run: async ({ params, body }, { context, grant, user }) => {
      const role = { name: params.role, title: body.title, permissions: [...new Set(body.permissions)].toSorted() }
      await requireSharedRole(context, { user }, role)
      const before = await saveRole(context, grant, role)
      const audit = { action: 'role.save', subject: `role ${role.name}`, merchantId: null, before, after: role }
      return { answer: { ...role, builtIn: false, ...factorOf(context, role.name) }, audit }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/roles/:role',
    summary: 'Removes a role that no user has.',
    access: 'roles.write',
    stepUp: true,
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { role: name } }, { context }) => {
      const before = await removeRole(context, name)
      if (before === null) throw notFound()
      return { answer: doneAnswer, audit: { action: 'role.remove', subject: `role ${name}`, merchantId: null, before } }
    },
  }),
]

const factorOf = ({ rules }: PanelContext, role: string) => ({
  needsSecondFactor: needsSecondFactor(rules, { role, requireSecondFactor: false }),
})

export const giverOf = ({ actor, user, grant }: Caller): Grantor => ({ actor, userId: user.id, grant })

async function requireVisibleUser({ context, grant }: Caller, userId: string): Promise<UserRow> {
  const user = (await listUsersFor(context, grant)).find((one) => one.id === userId)
  if (user === undefined) throw notFound()
  return user
}

/** Another user's merchant is answered like one that does not exist. */
export function requireKnown({ context, grant }: Caller, merchantIds: readonly string[]): void {
  const isKnown = (id: string) =>
    (grant.merchants === 'all' || grant.merchants.has(id)) && context.configuration.merchant(id) !== null
  if (!merchantIds.every(isKnown)) throw notFound()
}

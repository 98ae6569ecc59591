/** Service accounts and their keys. Name, rights and status of an account are changed like those of a user. */
import { z } from 'zod'
import {
  addServiceKey,
  createServiceAccount,
  listServiceAccountsFor,
  removeServiceKey,
} from '../../../../../panel/access/service-accounts.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, instant } from '../../values.ts'
import { giverOf, requireKnown, rights } from './users.ts'

const shownKey = z.object({
  id,
  createdAt: instant,
  createdBy: z.string(),
  expiresAt: instant,
  lastUsedAt: instant.nullable(),
})

const shownAccount = z.object({
  id,
  name: z.string(),
  /** As audit entries name it. */
  label: z.string(),
  status: z.enum(['active', 'disabled']),
  role: z.string(),
  allMerchants: z.boolean(),
  merchantIds: z.array(id).readonly(),
  keys: z.array(shownKey).readonly(),
})

type Account = Awaited<ReturnType<typeof listServiceAccountsFor>>[number]

const accountAnswer = ({ user, keys }: Account): z.input<typeof shownAccount> => ({ ...user, label: user.email, keys })

const expiresInDays = z.int().min(1).max(365).default(90)

/** The key as it is sent in `Authorization: Bearer`; it is shown once. */
const newKey = { key: shownKey, bearer: z.string() }

export const serviceAccountEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/service-accounts',
    summary: 'Lists service accounts of the caller’s merchants with their keys.',
    access: 'users.read',
    output: z.object({ accounts: z.array(shownAccount).readonly() }),
    run: async (_, { context, grant }) => ({
      accounts: (await listServiceAccountsFor(context, grant)).map(accountAnswer),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/service-accounts',
    summary: 'Creates a service account with a key, which is shown once.',
    access: 'users.write',
    stepUp: true,
    body: z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use lower-case letters, digits and hyphens.'),
      ...rights,
      expiresInDays,
    }),
    output: z.object({ account: shownAccount, ...newKey }),
    run: async ({ body }, caller) => {
      requireKnown(caller, body.merchantIds)
      const account = await createServiceAccount(caller.context, giverOf(caller), body)
      const { key, text } = account
      return { answer: { account: accountAnswer(account), key, bearer: text.reveal() }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/service-accounts/:serviceAccountId/keys',
    summary: 'Adds a key, which is shown once; the other keys of the account end after some hours.',
    access: 'users.write',
    stepUp: true,
    body: z.strictObject({ expiresInDays, othersEndInHours: z.int().min(0).max(168).default(24) }),
    output: z.object(newKey),
    run: async ({ params: { serviceAccountId }, body }, caller) => {
      const { key, text } = await addServiceKey(caller.context, giverOf(caller), serviceAccountId, body)
      return { answer: { key, bearer: text.reveal() }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/service-accounts/:serviceAccountId/keys/:keyId',
    summary: 'Removes a key at once.',
    access: 'users.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { serviceAccountId, keyId } }, caller) => {
      await removeServiceKey(caller.context, giverOf(caller), serviceAccountId, keyId)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
]

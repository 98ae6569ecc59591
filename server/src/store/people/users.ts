/** The panel's users and the merchants that they are restricted to. */
import { columnsOf } from '../database/columns.ts'
import { insertion } from '../database/insertion.ts'
import { type Nothing, type Queryable, query, sql } from '../database/pool.ts'

export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  /** A program that signs in with a key; its e-mail is `service:` and its name. */
  readonly isService: boolean
  /** Issuer and identifier at the identity provider; null for a local account. */
  readonly ssoSubject: string | null
  readonly passwordHash: string
  readonly passwordChangedAt: Date
  /** Set by another person: it opens one session, in which it must be changed. */
  readonly passwordTemporary: boolean
  readonly totpSealed: Buffer | null
  /** Shown to an authenticator, not yet confirmed by a code. */
  readonly totpPending: Buffer | null
  readonly totpEnabledAt: Date | null
  readonly totpLastStep: bigint
  readonly passkeys: number
  /** Recovery codes that were not used yet. */
  readonly recoveryCodes: number
  /** In addition to what the instance requires of the role. */
  readonly requireSecondFactor: boolean
  /** When a sign-in first found the required second factor missing; the days of grace count from here. */
  readonly factorDemandedAt: Date | null
  readonly status: 'active' | 'disabled'
  /** Why the account was disabled, if no person did it. */
  readonly disabledReason: 'unused' | null
  readonly role: string
  readonly allMerchants: boolean
  readonly merchantIds: readonly string[]
  readonly createdAt: Date
  /** When it was last enabled again. */
  readonly enabledAt: Date | null
  readonly lastSignInAt: Date | null
}

export interface UserColumns {
  id: string
  email: string
  name: string
  is_service: boolean
  sso_subject: string | null
  password_hash: string
  password_changed_at: Date
  password_temporary: boolean
  totp_sealed: Buffer | null
  totp_next: Buffer | null
  totp_enabled_at: Date | null
  totp_last_step: bigint
  passkeys: number
  recovery_codes: number
  require_second_factor: boolean
  factor_demanded_at: Date | null
  status: 'active' | 'disabled'
  disabled_reason: 'unused' | null
  role: string
  all_merchants: boolean
  merchant_ids: string[]
  created_at: Date
  enabled_at: Date | null
  last_sign_in_at: Date | null
}

// biome-ignore format: a list of names.
const ownColumns = columnsOf<Omit<UserColumns, 'merchant_ids' | 'passkeys' | 'recovery_codes'>>()([
  'id', 'email', 'name', 'is_service', 'sso_subject', 'password_hash', 'password_changed_at', 'password_temporary', 'totp_sealed', 'totp_next',
  'totp_enabled_at', 'totp_last_step', 'require_second_factor', 'factor_demanded_at', 'status', 'disabled_reason', 'role', 'all_merchants', 'created_at',
  'enabled_at', 'last_sign_in_at',
])

/** Columns of the table `users` under the alias `u`. */
export const userColumns = `${ownColumns('u')},
  array(select m.merchant_id from user_merchants m where m.user_id = u.id order by 1) as merchant_ids,
  (select count(*) from user_passkeys k where k.user_id = u.id)::int as passkeys,
  (select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null)::int as recovery_codes`

// biome-ignore format: a table is read in columns.
const userInsertion = insertion<UserRow>('users', [
  ['id',                  (user) => user.id],
  ['email',               (user) => user.email],
  ['name',                (user) => user.name],
  ['is_service',          (user) => user.isService],
  ['sso_subject',         (user) => user.ssoSubject],
  ['password_hash',       (user) => user.passwordHash],
  ['password_changed_at', (user) => user.passwordChangedAt],
  ['password_temporary',  (user) => user.passwordTemporary],
  ['require_second_factor', (user) => user.requireSecondFactor],
  ['status',              (user) => user.status],
  ['role',                (user) => user.role],
  ['all_merchants',       (user) => user.allMerchants],
  ['created_at',          (user) => user.createdAt],
])

const listUsers = sql<UserColumns>('user.list', `select ${userColumns} from users u order by email`)
const findUser = sql<UserColumns, readonly [string]>('user.find', `select ${userColumns} from users u where id = $1`)
const findByEmail = sql<UserColumns, readonly [string]>(
  'user.find-by-email',
  `select ${userColumns} from users u where email = lower($1)`,
)
const findBySubject = sql<UserColumns, readonly [string]>(
  'user.find-by-subject',
  `select ${userColumns} from users u where sso_subject = $1`,
)
const lockUser = sql<UserColumns, readonly [string]>(
  'user.lock',
  `select ${userColumns} from users u where id = $1 for update of u`,
)
const addUser = sql<{ id: string }, readonly unknown[]>(
  'user.add',
  `${userInsertion.text(1)} on conflict (email) do nothing returning id`,
)
const changeUser = sql<Nothing, readonly unknown[]>(
  'user.change',
  `update users set name = $2, role = $3, status = $4, all_merchants = $5, require_second_factor = $6, disabled_reason = $7,
     enabled_at = $8 where id = $1`,
)
const replaceMerchants = sql<Nothing, readonly [string, readonly string[]]>(
  'user.replace-merchants',
  `with gone as (delete from user_merchants where user_id = $1 and merchant_id <> all($2::uuid[]))
   insert into user_merchants (merchant_id, user_id) select unnest($2::uuid[]), $1 on conflict do nothing`,
)
const setPassword = sql<Nothing, readonly [string, string, Date, boolean]>(
  'user.set-password',
  // A temporary password was not the user's own, so it does not enter the history.
  `with former as (
     insert into password_history (user_id, hash, replaced_at)
     select id, password_hash, $3 from users where id = $1 and not password_temporary on conflict do nothing
   )
   update users set password_hash = $2, password_changed_at = $3, password_temporary = $4, temporary_used_at = null
   where id = $1`,
)
/** Of two sign-ins with the same temporary password, one succeeds. */
const useTemporary = sql<{ id: string }, readonly [string, Date]>(
  'user.use-temporary-password',
  `update users set temporary_used_at = $2 where id = $1 and password_temporary and temporary_used_at is null returning id`,
)
const renewPassword = sql<Nothing, readonly [string, Date]>(
  'user.renew-password',
  'update users set password_changed_at = $2 where id = $1',
)
const rehash = sql<Nothing, readonly [string, string, string]>(
  'user.rehash',
  'update users set password_hash = $3 where id = $1 and password_hash = $2',
)
const offerTotp = sql<Nothing, readonly [string, Buffer]>(
  'user.offer-totp',
  'update users set totp_next = $2 where id = $1',
)
const enableTotp = sql<Nothing, readonly [string, Buffer, Date, bigint]>(
  'user.enable-totp',
  'update users set totp_sealed = $2, totp_enabled_at = $3, totp_last_step = $4, totp_next = null where id = $1',
)
const removeTotp = sql<Nothing, readonly [string]>(
  'user.remove-totp',
  'update users set totp_sealed = null, totp_enabled_at = null, totp_next = null where id = $1',
)
/** Of two simultaneous requests with the same code, one succeeds. */
const useStep = sql<{ id: string }, readonly [string, bigint]>(
  'user.use-totp-step',
  'update users set totp_last_step = $2 where id = $1 and totp_last_step < $2 returning id',
)
/** The first demand counts, so that a further sign-in does not prolong the grace. */
const demandFactor = sql<Nothing, readonly [string, Date]>(
  'user.demand-factor',
  'update users set factor_demanded_at = coalesce(factor_demanded_at, $2) where id = $1',
)
const endGrace = sql<Nothing, readonly [string]>(
  'user.end-grace',
  `update users set factor_demanded_at = 'epoch' where id = $1`,
)
const signedIn = sql<Nothing, readonly [string, Date]>(
  'user.signed-in',
  'update users set last_sign_in_at = $2 where id = $1',
)
/** Locks the owners while they are counted, so that of the last two only one can be removed. */
const lockOwners = sql<{ id: string }>(
  'user.lock-owners',
  `select id from users where role = 'owner' and status = 'active' and all_merchants and not is_service order by id for update`,
)

export const userStore = (on: Queryable) => ({
  list: async (): Promise<readonly UserRow[]> => (await query(on, listUsers, [])).map(userFrom),
  find: async (id: string): Promise<UserRow | null> => firstOf(await query(on, findUser, [id])),
  findByEmail: async (email: string): Promise<UserRow | null> => firstOf(await query(on, findByEmail, [email])),
  findBySubject: async (subject: string): Promise<UserRow | null> => firstOf(await query(on, findBySubject, [subject])),
  /** Call inside a transaction. */
  lock: async (id: string): Promise<UserRow | null> => firstOf(await query(on, lockUser, [id])),
  lockOwners: async (): Promise<readonly string[]> => (await query(on, lockOwners, [])).map(({ id }) => id),
  /** False if the e-mail address is taken. */
  add: async (user: UserRow): Promise<boolean> => {
    const added = (await query(on, addUser, userInsertion.values(user))).length === 1
    if (added) await query(on, replaceMerchants, [user.id, user.merchantIds])
    return added
  },
  change: async (user: UserRow): Promise<void> => {
    const { id, name, role, status, allMerchants, requireSecondFactor, disabledReason, enabledAt } = user
    await query(on, changeUser, [id, name, role, status, allMerchants, requireSecondFactor, disabledReason, enabledAt])
    await query(on, replaceMerchants, [id, user.merchantIds])
  },
  setPassword: async (id: string, hash: string, at: Date, temporary: boolean): Promise<void> => {
    await query(on, setPassword, [id, hash, at, temporary])
  },
  /** The same password, hashed with other parameters. */
  rehash: async (id: string, before: string, after: string): Promise<void> => {
    await query(on, rehash, [id, before, after])
  },
  /** False if it was used before. */
  useTemporaryPassword: async (id: string, at: Date): Promise<boolean> =>
    (await query(on, useTemporary, [id, at])).length === 1,
  renewPassword: async (id: string, at: Date): Promise<void> => {
    await query(on, renewPassword, [id, at])
  },
  offerTotp: async (id: string, sealed: Buffer): Promise<void> => {
    await query(on, offerTotp, [id, sealed])
  },
  /** `step` is the time step of the confirming code. */
  enableTotp: async (id: string, sealed: Buffer, at: Date, step: bigint): Promise<void> => {
    await query(on, enableTotp, [id, sealed, at, step])
  },
  removeTotp: async (id: string): Promise<void> => {
    await query(on, removeTotp, [id])
  },
  useTotpStep: async (id: string, step: bigint): Promise<boolean> =>
    (await query(on, useStep, [id, step])).length === 1,
  demandFactor: async (id: string, at: Date): Promise<void> => {
    await query(on, demandFactor, [id, at])
  },
  /** A user whose factor was reset has none of the grace of a new user. */
  endGrace: async (id: string): Promise<void> => {
    await query(on, endGrace, [id])
  },
  recordSignIn: async (id: string, at: Date): Promise<void> => {
    await query(on, signedIn, [id, at])
  },
})

export function userFrom(row: UserColumns): UserRow {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isService: row.is_service,
    ssoSubject: row.sso_subject,
    passwordHash: row.password_hash,
    passwordChangedAt: row.password_changed_at,
    passwordTemporary: row.password_temporary,
    totpSealed: row.totp_sealed,
    totpPending: row.totp_next,
    totpEnabledAt: row.totp_enabled_at,
    totpLastStep: row.totp_last_step,
    passkeys: row.passkeys,
    recoveryCodes: row.recovery_codes,
    requireSecondFactor: row.require_second_factor,
    factorDemandedAt: row.factor_demanded_at,
    status: row.status,
    disabledReason: row.disabled_reason,
    role: row.role,
    allMerchants: row.all_merchants,
    merchantIds: row.merchant_ids,
    createdAt: row.created_at,
    enabledAt: row.enabled_at,
    lastSignInAt: row.last_sign_in_at,
  }
}

const firstOf = ([row]: readonly UserColumns[]): UserRow | null => (row ? userFrom(row) : null)

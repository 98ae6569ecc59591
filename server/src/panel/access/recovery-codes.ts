/**
 * Recovery codes: they replace the second factor of a user who lost the device, once each. They are shown once, when they are made; new ones
 * replace the old ones.
 */
import { hash } from 'node:crypto'
import type { Secret } from '#domain/secret.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { recoveryCodeStore } from '../../store/people/recovery-codes.ts'
import type { UserRow } from '../../store/people/users.ts'
import type { AdminContext } from '../context.ts'
import { readablePassword } from './password.ts'

const codesOfUser = 10

export async function writeRecoveryCodes(
  client: PoolClient,
  { ids, machine }: Pick<AdminContext, 'ids' | 'machine'>,
  userId: string,
): Promise<readonly Secret<string>[]> {
  const codes = Array.from({ length: codesOfUser }, () => readablePassword((bytes) => ids.random(bytes)))
  const store = recoveryCodeStore(client)
  await store.removeAll(userId)
  await store.add(
    userId,
    codes.map((code) => hashOfCode(userId, code.reveal())),
    machine.now(),
  )
  return codes
}

/** An authenticator shows six digits, so that a longer text is taken for a recovery code. */
export const looksLikeRecoveryCode = (text: string): boolean => normalise(text).length === 20

export const useRecoveryCode = (
  { pool, machine }: Pick<AdminContext, 'pool' | 'machine'>,
  { id }: Pick<UserRow, 'id'>,
  text: string,
): Promise<boolean> => recoveryCodeStore(pool).use(id, hashOfCode(id, text), machine.now())

const hashOfCode = (userId: string, text: string): Buffer => hash('sha256', `${userId} ${normalise(text)}`, 'buffer')

/** As people copy them: in any case, with or without dashes and spaces. */
const normalise = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../../process/startup-error.ts'

/** The account that the server runs under if it is not our own. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

// In this order: a machine that has an account for PostgreSQL expects it to be used. `nobody` comes last, because other programs use it
// too.
const candidates = ['postgres', 'gatehouse', 'nobody']

/**
 * PostgreSQL refuses to run as root, so root starts it under another account: the folder's owner unless that is root, otherwise the first
 * candidate that exists. Only root can and must do this; `null` means our own account.
 */
export function serverAccount(folder: string): Account | null {
  if (process.getuid?.() !== 0) return null

  const { uid, gid } = statSync(folder)
  if (uid !== 0) return { uid, gid }

  const accounts = readAccounts()
  const account = candidates.map((name) => accounts.get(name)).find((found) => found !== undefined)
  if (account) return account
  throw new StartupError(
    `PostgreSQL refuses to run as root, and this machine has no account named ${candidates.join(' or ')}.`,
    'Start Gatehouse as an ordinary user.',
  )
}

/** The part of spawn's options that switches the account. */
export function runAs(account: Account | null): { readonly uid?: number; readonly gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {}
}

/** Gives a folder and its contents to the account, unless it already owns the folder. */
export function handOver(folder: string, { uid, gid }: Account): void {
  if (statSync(folder).uid === uid) return
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid)
  chownSync(folder, uid, gid)
}

function readAccounts(): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>()
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && uid && gid) accounts.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  return accounts
}

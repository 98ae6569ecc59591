/** Whether a first step only holds the money. Chapter 10 §3, §7.1.6. */
import * as format from '../kit/values/formats.ts'
import { type Param, plainText, type Reading, withDefault } from '../kit/values/params.ts'

/** For parameters whose rules depend on it; a value that is neither `Y` nor `N` is reported by `auth` itself. */
export const isAuthorization = ({ tree }: Reading): boolean => isAuthAction(tree) || plainText(tree, 'auth') === 'Y'

/** AUTH is SALE with `auth=Y`, whatever `auth` was sent. */
export const authFlag: Param<boolean> = {
  words: { sent: 'no; `N` when absent', holds: '`Y` or `N`; always `Y` for AUTH' },
  read: (name, reading) => (isAuthAction(reading.tree) ? { value: true } : sentFlag.read(name, reading)),
}

const sentFlag = withDefault(format.flag, false)

const isAuthAction = (tree: Reading['tree']): boolean => plainText(tree, 'action') === 'AUTH'

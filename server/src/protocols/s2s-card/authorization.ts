/** Whether a first step only holds the money. Chapter 10 §3, §7.1.6. */
import * as format from '../kit/values/formats.ts'
import { type Param, withDefault } from '../kit/values/params.ts'
import { soundResult } from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'
import { textIn } from '../kit/values/sent.ts'

/** For parameters whose rules depend on it; a value that is neither `Y` nor `N` is reported by `auth` itself. */
export const isAuthorization = ({ tree }: BaseReading): boolean => isAuthAction(tree) || textIn(tree, 'auth') === 'Y'

/** AUTH is SALE with `auth=Y`, whatever `auth` was sent. */
export const authFlag: Param<boolean, BaseReading> = {
  words: { sent: 'no; `N` when absent', holds: '`Y` or `N`; always `Y` for AUTH' },
  read: (name, sent, reading) => (isAuthAction(reading.tree) ? soundResult(true) : sentFlag.read(name, sent, reading)),
}

const sentFlag = withDefault(format.flag, false)

const isAuthAction = (tree: BaseReading['tree']): boolean => textIn(tree, 'action') === 'AUTH'

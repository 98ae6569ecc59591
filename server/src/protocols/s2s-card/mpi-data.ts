/** `mpi_data`: authentication made elsewhere. Format only; an unfavourable status does not decline. Chapter 10 §7.1.8. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { secret } from '#domain/secret.ts'
import { isUuid } from '#domain/uuid.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import { isTree } from '../kit/bodies/value-tree.ts'
import { codePoints } from '../kit/values/formats.ts'
import { type Format, object, optional, type Param, required, withWords } from '../kit/values/params.ts'
import { soundResult, violationResult } from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'
import { isBlank, type SentValue } from '../kit/values/sent.ts'
import { isAuthorization } from './authorization.ts'

const { eci, authenticationValue, authenticationValueLow, xid } = limits.length

const checkedText = (says: string, fits: (value: string) => boolean): Format<string, unknown> =>
  withWords(says, (text) => (fits(text) ? soundResult(text) : violationResult(violations.notValid)))

const parts = object(
  {
    eci: required(checkedText(`exactly ${eci} characters`, (value) => codePoints(value) === eci)),
    authentication_value: required(
      checkedText(
        `${authenticationValueLow} to ${authenticationValue} characters`,
        (value) => codePoints(value) >= authenticationValueLow && codePoints(value) <= authenticationValue,
      ),
    ),
    ds_trans_id: required(checkedText('a UUID', isUuid)),
    '3ds_version': required(
      checkedText('three numbers with dots, such as `2.2.0`', (value) => /^[0-9]+\.[0-9]+\.[0-9]+$/.test(value)),
    ),
    trans_status: optional(checkedText('one capital letter', (value) => /^[A-Z]$/.test(value))),
    xid: optional(checkedText(`up to ${xid} characters`, (value) => codePoints(value) <= xid)),
  },
  { sent: 'no; ignored with `auth=Y`', holds: 'an object of the parts below', ifAbsent: 'skip' },
)

export const mpiData: Param<ExternalThreeDs | undefined, BaseReading> = {
  words: parts.words,
  read: (name, sent, reading) => {
    // With auth=Y the object is ignored unchecked.
    if (isEmpty(sent) || isAuthorization(reading)) return soundResult(undefined)
    const read = parts.read(name, sent, reading)
    if (!read.ok || !read.value) return read.ok ? soundResult(undefined) : read
    const { value } = read
    return soundResult({
      eci: value.eci,
      authenticationValue: secret(value.authentication_value),
      dsTransId: value.ds_trans_id,
      version: value['3ds_version'],
      transStatus: value.trans_status ?? null,
      xid: value.xid ?? null,
    })
  },
}

/** An empty value is the same as none, so an object of empty values was not sent either. */
const isEmpty = (sent: SentValue): boolean =>
  sent === undefined || (isTree(sent) ? Object.values(sent).every(isEmpty) : isBlank(sent))

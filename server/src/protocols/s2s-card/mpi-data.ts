/** `mpi_data`: authentication made elsewhere. Format only; an unfavourable status does not decline. Chapter 10 §7.1.8. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import { isTree } from '../kit/bodies/value-tree.ts'
import { codePoints, isUuid } from '../kit/values/formats.ts'
import { type Format, object, optional, type Param, required, saying } from '../kit/values/params.ts'
import { sound, unsound } from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'
import { isBlank, type Sent } from '../kit/values/sent.ts'
import { isAuthorization } from './authorization.ts'

const { eci, authenticationValue, authenticationValueLow, xid } = limits.length

const fitting = (says: string, fits: (value: string) => boolean): Format<string, unknown> =>
  saying(says, (text) => (fits(text) ? sound(text) : unsound(violations.notValid)))

const parts = object(
  {
    eci: required(fitting(`exactly ${eci} characters`, (value) => codePoints(value) === eci)),
    authentication_value: required(
      fitting(
        `${authenticationValueLow} to ${authenticationValue} characters`,
        (value) => codePoints(value) >= authenticationValueLow && codePoints(value) <= authenticationValue,
      ),
    ),
    ds_trans_id: required(fitting('a UUID', isUuid)),
    '3ds_version': required(
      fitting('three numbers with dots, such as `2.2.0`', (value) => /^[0-9]+\.[0-9]+\.[0-9]+$/.test(value)),
    ),
    trans_status: optional(fitting('one capital letter', (value) => /^[A-Z]$/.test(value))),
    xid: optional(fitting(`up to ${xid} characters`, (value) => codePoints(value) <= xid)),
  },
  { sent: 'no; ignored with `auth=Y`', holds: 'an object of the parts below', ifAbsent: 'skip' },
)

export const mpiData: Param<ExternalThreeDs | undefined, BaseReading> = {
  words: parts.words,
  read: (name, sent, reading) => {
    // With auth=Y the object is ignored unchecked.
    if (isEmpty(sent) || isAuthorization(reading)) return sound(undefined)
    const read = parts.read(name, sent, reading)
    if (!read.ok || !read.value) return read.ok ? sound(undefined) : read
    const { value } = read
    return sound({
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
const isEmpty = (sent: Sent): boolean =>
  sent === undefined || (isTree(sent) ? Object.values(sent).every(isEmpty) : isBlank(sent))

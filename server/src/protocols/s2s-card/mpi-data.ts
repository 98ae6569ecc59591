/** `mpi_data`: authentication made elsewhere. Format only; an unfavourable status does not decline. Chapter 10 §7.1.8. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import type { FormLeaf, FormTree } from '../kit/bodies/form.ts'
import { codePoints, isUuid } from '../kit/values/formats.ts'
import { blank, fault, type Param, plainText, sentText } from '../kit/values/params.ts'
import { isAuthorization } from './authorization.ts'

const { eci, authenticationValue, authenticationValueLow, xid } = limits.length

type Row = readonly [name: string, required: boolean, holds: string, fits: (value: string) => boolean]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // part                   required  in words                                                            format
  ['eci',                   true,     `exactly ${eci} characters`,                                        (value) => codePoints(value) === eci],
  ['authentication_value',  true,     `${authenticationValueLow} to ${authenticationValue} characters`,   (value) => codePoints(value) >= authenticationValueLow && codePoints(value) <= authenticationValue],
  ['ds_trans_id',           true,     'a UUID',                                                           isUuid],
  ['3ds_version',           true,     'three numbers with dots, such as `2.2.0`',                         (value) => /^[0-9]+\.[0-9]+\.[0-9]+$/.test(value)],
  ['trans_status',          false,    'one capital letter',                                               (value) => /^[A-Z]$/.test(value)],
  ['xid',                   false,    `up to ${xid} characters`,                                          (value) => codePoints(value) <= xid],
]

export const mpiData: Param<ExternalThreeDs | undefined> = {
  words: {
    sent: 'no; ignored with `auth=Y`',
    holds: 'an object of the parts below',
    parts: Object.fromEntries(rows.map(([name, required, holds]) => [name, { sent: required ? 'yes' : 'no', holds }])),
  },
  read: (name, reading) => {
    const node = reading.tree[name]
    // With auth=Y the object is ignored unchecked.
    if (node === undefined || isBlank(node) || isAuthorization(reading)) return { value: undefined }
    if (typeof node !== 'object') return fault(name, violations.notValid)

    const faults = rows.flatMap(([part, isRequired, , fits]) => {
      const param = `${name}[${part}]`
      const value = sentText(node, part)
      if (value === undefined) return isRequired ? blank(param).violations : []
      return typeof value === 'string' && fits(value) ? [] : fault(param, violations.notValid).violations
    })
    if (faults.length > 0) return { violations: faults }
    const value = (part: string): string | null => plainText(node, part) ?? null
    return {
      value: {
        eci: value('eci') ?? '',
        authenticationValue: secret(value('authentication_value') ?? ''),
        dsTransId: value('ds_trans_id') ?? '',
        version: value('3ds_version') ?? '',
        transStatus: value('trans_status'),
        xid: value('xid'),
      },
    }
  },
}

/** An empty value is the same as none, so an object of empty values was not sent either. */
const isBlank = (node: FormLeaf | FormTree): boolean => {
  if (typeof node === 'object') return Object.values(node).every(isBlank)
  return typeof node === 'string' && node.trim() === ''
}

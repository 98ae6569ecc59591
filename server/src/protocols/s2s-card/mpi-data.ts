/** `mpi_data`: authentication made elsewhere. Format only; an unfavourable status does not decline. Chapter 10 §7.1.8. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import type { FormLeaf, FormTree } from '../kit/form.ts'
import { codePoints, isUuid } from '../kit/formats.ts'
import { blank, fault, type Param, plainText, sentText } from '../kit/params.ts'
import { isAuthorization } from './authorization.ts'

const { eci, authenticationValue, authenticationValueLow, xid } = limits.length

type Row = readonly [name: string, required: boolean, fits: (value: string) => boolean]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // part                   required  format
  ['eci',                   true,     (value) => codePoints(value) === eci],
  ['authentication_value',  true,     (value) => codePoints(value) >= authenticationValueLow && codePoints(value) <= authenticationValue],
  ['ds_trans_id',           true,     isUuid],
  ['3ds_version',           true,     (value) => /^[0-9]+\.[0-9]+\.[0-9]+$/.test(value)],
  ['trans_status',          false,    (value) => /^[A-Z]$/.test(value)],
  ['xid',                   false,    (value) => codePoints(value) <= xid],
]

export const mpiData: Param<ExternalThreeDs | undefined> = {
  read: (name, reading) => {
    const node = reading.tree[name]
    // With auth=Y the object is ignored unchecked.
    if (node === undefined || isBlank(node) || isAuthorization(reading)) return { value: undefined }
    if (typeof node !== 'object') return fault(name, violations.notValid)

    const faults = rows.flatMap(([part, isRequired, fits]) => {
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

/** `mpi_data`: authentication made elsewhere. Format only; an unfavourable status does not decline. Chapter 10 §7.1.8. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../../connectors/connector.ts'
import { isUuid } from '../kit/formats.ts'
import { fault, type Param, plainText } from '../kit/params.ts'

const { eci, authenticationValue, authenticationValueLow, xid } = limits.length

type Row = readonly [name: string, required: boolean, fits: (value: string) => boolean]

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // part                   required  format
  ['eci',                   true,     (value) => [...value].length === eci],
  ['authentication_value',  true,     (value) => value.length >= authenticationValueLow && value.length <= authenticationValue],
  ['ds_trans_id',           true,     isUuid],
  ['3ds_version',           true,     (value) => /^[0-9]+\.[0-9]+\.[0-9]+$/.test(value)],
  ['trans_status',          false,    (value) => /^[A-Z]$/.test(value)],
  ['xid',                   false,    (value) => [...value].length <= xid],
]

export const mpiData: Param<ExternalThreeDs | undefined> = {
  read: (name, { tree }) => {
    const node = tree[name]
    // With auth=Y the object is ignored unchecked.
    if (node === undefined || plainText(tree, 'auth') === 'Y') return { value: undefined }
    if (typeof node === 'string' && node.trim() === '') return { value: undefined }
    if (typeof node !== 'object') return fault(name, violations.notValid)

    const faults = rows.flatMap(([part, isRequired, fits]) => {
      const value = plainText(node, part)
      if (value === undefined) return isRequired || part in node ? missing(`${name}[${part}]`, isRequired) : []
      return fits(value) ? [] : fault(`${name}[${part}]`, violations.notValid).violations
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

const missing = (param: string, isRequired: boolean) => (isRequired ? fault(param, violations.blank).violations : [])

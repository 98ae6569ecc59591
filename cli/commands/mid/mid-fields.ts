/** A MID as the commands print it, with the names of its columns. */
import type { Mid } from '#domain/mid.ts'
import type { CellValue } from '../../kit/table.ts'
import { amountTexts } from './changed-limit.ts'

export type MidFields = readonly (readonly [string, CellValue])[]

// biome-ignore format: a table is read in columns.
export const fieldsOf = (mid: Mid): MidFields => [
  ['name',                 mid.name],
  ['connector',            mid.connector],
  ['side',                 mid.mode],
  ['enabled',              mid.enabled],
  ['payment_mode',         mid.paymentMode],
  ['currencies',           mid.currencies],
  ['networks',             mid.networks],
  ['brands',               mid.brands],
  ['cards',                mid.cards],
  ['actions',              mid.actions],
  ['wallets',              mid.wallets],
  ['payer_fields',         mid.payerFields],
  ['moto_enabled',         mid.motoEnabled],
  ['card_on_file_enabled', mid.cardOnFileEnabled],
  ['zero_amount',          mid.zeroAmount],
  ['card_flow',            mid.cardFlow],
  ['accepts_decrypted',    mid.acceptsDecrypted],
  ['override_link_target', mid.overrideLinkTarget],
  ['descriptor',           mid.descriptor],
  ['day_limit',            amountTexts(mid.dayLimit)],
  ['day_limit_count',      mid.dayLimit.count],
  ['month_limit',          amountTexts(mid.monthLimit)],
  ['month_limit_count',    mid.monthLimit.count],
  ['cut_off',              mid.cutOff],
  ['time_zone',            mid.timeZone],
  ['auto_capture_hours',   mid.autoCaptureHours],
]

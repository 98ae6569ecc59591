/** The Add Data table as a table of the reference. */
import { protocols } from '#domain/merchant.ts'
import { places, type ReportField, reportFields } from '#domain/report-fields.ts'
import { code, table } from './markdown.ts'

export function reportFieldTable(): string {
  return table(
    ['Field', 'Group', ...protocols.map((protocol) => protocol.replace('_', ' ')), 'Notes'],
    reportFields.map((field) => [
      code(field.name),
      field.group,
      ...protocols.map((protocol) => abbreviate(field.appearsIn[protocol])),
      notesOf(field),
    ]),
  )
}

function abbreviate(where: readonly string[]): string {
  const initials = places.filter((place) => where.includes(place)).map((place) => place.charAt(0).toUpperCase())
  return initials.join(' ') || '–'
}

function notesOf({ emptyInCallback, transactions, kinds }: ReportField): string {
  return [
    transactions ? `callbacks of ${transactions.join(', ')} only` : '',
    kinds ? `payments of kind ${kinds.join(', ')} only` : '',
    emptyInCallback ? 'in a callback sent empty when missing' : '',
  ]
    .filter((note) => note !== '')
    .join('; ')
}

/**
 * Imports of settlement files: begun with a text or an uploaded file, listed while they run, and cancelled. Chapter 70 §3,
 * decisions/imports#uploads.
 */
import { z } from 'zod'
import { settlementFormatNames } from '#domain/settlement/settlement-format.ts'
import { invalid } from '../../../../../panel/admin-refused.ts'
import { importSettlement } from '../../../../../panel/finance/settlement-import.ts'
import {
  cancelImport,
  findSettlement,
  listRunningImports,
  prepareArrivingUpload,
  prepareUpload,
} from '../../../../../panel/finance/settlements.ts'
import { type Caller, type ChangeResult, changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { uploadEndpoint } from '../../uploads/upload-endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, textInput } from '../../values.ts'
import { shownFile } from './settlements.ts'

/** As text in JSON; larger files are uploaded as they are. */
const largestFile = 32 * 1024 * 1024
/** Some ten million rows, which take hours. */
const largestUpload = 1_000_000_000

const importTerms = {
  midId: z.uuid(),
  name: textInput(200),
  format: z.enum(settlementFormatNames).default('common'),
  /** The name under which the acquirer knows the MID, if the file has it. */
  acquirerMid: textInput(200).nullable().default(null),
}

const shownImport = z.object({
  result: z.enum(['imported', 'known', 'refused']),
  file: shownFile.nullable(),
  faults: z.array(z.object({ line: z.number(), text: z.string() })).readonly(),
  faultCount: z.number(),
})

async function importUpload(
  { context, actor }: Caller,
  upload: ReturnType<typeof prepareUpload> | ReturnType<typeof prepareArrivingUpload>,
): Promise<ChangeResult<z.input<typeof shownImport>>> {
  if (upload === null) throw invalid('midId', 'Select a MID.')
  const result = await importSettlement(context, actor, upload)
  if (result.kind === 'refused') {
    const { faults, faultCount } = result
    return { answer: { result: 'refused', file: null, faults, faultCount }, audit: 'none' }
  }
  const file = await findSettlement(context, result.file.id)
  const audit = result.kind === 'imported' ? 'written' : 'none'
  return { answer: { result: result.kind, file, faults: [], faultCount: 0 }, audit }
}

export const settlementImportEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/settlements/imports',
    summary:
      'Lists imports of settlement files that are running, in the panel or on the command line, and how far they are.',
    access: 'settlements.read',
    output: z.object({
      imports: z
        .array(
          z.object({
            importId: id,
            midId: id,
            midName: z.string().nullable(),
            /** It waits for another import of its MID; its rows are read and stored, then matched and booked. */
            phase: z.enum(['waiting', 'reading', 'matching']),
            rows: z.number(),
          }),
        )
        .readonly(),
    }),
    run: async (_request, { context }) => ({ imports: await listRunningImports(context) }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/settlements/imports/:importId',
    summary: 'Cancels an import that is running or waits, wherever it was started. Nothing of it is kept.',
    access: 'settlements.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { importId } }, { context }) => {
      const { midId } = await cancelImport(context, importId)
      const audit = {
        action: 'settlement.cancel-import',
        subject: `mid ${midId}`,
        merchantId: null,
        after: { importId },
      }
      return { answer: doneAnswer, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/settlements',
    summary:
      'Imports a settlement file, whole or not at all. A file that was imported before changes nothing; one with faults is refused with a report by line.',
    access: 'settlements.write',
    bodyBytes: largestFile,
    /** The content is the bytes of the file, so that its encoding can be checked. */
    body: z.strictObject({ ...importTerms, content: z.base64().min(1) }),
    output: shownImport,
    run: ({ body }, caller) => importUpload(caller, prepareUpload(caller.context, body)),
  }),
  uploadEndpoint({
    path: '/settlements/upload',
    summary:
      'Imports a settlement file of up to 1 GB, which is the body, while it arrives; otherwise like the import of a text. If the connection ends before the answer, nothing is imported. An answer that takes long begins with spaces and has the status 200; a refusal is then its member "error".',
    access: 'settlements.write',
    fileBytes: largestUpload,
    query: { ...importTerms, acquirerMid: textInput(200).optional() },
    output: shownImport,
    run: ({ query, file, importId }, caller) =>
      importUpload(
        caller,
        prepareArrivingUpload(caller.context, { ...query, acquirerMid: query.acquirerMid ?? null, importId }, file),
      ),
  }),
]

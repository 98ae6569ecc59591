/** Endpoints whose body is a file that is read while it arrives. See decisions/imports#uploads. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Permission } from '../../../../panel/access/permissions.ts'
import { AdminRefused } from '../../../../panel/admin-refused.ts'
import {
  type Caller,
  type ChangeResult,
  type Endpoint,
  type EndpointDescription,
  type Params,
  tenancyOf,
} from '../endpoint.ts'
import type { ArrivingFile } from './arriving-file.ts'

const idQuery = { importId: z.uuid().optional() }

const endsWithinMs = 2000
const takenText = 'Another import is running. Wait for it to finish, or cancel it.'

/** POST: a file of any size up to `fileBytes` as the body, of the type `application/octet-stream`. */
export function uploadEndpoint<const Path extends string, Output extends z.ZodType, Query extends z.ZodRawShape>(
  definition: EndpointDescription<Path, Output> & {
    readonly access: Permission
    readonly query: Query
    readonly fileBytes: number
    readonly run: (
      input: {
        readonly params: Params<Path>
        readonly query: z.output<z.ZodObject<Query>>
        readonly file: ArrivingFile
        /** By which the caller finds and cancels the import. */
        readonly importId: string | null
      },
      caller: Caller,
    ) => Promise<ChangeResult<z.input<Output>>>
  },
): Endpoint {
  const { path, summary, access, output, query, fileBytes, run } = definition
  // Each holds a database connection of the panel, of which there are few.
  let taken: Upload | null = null
  return {
    method: 'POST',
    path,
    summary,
    access,
    stepUp: false,
    onDuty: false,
    output,
    body: null,
    bodyBytes: fileBytes,
    takesFile: true,
    tenancy: tenancyOf(path, access),
    query: z.strictObject({ ...query, ...idQuery }),
    // Safe: `serve.ts` has read the input by this definition's schemas, and has checked the session and the file.
    serve: async (input, visit) => {
      const { importId: id = null, ...rest } = input.query as { readonly importId?: string }
      const file = input.file as ArrivingFile
      for (let before = taken; before !== null; before = taken) {
        if (isOver(before, id)) before.file.abandon()
        else await requireEnd(before)
        await before.ended
      }
      // Its caller may have left while it waited.
      file.signal.throwIfAborted()
      const ended = Promise.withResolvers<void>()
      const own: Upload = { id, file, ended: ended.promise }
      taken = own
      try {
        return await run({ ...input, query: rest, importId: id } as never, visit as Caller)
      } finally {
        taken = null
        ended.resolve()
      }
    },
  }
}

interface Upload {
  readonly id: string | null
  readonly file: ArrivingFile
  readonly ended: Promise<void>
}

/** A user who cancels an import and begins the next one at once meets the one before, whose rows are still rolled back. */
async function requireEnd({ ended }: Upload): Promise<void> {
  const isEnded = await Promise.race([ended.then(() => true), sleep(endsWithinMs, false, { ref: false })])
  if (!isEnded) throw new AdminRefused('conflict', { message: takenText })
}

/** True if its caller no longer waits for it. A browser sends a request again by itself if its connection ends without an answer. */
const isOver = ({ id, file }: Upload, next: string | null): boolean =>
  file.signal.aborted || (id !== null && id === next)

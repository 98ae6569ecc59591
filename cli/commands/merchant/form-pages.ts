/** A form as a reviewer reads it in a terminal: first the findings, then each file, complete or as a diff, and the digest at the end. */
import { linesOf } from '#domain/line-diff.ts'
import type { ReviewedFile } from '#server/setup/forms/form-code.ts'
import type { FormReading } from '#server/setup/forms/form-reading.ts'
import type { FormRecord } from '#server/store/configuration/forms.ts'

interface FormPages {
  readonly form: FormRecord
  readonly reading: FormReading
  /** Show all files complete, even those of which only some lines changed. */
  readonly whole: boolean
  /** The command that approves exactly this content. */
  readonly approval: string
}

export function formPages({
  form,
  reading: { digest, against, files },
  whole,
  approval,
}: FormPages): readonly string[] {
  return [
    `Form "${form.formId}", version ${form.version}, ${form.state}.`,
    against === null
      ? 'No version has been approved yet: every file is new.'
      : `Compared with version ${against.version}, the last approved version.`,
    ...findingLines(files),
    ...files.flatMap((file) => ['', headingOf(file), ...contentOf(file, whole)]),
    '',
    `Digest  ${digest}`,
    ...(form.state === 'approved' ? [] : [`After reading the code, approve it with: ${approval}`]),
  ]
}

function findingLines(files: readonly ReviewedFile[]): readonly string[] {
  const found = files.flatMap(({ findings }) => findings)
  if (found.length === 0)
    return ['No line matches a known risk. Read the code anyway: hidden behaviour is not always detected.']
  return ['Check these lines:', ...found.map(({ path, line, text }) => `  ${path}, line ${line}: ${text}`)]
}

const words = { added: ', new', changed: ', changed', removed: ', removed', same: ', unchanged' } as const

const headingOf = ({ path, bytes, change }: ReviewedFile): string =>
  `=== ${path} (${bytes} bytes${change === null ? '' : words[change]})`

function contentOf({ text, diff, change, sha256 }: ReviewedFile, whole: boolean): readonly string[] {
  if (text === null && diff === null) return [`SHA-256 ${sha256}`]
  if (!whole && change === 'same') return ['Unchanged since its approval; --whole prints it.']
  if (text !== null && (whole || diff === null))
    return linesOf(text).map((line, at) => `${formatLineNumber(at + 1)}  ${line}`)
  return (diff ?? []).map(({ kind, text: line, before, after }) =>
    kind === 'gap'
      ? `${formatLineNumber(null)}${formatLineNumber(null)} ⋯`
      : `${formatLineNumber(before)}${formatLineNumber(after)} ${changeMarks[kind]} ${line}`,
  )
}

const changeMarks = { same: ' ', added: '+', removed: '-' } as const

const formatLineNumber = (line: number | null): string => String(line ?? '').padStart(6)

/**
 * A form as its reviewer reads it: the text of every file, the changes since the last approved version, and findings. Chapter 30 §9.4,
 * "Review".
 *
 * The digest identifies exactly this content. An approval names the digest, so that only what was shown can be approved.
 */
import { hash } from 'node:crypto'
import { type DiffLine, lineDiff } from '#domain/line-diff.ts'
import { visibleText } from '#domain/visible-text.ts'
import type { FormFile } from '../../store/configuration/forms.ts'
import { type FormFinding, findingsIn } from './form-findings.ts'

export interface FormContent {
  readonly template: string
  readonly files: readonly FormFile[]
}

export interface ReviewedFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  /** With invisible characters made visible; null for binary files. */
  readonly text: string | null
  /** Compared with the approved version; null if there is none. */
  readonly change: 'added' | 'changed' | 'removed' | 'same' | null
  /** Only for changed text files. */
  readonly diff: readonly DiffLine[] | null
  readonly findings: readonly FormFinding[]
}

/** The template is stored without a path. */
const templatePath = 'index.html'

export function readCode(content: FormContent, approved: FormContent | null): readonly ReviewedFile[] {
  const now = allFiles(content)
  const before = new Map(approved && allFiles(approved).map((file) => [file.path, file]))
  const present = now.map((file) => reviewFile(file, approved === null ? null : (before.get(file.path) ?? 'none')))
  const gone = [...before.values()].filter(({ path }) => !now.some((file) => file.path === path))
  return [...present, ...gone.map(removedFile)]
}

export function contentDigest(content: FormContent): string {
  const lines = allFiles(content)
    .map(({ path, content: bytes }) => `${digestOf(bytes)} ${path}`)
    .sort()
  return hash('sha256', lines.join('\n'))
}

const allFiles = ({ template, files }: FormContent): readonly FormFile[] => [
  { path: templatePath, content: Buffer.from(template) },
  ...files,
]

function reviewFile(file: FormFile, before: FormFile | 'none' | null): ReviewedFile {
  const text = textOf(file)
  const old = before === null || before === 'none' ? null : before
  const oldText = old && textOf(old)
  const isSame = old?.content.equals(file.content) ?? false
  return {
    ...factsOf(file),
    text,
    change: before === null ? null : before === 'none' ? 'added' : isSame ? 'same' : 'changed',
    diff: !isSame && text !== null && oldText !== null ? lineDiff(oldText, text) : null,
    findings: text === null ? [] : findingsIn(file.path, decodeText(file)),
  }
}

function removedFile(file: FormFile): ReviewedFile {
  const text = textOf(file)
  return {
    ...factsOf(file),
    text: null,
    change: 'removed',
    diff: text === null ? null : lineDiff(text, ''),
    findings: [],
  }
}

const factsOf = ({ path, content }: FormFile) => ({ path, bytes: content.length, sha256: digestOf(content) })

const digestOf = (content: Buffer): string => hash('sha256', content)

/** Files that a browser may run or read as text, by extension. */
function textOf({ path, content }: FormFile): string | null {
  if (!/\.(?:html|js|css|svg)$/i.test(path)) return null
  return visibleText(decodeText({ content }))
}

/** The decoder drops a byte order mark. */
const decodeText = ({ content }: Pick<FormFile, 'content'>): string => new TextDecoder().decode(content)

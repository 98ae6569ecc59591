/** Which files a merchant's form may contain. Chapter 30 §9.4, "Archive". */

import { formFileType } from '#domain/checkout/form-file.ts'
import { limits } from '#domain/limits.ts'
import { hasInvisible, visibleText } from '#domain/visible-text.ts'
import type { FormFile } from '../../store/configuration/forms.ts'
import { readZip } from './zip.ts'

type FormArchive =
  | { readonly ok: true; readonly template: string; readonly files: readonly FormFile[] }
  | { readonly ok: false; readonly faults: readonly string[] }

const folders = ['img', 'style', 'js']

/** The template is limited separately, because it is filled in for every payer; scripts, styles and images are separate files. */
const templateBytes = 512 * 1024

export function readFormArchive(archive: Buffer): FormArchive {
  const { formBytes } = limits.checkout
  if (archive.length > formBytes) return { ok: false, faults: [`The archive is larger than ${formBytes} bytes.`] }
  const read = readZip(archive, formBytes)
  if (!read.ok) return { ok: false, faults: [read.fault] }
  const entries = withoutRoot(read.entries).filter(({ path }) => !isSystemFile(path))
  const templates = entries.filter(({ path }) => /^[^/]+\.html(?:\.twig)?$/.test(path))
  const files = entries.filter((entry) => !templates.includes(entry))
  const faults = [
    ...(templates.length === 1
      ? []
      : [
          `The archive must contain exactly one .html or .html.twig file at the top level; it contains ${templates.length}.`,
        ]),
    ...templates
      .filter(({ content }) => content.length > templateBytes)
      .map(({ path }) => `${path}: the page is larger than ${templateBytes / 1024} KiB.`),
    ...templates.filter(({ content }) => content.includes(0)).map(({ path }) => `${path}: the file is not text.`),
    ...files.flatMap(({ path }) => pathFaults(path)),
    ...duplicatePaths(files).map((path) => `${path}: the file is in the archive twice.`),
  ]
  const [template] = templates
  if (!template || faults.length > 0) return { ok: false, faults }
  return { ok: true, template: template.content.toString('utf8'), files }
}

/** Many programs wrap everything in one folder named after the archive. */
function withoutRoot(entries: readonly FormFile[]): readonly FormFile[] {
  const roots = new Set(entries.map(({ path }) => path.split('/')[0] ?? ''))
  const [root = ''] = roots
  const isWrapped = roots.size === 1 && entries.every(({ path }) => path.includes('/')) && !folders.includes(root)
  return isWrapped ? entries.map(({ path, content }) => ({ path: path.slice(root.length + 1), content })) : entries
}

/** Files that file managers leave behind. */
const isSystemFile = (path: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(path)

const duplicatePaths = (files: readonly FormFile[]): readonly string[] =>
  [...Map.groupBy(files, ({ path }) => path)].flatMap(([path, { length }]) => (length > 1 ? [path] : []))

function pathFaults(path: string): readonly string[] {
  const isSafe = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(path)
  if (!isSafe || !folders.includes(path.split('/')[0] ?? '') || !path.includes('/')) {
    return [`${path}: files must be in ${folders.join(', ')}.`]
  }
  if (hasInvisible(path)) return [`${visibleText(path)}: the name contains invisible characters.`]
  return formFileType(path) === null ? [`${path}: files of this type are not allowed.`] : []
}

/** The code of a form for its reviewer: the findings first, then each file, complete or as a diff. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Answer } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Notice } from '../../kit/states.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { CodeLines, DiffLines } from './code-lines.tsx'
import { bytesText } from './form-words.ts'

type FormCodeView = Answer<'GET /merchants/:merchantId/forms/:form/code'>
type ReadFile = FormCodeView['files'][number]

export function FormCode({ code: { files, against, digest } }: { readonly code: FormCodeView }): JSX.Element {
  return (
    <section aria-label="Code">
      <h3>Code</h3>
      <p class="faint">
        {against === null ? (
          'No version was approved before. All code is new.'
        ) : (
          <>
            Compared with version {against.version}
            {against.approvedAt === null ? '' : ', approved '}
            {against.approvedAt === null ? '' : <DateTime at={against.approvedAt} />}.
          </>
        )}
      </p>
      <Findings files={files} />
      {files.map((file) => (
        <CodeFile key={file.path} file={file} />
      ))}
      <p class="code-digest">
        The approval covers this exact code. Digest: <span class="mono">{digest}</span>
      </p>
    </section>
  )
}

const Findings = ({ files }: { readonly files: readonly ReadFile[] }): JSX.Element => {
  const found = files.flatMap(({ path, findings }) =>
    findings.map(({ line, text }) => `${path}, line ${line}: ${text}`),
  )
  return found.length === 0 ? (
    <p>No suspicious lines found. Read all of the code anyway: automatic checks do not find everything.</p>
  ) : (
    <Notice tone="warn">
      <div>
        <p>Check these lines:</p>
        <ul class="bare code-findings">
          {found.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}

const words = { added: 'new', changed: 'changed', removed: 'removed', same: 'unchanged' } as const

/** Changed files are open from the start; the others are rendered when opened, because an archive may have a hundred thousand lines. */
function CodeFile({ file }: { readonly file: ReadFile }): JSX.Element {
  const { path, bytes, sha256, text, change, diff, findings } = file
  const isOpen = useSignal(change !== 'same' && bytes < 100_000)
  const isWhole = useSignal(diff === null)
  const found = new Set(findings.map(({ line }) => line))
  return (
    <details
      class="code-file"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        <span class="mono">{path}</span> · {bytesText(bytes)}
        {change === null ? '' : ` · ${words[change]}`}
      </summary>
      {isOpen.value && (
        <>
          {diff !== null && text !== null && (
            <Button
              onClick={() => {
                isWhole.value = !isWhole.value
              }}
            >
              {isWhole.value ? 'Show changes' : 'Show whole file'}
            </Button>
          )}
          {text !== null && isWhole.value && <CodeLines text={text} found={found} label={`Code of ${path}`} />}
          {diff !== null && (text === null || !isWhole.value) && (
            <DiffLines lines={diff} label={`Changes of ${path}`} />
          )}
          {text === null && diff === null && <p class="mono code-digest">SHA-256 {sha256}</p>}
        </>
      )}
    </details>
  )
}

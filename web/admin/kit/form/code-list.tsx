/** What the browser suggests while a code is typed: another value can still be entered, such as a crypto currency. */
import type { JSX } from 'preact'
import { type CodeKind, codesOf, type Suggestion } from './codes.ts'

export type Suggested = CodeKind | readonly Suggestion[]

export const CodeList = ({ id, of }: { readonly id: string; readonly of: Suggested }): JSX.Element => (
  <datalist id={id}>
    {(typeof of === 'string' ? codesOf(of) : of).map(({ code, name }) => (
      <option key={code} value={code} label={name === code ? code : `${code} · ${name}`} />
    ))}
  </datalist>
)

/** The error catalogue, split into errors that this release can answer and errors that it does not use yet. */
import { errors, violations } from '#domain/errors.ts'
import { isTest, sourceFiles } from '../../tidy/source-files.ts'
import { code, table } from '../markdown.ts'
import { errorNotes, violationNotes } from './error-notes.ts'

export const errorsInUse = (): string => errorTable((name) => isReferredTo('errors', name))

export const errorsToCome = (): string => errorTable((name) => !isReferredTo('errors', name))

export function violationTexts(): string {
  return table(
    ['After `<param>: `', 'When'],
    Object.entries(violations)
      .filter(([name]) => isReferredTo('violations', name))
      .map(([name, text]) => [code(textOf(text)), noteOf(violationNotes, name)]),
  )
}

function errorTable(isShown: (name: string) => boolean): string {
  return table(
    ['HTTP', '`error_code`', '`error_message`', 'When'],
    Object.entries(errors)
      .filter(([name]) => isShown(name))
      .map(([name, { http, code: number, message }]) => [http, number, code(message), noteOf(errorNotes, name)]),
  )
}

const noteOf = (notes: Readonly<Record<string, string>>, name: string): string => notes[name] ?? ''

/** Texts with a number or a type are shown with a letter in its place. */
function textOf(text: string | ((...values: never[]) => string)): string {
  return typeof text === 'string' ? text : Reflect.apply(text, undefined, ['N', 'M'])
}

/** An error that no code of the service refers to cannot be answered. */
function isReferredTo(catalogue: string, name: string): boolean {
  references ??= new Set(
    sourceFiles()
      .filter(({ path }) => /^(?:domain|server)\/src\//.test(path) && !isTest(path))
      .flatMap(({ code: text }) => text.match(/\b(?:errors|violations)\.\w+/g) ?? []),
  )
  return references.has(`${catalogue}.${name}`)
}

let references: ReadonlySet<string> | undefined

/** The page of hosted fields has every member, answer and error of the merchant's calls. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errors } from '#domain/errors.ts'
import { fieldsCalls } from '#server/protocols/hosted-page/fields/calls.ts'
import { root, sourceFiles } from '../tidy/source-files.ts'
import { callErrors } from './hosted-fields.ts'

const page = readFileSync(`${root}docs/interface/hosted-fields.md`, 'utf8')
const sectionOf = (name: string): string => new RegExp(`^## ${name}\\n([\\s\\S]*?)(?=^## )`, 'm').exec(page)?.[1] ?? ''

for (const { name, method, paths, params, answer } of fieldsCalls) {
  test(`${name} has a section with its addresses, members, answers and errors`, () => {
    const section = sectionOf(name === 'processing' ? 'Processing' : 'Session update')
    for (const path of paths) assert.ok(section.includes(`${method} ${path}`), path)
    for (const [member, { words }] of Object.entries(params)) {
      assert.ok(section.includes(`| \`${member}\` |`), member)
      for (const part of Object.keys(words.parts ?? {}))
        assert.ok(section.includes(`| \`${member}.${part}\` |`), `${member}.${part}`)
    }
    for (const member of Object.keys(answer)) assert.ok(section.includes(`| \`${member}\` |`), member)
    for (const [error] of callErrors[name] ?? []) assert.ok(section.includes(`\`${errors[error].message}\``), error)
  })
}

test('every error that the code of these calls names is documented', () => {
  const folder = 'server/src/protocols/hosted-page/'
  const files = [
    'fields/processing.ts',
    'fields/update.ts',
    'fields/routes.ts',
    'payment/entered-card.ts',
    'session/session-caller.ts',
  ]
  const sources = sourceFiles().filter(({ path }) => files.includes(path.replace(folder, '')))
  assert.equal(sources.length, files.length)
  const named = new Set(sources.flatMap(({ code }) => code.match(/(?<=\berrors\.)\w+/g) ?? []))
  const documented = new Set<string>(Object.values(callErrors).flatMap((rows) => rows.map(([error]) => error)))
  // The address of a frame that does not exist is answered to a browser.
  documented.add('routeNotSupported')
  assert.deepEqual(
    [...named].filter((name) => !documented.has(name)),
    [],
  )
})

/** Chapter 30 §8.4 and §8.5, written from the chapter. */
const chapter: Readonly<Record<string, readonly string[]>> = {
  processing: [
    '401 100000 Session token is not valid.',
    '400 100000 Operation does not match the session.',
    '400 100000 Card data is not collected.',
    '400 100000 Session is complete.',
    '409 400 Duplicate request.',
  ],
  'session-update': [
    '403 100000 Session token is not valid.',
    '400 100000 Session can not be updated',
    '400 100000 Schedule not found',
    '400 100000 Schedule is paused.',
    '400 100000 Not found acceptable methods',
  ],
}

for (const [name, rows] of Object.entries(chapter)) {
  test(`${name} has the errors of the chapter`, () => {
    const documented = (callErrors[name] ?? []).map(([error]) => {
      const { http, code, message } = errors[error]
      return `${http} ${code} ${message}`
    })
    for (const row of rows) assert.ok(documented.includes(row), row)
  })
}

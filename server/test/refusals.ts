/** Assertions about error bodies of chapter 10 §10.1. */
import assert from 'node:assert/strict'
import type { Answer } from './shop.ts'

/** Asserts that the answer is exactly this error: the whole body, byte for byte. */
export function assertRefused(answer: Answer, code: number, message: string, http = 400): void {
  const body = `{"result":"ERROR","error_code":${code},"error_message":${JSON.stringify(message)},"errors":[]}`
  assert.deepEqual({ http: answer.http, text: answer.text }, { http, text: body })
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
}

/** Asserts that the answer reports these violations, in this order; none means that the request was processed. */
export function assertViolations(answer: Answer, rows: readonly string[]): void {
  if (rows.length === 0) {
    assert.equal(answer.http, 200, answer.text)
    return
  }
  const errors = rows.map((row) => ({ error_code: 100000, error_message: row }))
  const body = { result: 'ERROR', error_code: 100000, error_message: 'Request data is invalid.', errors }
  assert.deepEqual({ http: answer.http, text: answer.text }, { http: 400, text: JSON.stringify(body) })
}

// biome-ignore format: a table is read in columns.
export const says = {
  blank:       'This value should not be blank.',
  notValid:    'This value is not valid.',
  notCorrect:  'This value is not correct.',
  notChoice:   'The value you selected is not a valid choice.',
  notPositive: 'This value should be greater than 0.',
  notUrl:      'This value is not a valid URL.',
  notEmail:    'This value is not a valid email address.',
  wrongHash:   'Hash is not valid.',
  tooLong:     (limit: number) => `This value is too long. It should have ${limit} characters or less.`,
} as const

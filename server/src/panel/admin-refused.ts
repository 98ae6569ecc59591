/** An expected no of the admin API: thrown where it is decided, rendered by the protocol. */

// biome-ignore format: a table is read in columns.
export const adminFaults = {
  // code                  http   message
  unauthenticated:        [401, 'Sign in first.'],
  wrong_credentials:      [401, 'The e-mail address, the password or the code is wrong.'],
  second_factor_required: [401, 'A code of the second factor is needed.'],
  passkey_required:       [401, 'Sign in with your passkey: the password alone is not enough.'],
  first_password_used:    [401, 'This first password was used already. Ask for a new one.'],
  too_many_attempts:      [429, 'Too many attempts. Wait before the next one.'],
  forbidden:              [403, 'You may not do this.'],
  csrf:                   [403, 'The request does not come from the panel. Load the page again.'],
  password_change_first:  [403, 'Choose a new password first.'],
  second_factor_first:    [403, 'Set up a second factor first.'],
  step_up_required:       [403, 'Confirm that it is you, then try again.'],
  not_found:              [404, 'There is no such thing, or it is not yours.'],
  method_not_allowed:     [405, 'The address does not take this method.'],
  conflict:               [409, 'It was changed meanwhile, or is in the way of something else.'],
  refused:                [409, 'The payment does not allow this.'],
  too_large:              [413, 'The request is too large.'],
  invalid:                [422, 'Some fields are not valid.'],
  failed:                 [500, 'Something went wrong. The request was logged under its id.'],
} as const satisfies Record<string, readonly [number, string]>

export type AdminFaultCode = keyof typeof adminFaults

export interface FieldFault {
  readonly field: string
  readonly text: string
}

export class AdminRefused extends Error {
  override readonly name = 'AdminRefused'
  readonly code: AdminFaultCode
  readonly http: number
  readonly fields: readonly FieldFault[]
  readonly retryAfterSeconds: number | null

  constructor(
    code: AdminFaultCode,
    told: {
      readonly message?: string
      readonly fields?: readonly FieldFault[]
      readonly retryAfterSeconds?: number
    } = {},
  ) {
    const [http, message] = adminFaults[code]
    super(told.message ?? message)
    this.code = code
    this.http = http
    this.fields = told.fields ?? []
    this.retryAfterSeconds = told.retryAfterSeconds ?? null
  }
}

export const invalid = (field: string, text: string): AdminRefused =>
  new AdminRefused('invalid', { fields: [{ field, text }] })

export const notFound = (): AdminRefused => new AdminRefused('not_found')

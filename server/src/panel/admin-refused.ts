/** An expected refusal of the admin API: thrown where it is decided, rendered by the protocol. */

// biome-ignore format: a table is read in columns.
export const adminFaults = {
  // code                  http   message
  unauthenticated:        [401, 'Sign in to continue.'],
  wrong_credentials:      [401, 'The e-mail address, the password or the code is wrong.'],
  second_factor_required: [401, 'Enter the code of your second factor.'],
  passkey_required:       [401, 'Sign in with your passkey. Your password alone is not sufficient.'],
  first_password_used:    [401, 'This initial password has already been used. Ask an administrator for a new one.'],
  too_many_attempts:      [429, 'Too many attempts. Wait and try again.'],
  forbidden:              [403, 'You do not have permission for this.'],
  csrf:                   [403, 'The request did not come from the panel. Reload the page.'],
  password_change_first:  [403, 'Choose a new password first.'],
  second_factor_first:    [403, 'Set up a second factor first.'],
  step_up_required:       [403, 'Confirm your identity, then try again.'],
  not_found:              [404, 'Not found, or you do not have access.'],
  method_not_allowed:     [405, 'This method is not allowed.'],
  conflict:               [409, 'The data was changed in the meantime, or another action is in progress. Reload the page.'],
  refused:                [409, 'The payment does not allow this.'],
  too_large:              [413, 'The request is too large.'],
  invalid:                [422, 'Check the marked fields.'],
  too_slow:               [503, 'The database took too long. Try again with a shorter period or a single merchant.'],
  ending:                 [503, 'This instance is being restarted. Try again in a minute.'],
  failed:                 [500, 'Something went wrong. Try again, or contact support with the request id.'],
} as const satisfies Record<string, readonly [number, string]>

type AdminFaultCode = keyof typeof adminFaults

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
    options: {
      readonly message?: string
      readonly fields?: readonly FieldFault[]
      readonly retryAfterSeconds?: number
    } = {},
  ) {
    const [http, message] = adminFaults[code]
    super(options.message ?? message)
    this.code = code
    this.http = http
    this.fields = options.fields ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

export const invalid = (field: string, text: string): AdminRefused =>
  new AdminRefused('invalid', { fields: [{ field, text }] })

export const notFound = (): AdminRefused => new AdminRefused('not_found')

/** The signed-in user, the user's permissions, and the selected mode. */
import { computed, signal } from '@preact/signals'
import type { Permission } from '../api/api-types.ts'
import { type Answer, apiClient, call, type Fault } from '../api/call.ts'
import { currentAddress, go } from '../router/current-address.ts'

type Session = Answer<'GET /session'>

type Entry =
  | { readonly state: 'asking' }
  | { readonly state: 'out' }
  | { readonly state: 'in'; readonly session: Session }
  | { readonly state: 'failed'; readonly fault: Fault }

export const entry = signal<Entry>({ state: 'asking' })

/** Null if no user is signed in. */
export const session = computed<Session | null>(() => (entry.value.state === 'in' ? entry.value.session : null))

const grantedPermissions = computed<ReadonlySet<string>>(() => new Set(session.value?.permissions ?? []))

export const may = (permission: Permission): boolean => grantedPermissions.value.has(permission)

/** Reads the session from the server: at the start, after sign-in, and after a change of the user's own account. */
export async function loadSession(): Promise<void> {
  const result = await call('GET /session')
  if (result.ok) {
    apiClient.csrf = result.value.csrf
    entry.value = { state: 'in', session: result.value }
    return
  }
  if (result.fault.code !== 'unauthenticated') entry.value = { state: 'failed', fault: result.fault }
}

export async function signOut(): Promise<void> {
  const result = await call('DELETE /session')
  if (result.ok && result.value.leaveTo !== null) window.location.assign(result.value.leaveTo)
  else leave()
}

/** `fresh`: the provider authenticates the user anew. */
export const singleSignOnAddress = (next: string, fresh = false): string =>
  `/admin/sso/start?next=${encodeURIComponent(next)}${fresh ? '&fresh=1' : ''}`

export const signInPath = '/sign-in'

/** Pages for people who are not signed in. */
export const choosePasswordPath = '/choose-password'
export const signUpPath = '/sign-up'
export const confirmSignUpPath = '/confirm-sign-up'
const openPaths: readonly string[] = [signInPath, choosePasswordPath, signUpPath, confirmSignUpPath]

/** After a password was chosen, no session is left. */
export function leaveOpenPage(): void {
  apiClient.csrf = ''
  entry.value = { state: 'out' }
}

/** Goes to the sign-in page, which leads back here. */
function leave(): void {
  leaveOpenPage()
  if (openPaths.includes(currentAddress.value.path)) return
  const back = currentAddressText()
  go(back === '/' ? signInPath : `${signInPath}?next=${encodeURIComponent(back)}`, { replace: true, stay: true })
}

/** The address of the current page. */
export function currentAddressText(): string {
  const { path, query } = currentAddress.value
  return `${path}${query.size === 0 ? '' : `?${query}`}`
}

/** The address after sign-in: only addresses within the panel. */
export function addressAfterSignIn(): string {
  const next = currentAddress.value.query.get('next') ?? '/'
  return /^\/(?!\/)[^\\]*$/.test(next) && !next.startsWith(signInPath) ? next : '/'
}

apiClient.onSignedOut = leave
// The session contains what the user must do first, and the panel leads there.
apiClient.onRequiredSetup = () => void loadSession()

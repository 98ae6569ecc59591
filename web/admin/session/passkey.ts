/** Passkeys: converts between the JSON of the server and the objects of the browser's WebAuthn API. */
import { memberOf, textAt } from '../api/call.ts'

interface CredentialJson {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly [name: string]: unknown
}

export const knowsPasskeys = (): boolean =>
  typeof navigator.credentials === 'object' && typeof PublicKeyCredential === 'function'

/** Null if the user cancelled or has no passkey. */
export async function provePasskey(options: unknown): Promise<CredentialJson | null> {
  const publicKey = {
    ...requestOptions(options),
    allowCredentials: listOf(memberOf(options, 'allowCredentials')).map(withBytes),
  }
  // The server's library writes the members as the standard defines them.
  const credentialOptions = { publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions }
  return credentialJson(await navigator.credentials.get(credentialOptions).catch(() => null))
}

export async function makePasskey(options: unknown): Promise<CredentialJson | null> {
  const publicKey = {
    ...requestOptions(options),
    user: withBytes(memberOf(options, 'user')),
    excludeCredentials: listOf(memberOf(options, 'excludeCredentials')).map(withBytes),
  }
  // See above.
  const credentialOptions = { publicKey: publicKey as unknown as PublicKeyCredentialCreationOptions }
  return credentialJson(await navigator.credentials.create(credentialOptions).catch(() => null))
}

const requestOptions = (options: unknown): object => ({
  ...(typeof options === 'object' ? options : {}),
  challenge: bytesOf(textAt(options, 'challenge')),
})

const withBytes = (value: unknown): object => ({
  ...(typeof value === 'object' ? value : {}),
  id: bytesOf(textAt(value, 'id')),
})

function credentialJson(credential: Credential | null): CredentialJson | null {
  if (!(credential instanceof PublicKeyCredential)) return null
  const { id, rawId, response, authenticatorAttachment } = credential
  const shared = { id, rawId: textOf(rawId), type: 'public-key', authenticatorAttachment } as const
  const clientDataJSON = textOf(response.clientDataJSON)
  const clientExtensionResults = credential.getClientExtensionResults()
  if (response instanceof AuthenticatorAttestationResponse) {
    const attestationObject = textOf(response.attestationObject)
    const attestation = { clientDataJSON, attestationObject, transports: response.getTransports() }
    return { ...shared, clientExtensionResults, response: attestation }
  }
  if (!(response instanceof AuthenticatorAssertionResponse)) return null
  const proof = {
    clientDataJSON,
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    ...(response.userHandle ? { userHandle: textOf(response.userHandle) } : {}),
  }
  return { ...shared, clientExtensionResults, response: proof }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function textOf(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

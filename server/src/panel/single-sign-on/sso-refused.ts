/** Why a single sign-on failed, as a word that the sign-in page turns into a sentence. */

export type SsoRefusal =
  | 'unavailable' // the provider cannot be reached, or answers nonsense
  | 'expired' // came back too late, twice, or in another browser
  | 'refused' // the provider said no, or the user did
  | 'invalid' // the answer is not the provider's, or not for this sign-in
  | 'clock' // the clocks of the two differ
  | 'group' // no group of the user has a role here
  | 'stale' // was to authenticate the user anew, and did not, or does not say when it did
  | 'factor' // the provider has not confirmed the second factor
  | 'disabled' // disabled here
  | 'taken' // a local account has the e-mail address

export class SsoRefused extends Error {
  override readonly name = 'SsoRefused'
  readonly refusal: SsoRefusal

  constructor(refusal: SsoRefusal, cause: unknown) {
    super(`Single sign-on: ${refusal}`, { cause })
    this.refusal = refusal
  }
}

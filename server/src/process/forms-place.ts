/**
 * Below which host merchants' own forms have an origin of their own. A sandbox that is reached on the machine itself needs nothing of its
 * operator for that: names below `localhost` lead there, and browsers keep them apart like any other hosts.
 */
import { isThisMachine } from '#domain/address/loopback.ts'

export interface FormsPlace {
  /** Null where forms run without an origin. */
  readonly formsDomain: string | null
  /** It is a default, and a visitor may be unable to reach it: a browser that is not known to find it gets the form without an origin. */
  readonly formsDomainIsDefault: boolean
}

const sandboxDomain = 'forms.localhost'

export function formsPlace(
  {
    FORMS_DOMAIN: given,
    BASE_URL: base,
  }: { readonly FORMS_DOMAIN?: string | undefined; readonly BASE_URL?: string | undefined },
  sandbox: boolean,
): FormsPlace {
  if (given !== undefined) return { formsDomain: given === 'none' ? null : given, formsDomainIsDefault: false }
  const isReached = sandbox && (base === undefined || isPlainLoopback(new URL(base)))
  return { formsDomain: isReached ? sandboxDomain : null, formsDomainIsDefault: isReached }
}

/** No certificate of this machine names hosts below `localhost`, so that https would not reach them. */
const isPlainLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isThisMachine(hostname)

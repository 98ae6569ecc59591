/**
 * The domain under which merchants' own forms have separate origins. A sandbox on the local machine needs no configuration for that: names
 * below `localhost` resolve to it, and browsers separate them like any other hosts.
 */
import { isThisMachine } from '#domain/address/loopback.ts'

export interface FormsDomain {
  /** Null if forms run in a sandboxed frame, which has an opaque origin. */
  readonly formsDomain: string | null
  /**
   * True for the default domain, which a visitor's browser may be unable to resolve. Until a browser has loaded it once, the form runs in a
   * sandboxed frame there.
   */
  readonly formsDomainIsDefault: boolean
}

const sandboxDomain = 'forms.localhost'

export function formsDomainOf(
  {
    FORMS_DOMAIN: domain,
    BASE_URL: base,
  }: { readonly FORMS_DOMAIN?: string | undefined; readonly BASE_URL?: string | undefined },
  sandbox: boolean,
): FormsDomain {
  if (domain !== undefined) return { formsDomain: domain === 'none' ? null : domain, formsDomainIsDefault: false }
  const isReached = sandbox && (base === undefined || isPlainLoopback(new URL(base)))
  return { formsDomain: isReached ? sandboxDomain : null, formsDomainIsDefault: isReached }
}

/** No certificate of this machine covers hosts below `localhost`, so https would not reach them. */
const isPlainLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isThisMachine(hostname)

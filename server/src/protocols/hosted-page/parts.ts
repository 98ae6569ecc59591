/** The dependencies of the hosted page and of hosted fields; assembled in `app.ts`. */
import type {
  Clock,
  Configuration,
  Idempotency,
  Ids,
  Log,
  WalletButtons,
  WalletSessions,
} from '../../contracts/ports.ts'
import type { SessionTokens } from '../../contracts/session-ports.ts'
import type { IpList } from '../../network/ip-list.ts'
import type { Metrics } from '../../observe/metrics.ts'
import type { Operations } from '../../payments/index.ts'
import type { WebFiles } from '../assets/web-files.ts'
import type { Kit, SignatureParts } from '../kit/dialect.ts'
import type { PageUrl } from '../kit/page-url.ts'
import type { CustomForms } from './form/approved-form.ts'
import type { AttemptsPerAddress } from './payment/attempts-per-address.ts'
import type { PageBrandings } from './session/branding.ts'

export interface HostedPageParts extends SignatureParts, Pick<Kit, 'refusedRequests'> {
  readonly configuration: Configuration
  readonly operations: Operations
  readonly tokens: SessionTokens
  readonly walletSessions: WalletSessions
  readonly walletButtons: WalletButtons
  readonly walletScripts: WalletScripts
  readonly files: WebFiles
  readonly forms: CustomForms
  readonly brandings: PageBrandings
  readonly attempts: AttemptsPerAddress
  readonly idempotency: Idempotency
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Pick<Metrics, 'missingButton'>
  readonly trustedProxies: IpList
  /** The address under which browsers reach this service, without a slash at its end. */
  readonly publicUrl: () => string
  readonly pageUrl: PageUrl
  /** The domain of the hosts of merchants' own forms; null if forms run without an origin. */
  readonly formsDomain: string | null
  /** True for the default domain: a browser that is not known to resolve it gets the form without an origin. */
  readonly formsDomainIsDefault: boolean
}

/** The wallet providers' scripts by exact address: the only external ones that the page's policy allows. Chapter 30 §7.9. */
interface WalletScripts {
  readonly walletapay: WalletScript
  readonly walletbpay: WalletScript
}

interface WalletScript {
  readonly url: string
  /** Null if the wallet provider publishes no fixed version. */
  readonly integrity: string | null
}

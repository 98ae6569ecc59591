/** Sends alerts to their channels: for the workers, and for the panel, which sends tests. */
import type { AlertSender } from '../contracts/alert-ports.ts'
import { alertSender } from '../due/alerts/alert-sender.ts'
import { release } from '../process/release.ts'
import type { ProcessContext } from './process-context.ts'

export const openAlertSender = ({ config }: ProcessContext): AlertSender =>
  alertSender({ allowPrivate: config.allowPrivateCallbacks }, release)

/** Violations of the content security policy, as browsers reported them. */
import { type CountedReport, listPolicyReports } from '../../store/instance/policy-reports.ts'
import type { PanelContext } from '../panel-context.ts'

export const listPolicyReportsFor = ({ pool }: PanelContext): Promise<readonly CountedReport[]> =>
  listPolicyReports(pool)

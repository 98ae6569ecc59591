/** Violations of the content security policy, as browsers reported them. */
import { type CountedReport, policyReportList } from '../../store/instance/policy-reports.ts'
import type { PanelContext } from '../panel-context.ts'

export const policyReportsFor = ({ pool }: PanelContext): Promise<readonly CountedReport[]> => policyReportList(pool)

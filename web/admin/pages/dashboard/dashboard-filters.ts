/** The filters of the dashboard, which are part of its address. */
import type { Filters } from '../../kit/form/use-filters.ts'

export type DashboardFilters = Filters<'merchantId' | 'from' | 'to' | 'currency'>
